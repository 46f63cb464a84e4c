import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { file_fermata_refusal_v1_refusal } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { leafClasses } from "../../tools/class-names.ts";
import { readTaxonomy } from "../../tools/taxonomy.ts";
import { describeWith, root, runOk } from "../interop/programs.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type Started, start } from "../trial/sidecar.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = temporaryFolder();
const checkout = join(folder.path, "checkout");
const minutes = 60_000;
let sidecar: Started;

beforeAll(async () => {
  mirrorCheckout();
  sidecar = await start({ folder: folder.path });
}, minutes);
afterAll(async () => {
  await sidecar.stop();
  folder.remove();
});

describeWith("python3", ["-m", "venv", "--help"], () => {
  it("sends each mail once from a Python loop that is killed", () => runBlock("python-1"), 3 * minutes);
  it("sends each mail once from a LangChain agent that is killed", () => runBlock("langchain-1"), 3 * minutes);
});

describeWith("go", ["version"], () => {
  it("sends each mail once from a Go loop that is killed", () => runBlock("go-1"), 3 * minutes);
  it(
    "has Go that is formatted and clean to go vet",
    async () => {
      const cwd = join(root, "examples/go");
      expect(await runOk("gofmt", ["-l", "."], { cwd })).toBe("");
      await runOk("go", ["vet", "./..."], { cwd });
    },
    minutes,
  );
});

describeWith("npm", ["--version"], () => {
  it(
    "sends each mail once from a TypeScript loop that is killed",
    async () => {
      await runBlock("ts-1");
      const options =
        "--noEmit --target es2024 --module nodenext --strict --noUncheckedIndexedAccess --erasableSyntaxOnly";
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      const types = [
        "--allowImportingTsExtensions",
        "--types",
        "node",
        "--typeRoots",
        join(root, "node_modules/@types"),
      ];
      const cwd = join(folder.path, "ts-host");
      await runOk(process.execPath, [compiler, ...options.split(" "), ...types, "loop.ts"], { cwd });
    },
    3 * minutes,
  );
});

describe("docs/hosts.md", () => {
  it("tells what an agent does about each class of the taxonomy", () => {
    const table = readFileSync(join(root, "docs/hosts.md"), "utf8");
    const classes = leafClasses(readTaxonomy(file_fermata_refusal_v1_refusal));
    expect(classes.length).toBeGreaterThan(20);
    expect(classes.filter(({ name }) => !table.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([]);
  });
});

describe("the examples", () => {
  it.each(["python", "langchain", "go", "typescript"])("have fewer than 80 lines in all of %s", (example) => {
    const files = globSync("*.{py,go,ts}", { cwd: join(root, "examples", example) });
    expect(files).not.toEqual([]);
    const lines = files.flatMap((file) =>
      readFileSync(join(root, "examples", example, file), "utf8")
        .trimEnd()
        .split("\n"),
    );
    expect(lines.length).toBeLessThan(80);
  });
});

/** A checkout to run the README's commands in: what they write goes beside it. The examples are copies, all else is this one. */
function mirrorCheckout(): void {
  mkdirSync(checkout);
  // Made before the links: what the commands write into these shows in both.
  for (const made of [".venv", "dist"]) mkdirSync(join(root, made), { recursive: true });
  for (const entry of readdirSync(root)) {
    if (entry === "examples") cpSync(join(root, entry), join(checkout, entry), { recursive: true });
    else if (entry !== ".git" && !entry.endsWith(".log")) symlinkSync(join(root, entry), join(checkout, entry));
  }
}

/**
 * Runs the README's commands around this session. Then once more for a session whose last mail had not gone out when its host was killed, as
 * far as anybody can tell afterwards, and whose second host sends it and is killed, too.
 */
async function runBlock(session: string): Promise<void> {
  const block = commandsFor(session);
  const closing = block.filter((line) => line === ")"); // What is added here runs inside the block's subshell, too.
  const commands = block.filter((line) => line !== ")");
  const unsent = session.replace("-1", "-2");
  const again = commands
    .filter((command) => command.includes(session))
    .map((command) => command.replaceAll(session, unsent));
  const note = (name: string) => `cp ${name}.log ${name}.killed`;
  const script = [
    "set -e",
    "unset $(compgen -v npm_)", // of the npm that runs the tests
    ...commands.flatMap((command) => (isCrash(command) ? [...killed(command, session), note(session)] : [command])),
    `${resume(session)} > ${session}.json`,
    ...again.flatMap((command) => {
      const kill = killed(command, unsent);
      return isCrash(command)
        ? [...kill, `sed -i '$d' ${unsent}.log`, note(unsent), `! ${command} || exit 99`]
        : [command];
    }),
    `${resume(unsent)} > ${unsent}.json`,
    ...closing,
  ];
  await runOk("bash", ["-c", script.join("\n")], { cwd: checkout, env: environment() });
  expectEachMailOnce(session, ["ann", "bob"]);
  expectEachMailOnce(unsent, ["ann"]);
}

function commandsFor(session: string): readonly string[] {
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const block = blocks.find((commands) => commands.includes(` ${session} crash\n`));
  if (block === undefined) throw new Error(`the README runs no host of ${session}`);
  return block.trim().split("\n");
}

function isCrash(command: string): boolean {
  return command.endsWith(" crash");
}

/** A command that has to end badly, and to leave a state that Resume refuses. */
function killed(command: string, session: string): readonly string[] {
  return [`! ${command} || exit 97`, `! ${resume(session)} 2> ${session}.refused || exit 98`];
}

function resume(session: string): string {
  return `${join(root, "bin/fermata")} resume --target "$FERMATA_TARGET" --tenant acme --session ${session}`;
}

function environment(): Readonly<Record<string, string>> {
  return {
    FERMATA_TARGET: sidecar.address,
    PIP_CONSTRAINT: join(root, "clients/python/requirements-test.txt"),
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    NPM_CONFIG_AUDIT: "false",
    NPM_CONFIG_FUND: "false",
    NPM_CONFIG_PREFER_OFFLINE: "true",
  };
}

/** To these the mails were out when it was killed; in the end to both, once, and the stored turn knows of just these two calls. */
function expectEachMailOnce(session: string, before: readonly string[]): void {
  const left = (kind: string) =>
    readFileSync(join(folder.path, globSync(`*/${session}.${kind}`, { cwd: folder.path })[0] ?? kind), "utf8");
  const [killed, log] = [mailsOf(left("killed")), mailsOf(left("log"))];
  expect(left("refused")).toMatch(/leaf +UNSAFE_BOUNDARY\n/);
  expect(killed.map(({ to }) => to)).toEqual(before);
  expect(log.map(({ to }) => to)).toEqual(["ann", "bob"]);
  expect(log.slice(0, killed.length)).toEqual(killed);
  const entries: readonly Entry[] = JSON.parse(left("json"));
  expect(entries.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant"]);
  expect(entries.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id)).toEqual(log.map(({ id }) => id));
}

interface Entry {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}

function mailsOf(log: string): readonly { readonly id: string; readonly to: string }[] {
  const lines = log.trim().split("\n");
  return lines.map((line) => line.split(" ")).map(([id = "", to = ""]) => ({ id, to }));
}
