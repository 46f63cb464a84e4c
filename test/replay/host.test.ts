import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type Started, start } from "../trial/sidecar.ts";
import { threadOf } from "./replayed.ts";
import { type ChatEntry, effects, script } from "./scripted-model.ts";

const host = fileURLToPath(new URL("./scripted-host.ts", import.meta.url));

/** One conversation: its session, and where its side effects and its doubts stand. */
interface Conversation {
  readonly session: string;
  readonly effectsFile: string;
  readonly doubtsFile: string;
  readonly careful: boolean;
}

describe("a host that is killed in the middle of its turns", () => {
  const folder = temporaryFolder();
  let sidecar: Started;
  let steps = 0;

  beforeAll(async () => {
    sidecar = await start({ folder: folder.path });
    steps = Number((await run(conversation("whole"))).said);
  }, 30_000);
  afterAll(async () => {
    await sidecar.stop();
    folder.remove();
  });

  const conversation = (session: string, careful = false): Conversation => ({
    session,
    effectsFile: join(folder.path, `${session}.effects`),
    doubtsFile: join(folder.path, `${session}.doubts`),
    careful,
  });

  async function run({ session, effectsFile, doubtsFile, careful }: Conversation, killAt = 0) {
    const args = [host, sidecar.address, session, effectsFile, doubtsFile, String(killAt), careful ? "careful" : ""];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const [said, errors] = [child.stdout.toArray(), child.stderr.toArray()];
    const [code, signal] = await once(child, "exit");
    if (code !== 0 && signal !== "SIGKILL") throw new Error(Buffer.concat(await errors).toString());
    return { killed: signal === "SIGKILL", said: Buffer.concat(await said).toString() };
  }

  /** Each effect once; or it is told to be in doubt, and is there once or not at all. */
  async function expectOnceOrInDoubt({ session, effectsFile, doubtsFile }: Conversation): Promise<readonly string[]> {
    const [done, doubts] = [linesOf(effectsFile), linesOf(doubtsFile)];
    for (const effect of effects) {
      const times = done.filter((line) => line === effect).length;
      expect([effect, times], `${session}: ${done}; in doubt: ${doubts}`).toEqual(
        doubts.includes(effect) && times === 0 ? [effect, 0] : [effect, 1],
      );
    }
    expect(await finished(session)).toEqual(script.length);
    return doubts;
  }

  async function finished(session: string): Promise<number> {
    const client = connect(sidecar.address, 10_000);
    const answer = await client.unary(ConversationService.method.resume, { thread: threadOf(session) });
    client.close();
    if (answer.kind === "ended") throw new Error(answer.text);
    const entries: readonly ChatEntry[] = JSON.parse(String(answer.value.document?.content.value));
    return entries.filter(({ role }) => role === "user").length;
  }

  it("comes to its end when nobody kills it", async () => {
    expect(await expectOnceOrInDoubt(conversation("whole"))).toEqual([]);
    expect(steps).toBe(40); // before and after each of 15 writes and 5 side effects
  });

  it("does nothing twice, wherever it was killed", { timeout: 240_000 }, async () => {
    const doubted: string[] = [];
    await atOnce(
      4,
      Array.from({ length: steps }, (_unused, at) => at + 1),
      async (killAt) => {
        const one = conversation(`killed-${killAt}`);
        expect((await run(one, killAt)).killed).toBe(true);
        await run(one);
        doubted.push(...(await expectOnceOrInDoubt(one)));
      },
    );
    expect(new Set(doubted)).toEqual(new Set(effects));
  });

  it("does nothing twice when it is killed again while it recovers", { timeout: 240_000 }, async () => {
    const cases = Array.from({ length: 24 }, (_unused, at) => ({ first: 11 + at, again: 1 + (at % 6) }));
    await atOnce(4, cases, async ({ first, again }) => {
      const one = conversation(`twice-${first}-${again}`, true);
      await run(one, first);
      await run(one, again);
      await run(one);
      await expectOnceOrInDoubt(one);
    });
  });
});

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

/** So many at a time: the machine has more to do. */
async function atOnce<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
