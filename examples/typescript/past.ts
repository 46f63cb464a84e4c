import { isDeepStrictEqual } from "node:util";
import { type ReplayEntry, type ReplayResponse, ReplayZone } from "fermata";
import type { Call, Message } from "./world.ts";

/** What a replay tells of a turn that was cut short. */
export interface Past {
  readonly replayId: string;
  /** The checkpoint that is replayed. */
  readonly source: string;
  /** What to go on from: the prefix and the inputs that are driven again. */
  readonly history: readonly Message[];
  /** The evidence: results by the ids of their calls. */
  readonly results: ReadonlyMap<string, Message>;
  readonly inDoubt: ReadonlySet<string>;
  /** The calls that happened or may have, in order, and were not made again yet. */
  readonly calls: Call[];
}

/** Reads a replay to its trailer: a part of it may not be used. */
export async function readReplay(stream: AsyncIterable<ReplayResponse>): Promise<Past> {
  const entries: ReplayEntry[] = [];
  const known = { replayId: "", source: "", announced: -1 };
  for await (const { part } of stream) {
    if (part.case === "header") known.replayId = part.value.replayId;
    if (part.case === "header") known.source = part.value.source?.ref?.checkpointId ?? "";
    if (part.case === "entries") entries.push(...part.value.entries);
    if (part.case === "trailer") known.announced = Number(part.value.entries);
  }
  if (known.announced !== entries.length) throw new Error("the replay is not whole");
  const read = (zones: readonly ReplayZone[]) => entries.filter(({ zone }) => zones.includes(zone)).map(messageOf);
  const evidence = read([ReplayZone.EVIDENCE]);
  const results = new Map(
    evidence.flatMap((message) => (message.tool_call_id ? [[message.tool_call_id, message]] : [])),
  );
  const inDoubt = new Set(entries.flatMap(({ inDoubtCallIds }) => inDoubtCallIds));
  const calls = read([ReplayZone.EVIDENCE, ReplayZone.VOID]).flatMap((message) => message.tool_calls ?? []);
  return {
    ...known,
    history: [...read([ReplayZone.PREFIX]), ...read([ReplayZone.RE_DRIVE])],
    results,
    inDoubt,
    calls: calls.filter(({ id }) => results.has(id) || inDoubt.has(id)),
  };
}

/** The same call as it was made before the crash: it keeps its id of then, by which its tool knows it. Undefined: it is new. */
export function takeOver(past: Past, call: Call): Call | undefined {
  const at = past.calls.findIndex((old) => isDeepStrictEqual(meaning(old), meaning(call)));
  return at < 0 ? undefined : past.calls.splice(at, 1)[0];
}

function meaning({ function: called }: Call): unknown {
  return [called.name, JSON.parse(called.arguments)];
}

function messageOf({ entry }: ReplayEntry): Message {
  return JSON.parse(new TextDecoder().decode(entry?.content));
}
