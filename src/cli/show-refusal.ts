import { type JsonObject, toJson } from "@bufbuild/protobuf";
import type { Ending } from "../client.ts";
import type { Leaf } from "../domain/outcome.ts";
import { RefusalSchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { Code } from "../gen/google/rpc/code_pb.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { bad, printable, quiet } from "./style.ts";
import { codeName, entryFor, remedyName } from "./taxonomy.ts";

/** How a command ends that was refused: for a person on stderr, for a script as JSON on stdout. The code is 8 plus the gRPC code. */
export function refused(ending: Ending, where: string, json: boolean): CommandEnd {
  if (isUnreachable(ending)) return new CommandEnd(exitCodes.unreachable, `${where} does not answer: ${ending.text}`);
  const code = 8 + ending.code;
  if (!json) return new CommandEnd(code, toText(ending));
  process.stdout.write(`${JSON.stringify(toJsonAnswer(ending), null, 2)}\n`);
  return new CommandEnd(code, "");
}

/** A bare UNAVAILABLE or DEADLINE_EXCEEDED is made on this side: nobody answered at all. */
function isUnreachable({ code, refusal }: Ending): boolean {
  return refusal === undefined && (code === Code.UNAVAILABLE || code === Code.DEADLINE_EXCEEDED);
}

function toJsonAnswer({ code, text, refusal }: Ending): JsonObject {
  return { code, codeName: codeName(code), text, ...(refusal && { refusal: toJson(RefusalSchema, refusal) }) };
}

function toText(ending: Ending): string {
  const rows = ending.refusal === undefined ? [] : rowsOf(ending.refusal);
  const lines = [...rows, ["code", `${codeName(ending.code)} (${ending.code})`]];
  const text = lines.map(([label = "", value]) => `\n  ${quiet(label.padEnd(8))} ${value}`).join("");
  return `${bad("refused")}: ${ending.text}${text}`;
}

function rowsOf({ leaf, remedy }: NonNullable<Ending["refusal"]>): readonly (readonly string[])[] {
  if (leaf.case === undefined)
    return [
      ["leaf", "one that this version does not know"],
      ["remedy", remedyName(remedy)],
    ];
  const entry = entryFor(leaf);
  return [
    ["leaf", entry?.reason ?? leaf.case],
    ...(entry?.cause === undefined ? [] : [["cause", entry.cause]]),
    ["remedy", remedyName(remedy)],
    ["to do", entry?.advice ?? ""],
    ...factRows(leaf),
  ];
}

/** The facts as the contract names them; the cause has a row of its own. */
function factRows(leaf: Leaf): readonly (readonly string[])[] {
  const members = Object.entries(
    Object(toJson(RefusalSchema, { $typeName: "fermata.refusal.v1.Refusal", leaf, remedy: 0 }))[leaf.case],
  );
  return members.filter(([name]) => name !== "cause").map(([name, value]) => ["", `${name}: ${factText(value)}`]);
}

function factText(value: unknown): string {
  const { names, total } = Object(value);
  if (!Array.isArray(names)) return printable(typeof value === "string" ? value : JSON.stringify(value));
  const more = total > names.length ? ` and ${total - names.length} more` : "";
  return `${names.map(printable).join(", ")}${more}`;
}
