import type { ReplayEntry, ReplayHeader } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { ReplayZone } from "../gen/fermata/conversation/v1/transcript_pb.ts";
import { boundaryText } from "./show-checkpoint.ts";
import { entryText } from "./show-entry.ts";
import { bad, good, printable, quiet, strong } from "./style.ts";

/** A replay as a strip with a letter for each entry and a bar at the boundary, and below it what is not simply taken over. */
export function drawZones(header: ReplayHeader, entries: readonly ReplayEntry[]): string {
  const boundary = header.boundary === undefined ? "" : boundaryText(header.boundary);
  const title = `replay of ${strong(header.source?.ref?.checkpointId ?? "")} from ${boundary}\n`;
  return `${title}${quiet(`replay id ${header.replayId}`)}\n\n${strip(entries)}\n${quiet(legend)}\n${tail(entries)}${doubts(entries)}`;
}

const perRow = 32;
const longest = 4 * perRow;
const legend = "P prefix: take it over  R drive it again  E evidence: use the result  V void: leave it  ? in doubt";

function strip(entries: readonly ReplayEntry[]): string {
  const from = Math.max(0, entries.length - longest);
  const left = from === 0 ? "" : `  ${quiet(`(${from} entries before)`)}\n`;
  const rows = Array.from({ length: Math.ceil((entries.length - from) / perRow) }, (_, row) => from + row * perRow);
  return left + rows.map((first) => rowText(entries.slice(first, first + perRow), first, entries)).join("");
}

function rowText(row: readonly ReplayEntry[], first: number, entries: readonly ReplayEntry[]): string {
  const cells = row.map((entry, at) => {
    const ends = entry.zone === ReplayZone.PREFIX && entries[first + at + 1]?.zone !== ReplayZone.PREFIX;
    return `${letterOf(entry)}${ends ? good("|") : entry.inDoubtCallIds.length > 0 ? bad("?") : " "}`;
  });
  return `${quiet(String(first).padStart(6))}  ${cells.join("")}\n`;
}

function letterOf({ zone }: ReplayEntry): string {
  return letters.get(zone) ?? "?";
}

const letters: ReadonlyMap<ReplayZone, string> = new Map([
  [ReplayZone.PREFIX, "P"],
  [ReplayZone.RE_DRIVE, "R"],
  [ReplayZone.EVIDENCE, "E"],
  [ReplayZone.VOID, "V"],
]);

const sections: readonly (readonly [ReplayZone, string])[] = [
  [ReplayZone.RE_DRIVE, "drive again"],
  [ReplayZone.EVIDENCE, "evidence: it happened, use its result"],
  [ReplayZone.VOID, "void: leave it"],
];

function tail(entries: readonly ReplayEntry[]): string {
  return sections
    .map(([zone, title]) => {
      const found = entries.filter((entry) => entry.zone === zone);
      const lines = found.slice(0, longest).map(({ entry }) => (entry === undefined ? "" : `${entryText(entry)}\n`));
      const more = found.length > longest ? quiet(`      and ${found.length - longest} more\n`) : "";
      return found.length === 0 ? "" : `\n${strong(title)}\n${lines.join("")}${more}`;
    })
    .join("");
}

function doubts(entries: readonly ReplayEntry[]): string {
  const lines = entries.flatMap(({ entry, inDoubtCallIds }) =>
    inDoubtCallIds.map((id) => `${String(entry?.position ?? 0n).padStart(6)}  ${bad(printable(id))}\n`),
  );
  if (lines.length === 0) return "";
  return `\n${strong("in doubt: may have run, never run again without asking the tool or a person")}\n${lines.join("")}`;
}
