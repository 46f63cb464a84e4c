import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  ReplayEntriesSchema,
  type ReplayEntry,
  ReplayEntrySchema,
  type ReplayResponse,
  ReplayResponseSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type TranscriptEntry, TranscriptEntrySchema } from "../../gen/fermata/conversation/v1/transcript_pb.ts";
import { BackwardWriter } from "./backward-writer.ts";

/** Turns an answer's message into its bytes. */
export type ResponseEncoder = (message: Message) => Buffer;

/**
 * The encoder of a method's answers. A replay's entries, up to 1 MiB in a message, are written once into a buffer of their size: protobuf-es
 * moves them six times while its buffer and their lengths grow, and that much garbage costs a replay more than reading it.
 */
export function responseEncoder(schema: DescMessage): ResponseEncoder {
  if (schema.typeName !== ReplayResponseSchema.typeName) return (message) => plain(schema, message);
  return (message) => {
    const { part } = message as ReplayResponse; // it has the schema's name
    return part.case === "entries" ? packed(part.value.entries) : plain(schema, message);
  };
}

function plain(schema: DescMessage, message: Message): Buffer {
  const bytes = toBinary(schema, message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const replayed = ReplayEntrySchema.field;
const shown = TranscriptEntrySchema.field;

function packed(entries: readonly ReplayEntry[]): Buffer {
  const writer = new BackwardWriter(entries.reduce((room, entry) => room + roomFor(entry), 16));
  const end = writer.left;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const { entry, zone, inDoubtCallIds } = entries[at] as ReplayEntry; // `at` is inside the list
    const entryEnd = writer.left;
    writer.texts(replayed.inDoubtCallIds, inDoubtCallIds);
    if (entry !== undefined) writeEntry(writer, entry);
    writer.number(replayed.zone, zone);
    writer.nested(ReplayEntriesSchema.field.entries, entryEnd);
  }
  writer.nested(ReplayResponseSchema.field.entries, end);
  return writer.written();
}

function writeEntry(writer: BackwardWriter, { position, kind, content, callIds, recordTime }: TranscriptEntry): void {
  const end = writer.left;
  if (recordTime !== undefined) writer.bytes(shown.recordTime, toBinary(TimestampSchema, recordTime));
  writer.texts(shown.callIds, callIds);
  if (content.length > 0) writer.bytes(shown.content, content);
  writer.number(shown.kind, kind);
  writer.number(shown.position, Number(position));
  writer.nested(replayed.entry, end);
}

/** The most that an entry takes: its content, its ids, and tags, lengths and numbers of at most 64 bytes. */
function roomFor({ entry, inDoubtCallIds }: ReplayEntry): number {
  return 64 + (entry?.content.length ?? 0) + idsRoom(inDoubtCallIds) + idsRoom(entry?.callIds ?? []);
}

/** A UTF-16 unit takes at most three bytes in UTF-8. */
function idsRoom(ids: readonly string[]): number {
  return ids.reduce((room, id) => room + 6 + 3 * id.length, 0);
}
