import { Command } from "commander";
import { nearest } from "../config/nearest.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { quiet, strong } from "./style.ts";
import { type Entry, entries } from "./taxonomy.ts";

/** `fermata explain`: what a refusal means and what to do, from the same proto that the refusal comes from. */
export function explain(): Command {
  return new Command("explain")
    .description("Say what a refusal means and what to do; without a reason, list all")
    .argument("[reason]", "a leaf, a cause, leaf.cause, a parent, a remedy, or a part of one; upper or lower case")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  fermata explain HEAD_CONFLICT\n  fermata explain checkpoint_format.corrupt")
    .action((reason: string | undefined, { json }: { readonly json?: true }) => {
      const found = reason === undefined ? entries : search(reason);
      if (found.length === 0) throw new CommandEnd(exitCodes.usage, nothing(reason ?? ""));
      process.stdout.write(json === true ? `${JSON.stringify(found, null, 2)}\n` : toText(found));
    });
}

/** The entries of a reason: by leaf and cause, by either, by parent or remedy, else by a part of the name. */
export function search(reason: string): readonly Entry[] {
  const [first = "", second] = reason.toUpperCase().replaceAll("-", "_").match(/\w+/g) ?? [];
  const cause = second ?? first;
  const rules: readonly ((entry: Entry) => boolean)[] = [
    (entry) => second !== undefined && entry.reason === first && entry.cause === withoutCause(cause),
    (entry) => second === undefined && entry.reason === first,
    (entry) => second === undefined && entry.cause === withoutCause(first),
    (entry) => second === undefined && (entry.remedy === first || entry.parents.includes(first)),
    (entry) => second === undefined && first !== "" && nameOf(entry).includes(first),
  ];
  return rules.map((rule) => entries.filter(rule)).find((found) => found.length > 0) ?? [];
}

function withoutCause(name: string): string {
  return name.replace(/^(CAUSE|DIRECTION)_/, "");
}

function nameOf({ reason, cause }: Entry): string {
  return cause === undefined ? reason : `${reason}.${cause}`;
}

function nothing(reason: string): string {
  const names = entries.flatMap((entry) => [entry.reason, entry.cause ?? entry.reason, entry.remedy]);
  const meant = nearest(reason, names);
  const hint = meant === undefined ? "`fermata explain` lists all" : `did you mean ${meant}?`;
  return `no refusal is called ${JSON.stringify(reason)}: ${hint}`;
}

/** One refusal in full with its causes below; several as a list. */
function toText(found: readonly Entry[]): string {
  const reasons = new Set(found.map((entry) => entry.reason));
  const [only] = found;
  return reasons.size === 1 && only !== undefined ? inFull(only, found.slice(1)) : found.map(inLine).join("");
}

function inFull(entry: Entry, causes: readonly Entry[]): string {
  const rows: readonly (readonly [string, string])[] = [
    ["parents", entry.parents.join(", ") || "none"],
    ["code", `${entry.codeName} (${entry.code}); the command line ends with ${8 + entry.code}`],
    ["remedy", entry.remedy],
    ["text", entry.text],
    ["to do", entry.advice],
    ["fixed by", entry.fixedBy],
    ["facts", entry.facts.join(", ") || "none"],
  ];
  const lines = rows.map(([label, text]) => `  ${quiet(label.padEnd(9))} ${text}\n`).join("");
  return `${strong(nameOf(entry))}\n${lines}${causes.map(causeText).join("")}`;
}

function causeText({ cause, text, advice, remedy }: Entry): string {
  return `\n  ${strong(cause ?? "")}  ${quiet(remedy)}\n    ${text}\n    ${advice}\n`;
}

function inLine(entry: Entry): string {
  const name = entry.cause === undefined ? strong(entry.reason) : `  ${entry.cause}`;
  return `${name}  ${quiet(`${entry.codeName} (${entry.code}), ${entry.remedy}`)}\n`;
}
