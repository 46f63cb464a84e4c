import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Drain } from "../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import {
  DrainModel,
  expiredFormat,
  headOf,
  type ModelThread,
  type Numbers,
  opaqueFormat,
  type Scope,
} from "./model.ts";
import { type Move, moves, outputs, scopes } from "./moves.ts";
import { clock, documentOf, openPlayer, type Player, writtenTime } from "./player.ts";

/** CI runs all; at a desk fewer find most of what there is to be found. */
const numRuns = Number(process.env["FERMATA_RUNS"] ?? (process.env["CI"] === "true" ? 500 : 100));

let player: Player;
const lost: Player[] = [];
beforeAll(async () => {
  player = await openPlayer();
});
afterAll(async () => {
  await Promise.all([player, ...lost].map((one) => one.close()));
  rmSync(player.folder, { recursive: true, force: true });
});

it("balances after every move, reaches its fixed point, and never takes the unknown for done", async () => {
  await fc.assert(
    fc.asyncProperty(moves, fc.array(scopes, { minLength: 1, maxLength: 2 }), moves, async (before, holds, after) => {
      const run = new Run();
      try {
        for (const move of before) await run.play(move);
        for (const scope of holds) await run.freeze(scope);
        for (const move of after) {
          await run.play(move);
          await run.compare();
        }
        await run.finish();
      } finally {
        await run.clean();
      }
    }),
    { numRuns },
  );
}, 600_000);

let runs = 0;

/** One history on an empty store, with its model beside it. */
class Run {
  private readonly model = new DrainModel();
  private readonly name: string;
  private readonly told = new Map<string, { readonly drain: Drain; readonly numbers: string }>();
  private count = 0;

  constructor() {
    runs += 1;
    this.name = `r${runs}`;
  }

  async freeze(scope: Scope): Promise<void> {
    const freezeId = `${this.name}-${this.model.holds.size}`;
    clock.now += 1;
    await player.freeze(freezeId, scope);
    this.model.freeze(freezeId, scope, clock.now);
    await this.compare();
  }

  async play(move: Move): Promise<void> {
    this.count += 1;
    clock.now += 1;
    switch (move.kind) {
      case "issue":
        return await this.issue(move);
      case "adopt":
        return await this.adopt(move);
      case "replay":
        return await this.replay(this.at(move.thread), move.format);
      case "attribute":
        return await this.attribute(this.at(move.thread), move.tenant);
      case "discard":
        return await this.discard(this.at(move.thread));
      case "erase":
        return await this.erase(this.at(move.thread));
      case "eraseTenant":
        return await this.eraseTenant(move.tenant);
      case "crash":
        return await crash();
    }
  }

  /** What the store says of every hold is what the model says, judged or not. */
  async compare(): Promise<void> {
    for (const freezeId of this.model.holds.keys()) {
      const wanted = this.model.numbers(freezeId);
      const blind = await player.unjudged(freezeId);
      const drain = await player.drain(freezeId);
      const { atFreeze, adoptedSince, drained, discarded, expired, terminalUnsafe, remaining, quarantined } = wanted;
      expect(numbersOf(drain)).toEqual(wanted);
      expect(atFreeze + adoptedSince).toBe(drained + discarded + expired + terminalUnsafe + remaining);
      expect(drain.atFixedPoint).toBe(remaining === 0 && quarantined === 0);
      expect(blind.remaining).toBe(drain.remaining + drain.terminalUnsafe - blind.terminalUnsafe);
      expect(blind.unscanned <= blind.remaining && (!blind.atFixedPoint || blind.unscanned === 0n)).toBe(true);
      expect(drain.unscanned).toBe(0n);
      expect(await player.remaining(freezeId)).toHaveLength(remaining);
      this.compareRevision(freezeId, drain);
    }
  }

  private compareRevision(freezeId: string, drain: Drain): void {
    const last = this.told.get(freezeId);
    const numbers = JSON.stringify(numbersOf(drain));
    if (last !== undefined) {
      expect(drain.revision >= last.drain.revision).toBe(true);
      if (numbers !== last.numbers) expect(drain.revision > last.drain.revision).toBe(true);
    }
    this.told.set(freezeId, { drain, numbers });
  }

  /** The host's loop and the operator's last words: then there is nothing left to move. */
  async finish(): Promise<void> {
    for (const freezeId of this.model.holds.keys()) {
      for (const { id, threadKey } of await player.remaining(freezeId)) await this.moveOut(id, threadKey);
      for (const thread of [...this.model.threads.values()]) {
        if (this.model.numbers(freezeId).quarantined > 0 && thread.tenant === undefined)
          await this.attribute(thread, "other");
      }
      await this.compare();
      expect((await player.drain(freezeId)).atFixedPoint).toBe(true);
    }
  }

  async clean(): Promise<void> {
    for (const freezeId of this.model.holds.keys()) await player.thaw(freezeId);
    for (const { key } of this.model.threads.values()) await player.eraseThread(key);
  }

  private at(thread: number): ModelThread | undefined {
    return [...this.model.threads.values()][thread % Math.max(1, this.model.threads.size)];
  }

  private async moveOut(id: string, threadKey: string): Promise<void> {
    const thread = this.model.threads.get(threadKey);
    if (thread === undefined) throw new Error(`a drain waits for ${threadKey}, which nobody began`);
    for (const format of outputs) if (headOf(thread).id === id) await this.replay(thread, format);
    const checkpoint = thread.checkpoints.find((one) => one.id === id);
    if (checkpoint?.state !== "active") return;
    await player.discard(id);
    checkpoint.state = "discarded";
  }

  private async issue({ thread, format }: Extract<Move, { kind: "issue" }>): Promise<void> {
    const tenantId = thread % 2 === 0 ? "acme" : "umbrella";
    const sessionId = `${this.name}-${thread}`;
    const known = this.model.threads.get(`${tenantId}:_:${sessionId}`);
    const id = await player.issue({
      key: { case: "identity", value: { tenantId, sessionId } },
      document: documentOf(format, `issue ${this.count}`),
      ...(known === undefined ? {} : { expectedHead: headOf(known).id }),
    });
    const key = `${tenantId}:_:${sessionId}`;
    expect(id !== undefined).toBe(this.model.mayIssue(key, tenantId, format));
    if (id !== undefined) this.model.append(key, tenantId, { id, format, state: "active" });
  }

  private async adopt({ thread, format, proved, old }: Extract<Move, { kind: "adopt" }>): Promise<void> {
    const tenant = thread % 2 === 0 ? "acme" : "umbrella";
    const key = `${tenant}:_:${this.name}a${this.count}${proved ? "" : ":more"}`;
    const id = await player.adopt({
      key: { case: "threadKey", value: key },
      derivation: "symfonic/9",
      document: documentOf(format, `adopt ${this.count}`),
      writtenTime: writtenTime(old),
    });
    const owner = proved ? tenant : undefined;
    expect(id !== undefined).toBe(this.model.mayAdopt(owner, format, old ? 0 : Number.POSITIVE_INFINITY));
    if (id === undefined) return;
    const checkpoint = { id, format, state: "active" as const };
    this.model.append(key, owner, checkpoint);
    this.model.adopted(owner, checkpoint);
  }

  private async replay(thread: ModelThread | undefined, format: string): Promise<void> {
    if (thread === undefined) return;
    const source = headOf(thread);
    if (source.state !== "active" || [opaqueFormat, expiredFormat].includes(source.format)) return;
    const id = await player.replay(thread.key, source.id, { format, head: source.id });
    expect(id !== undefined).toBe(this.model.mayReplay(thread, format));
    if (id === undefined) return;
    source.state = "retired";
    this.model.append(thread.key, thread.tenant, { id, format, state: "active" });
  }

  private async attribute(thread: ModelThread | undefined, tenant: string): Promise<void> {
    if (thread === undefined || !thread.key.endsWith(":more") || thread.tenant === tenant) return;
    await player.attribute(thread.key, tenant, thread.tenant);
    this.model.attributed(thread, tenant);
  }

  private async discard(thread: ModelThread | undefined): Promise<void> {
    if (thread === undefined) return;
    await player.discard(headOf(thread).id);
    headOf(thread).state = "discarded";
  }

  private async erase(thread: ModelThread | undefined): Promise<void> {
    if (thread === undefined) return;
    await player.eraseThread(thread.key);
    this.model.erase(thread);
  }

  private async eraseTenant(tenant: string): Promise<void> {
    await player.eraseTenant(tenant);
    for (const thread of [...this.model.threads.values()]) if (thread.tenant === tenant) this.model.erase(thread);
  }
}

/** The old process is not asked to finish anything: it is left, and another one serves the files. */
async function crash(): Promise<void> {
  lost.push(player);
  player = await openPlayer(player.folder);
}

function numbersOf(drain: Drain): Numbers {
  const { atFreeze, adoptedSince, drained, discarded, expired, terminalUnsafe, remaining, quarantined } = drain;
  return {
    atFreeze: Number(atFreeze),
    adoptedSince: Number(adoptedSince),
    drained: Number(drained),
    discarded: Number(discarded),
    expired: Number(expired),
    terminalUnsafe: Number(terminalUnsafe),
    remaining: Number(remaining),
    quarantined: Number(quarantined),
  };
}
