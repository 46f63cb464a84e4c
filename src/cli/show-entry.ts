import { EntryKindSchema, type TranscriptEntry } from "../gen/fermata/conversation/v1/transcript_pb.ts";
import { printable } from "./style.ts";

const contentWidth = 100;

/** An entry on one line: its position, its kind and how its content begins. */
export function entryText({ position, kind, content }: TranscriptEntry): string {
  const name = EntryKindSchema.values.find(({ number }) => number === kind)?.name ?? String(kind);
  const kindName = name.replace("ENTRY_KIND_", "").toLowerCase();
  return `${String(position).padStart(6)}  ${kindName.padEnd(9)}  ${beginning(content)}`;
}

function beginning(content: Uint8Array): string {
  const text = printable(Buffer.from(content.subarray(0, 4 * contentWidth)).toString("utf8"));
  const cut = content.length > 4 * contentWidth || text.length > contentWidth;
  return cut ? `${text.slice(0, contentWidth)}…` : text;
}
