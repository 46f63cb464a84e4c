import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type Boundary,
  BoundaryKindSchema,
  type Checkpoint,
  CheckpointStateSchema,
  OriginSchema,
} from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import { printable, quiet, strong } from "./style.ts";

/** The facts of a checkpoint, a line each, for a person. */
export function showCheckpoint({ ref, host, ...checkpoint }: Checkpoint): string {
  const runtime = [host?.runtime, host?.version, host?.model].filter(Boolean).join(" ");
  return [
    row("checkpoint", strong(ref?.checkpointId ?? "")),
    row("thread", printable(ref?.threadKey ?? "")),
    row("tenant", ref?.quarantined ? "not proved: the key is quarantined" : printable(ref?.tenantId ?? "not recorded")),
    row("position", String(ref?.sequence ?? 0)),
    row("format", `${checkpoint.format}${endText(checkpoint.supportedUntil)}`),
    row("state", `${stateName(checkpoint)}, ${originName(checkpoint)} ${timeText(checkpoint.createTime)}`),
    row(
      "document",
      `${checkpoint.payloadBytes} bytes, SHA-256 ${Buffer.from(checkpoint.payloadDigest).toString("hex")}`,
    ),
    ...(checkpoint.parentCheckpointId === undefined ? [] : [row("parent", checkpoint.parentCheckpointId)]),
    ...(checkpoint.sourceCheckpointId === undefined ? [] : [row("replay of", checkpoint.sourceCheckpointId)]),
    ...(runtime === "" ? [] : [row("host", printable(runtime))]),
  ].join("");
}

/** One checkpoint on one line. */
export function checkpointLine(checkpoint: Checkpoint): string {
  const { ref, format, payloadBytes, createTime } = checkpoint;
  const position = String(ref?.sequence ?? 0).padStart(5);
  return `${position}  ${ref?.checkpointId}  ${timeText(createTime)}  ${stateName(checkpoint)}  ${format}  ${payloadBytes} bytes\n`;
}

/** A boundary in words. */
export function boundaryText({ kind, proof, entries }: Boundary): string {
  const name = nameOf(BoundaryKindSchema, kind, "BOUNDARY_KIND_");
  return `${name.replaceAll("_", " ")} after ${entries} entries (${printable(proof)})`;
}

/** An instant as a person reads it and a machine does. */
export function timeText(time: Timestamp | undefined): string {
  return time === undefined ? "" : timestampDate(time).toISOString();
}

function row(label: string, value: string): string {
  return `${quiet(label.padEnd(11))} ${value}\n`;
}

function endText(end: Timestamp | undefined): string {
  return end === undefined ? "" : `, supported until ${timeText(end)}`;
}

function stateName({ state }: Pick<Checkpoint, "state">): string {
  return nameOf(CheckpointStateSchema, state, "CHECKPOINT_STATE_");
}

function originName({ origin }: Pick<Checkpoint, "origin">): string {
  return nameOf(OriginSchema, origin, "ORIGIN_");
}

interface Names {
  readonly values: readonly { readonly number: number; readonly name: string }[];
}

function nameOf({ values }: Names, value: number, prefix: string): string {
  const name = values.find(({ number }) => number === value)?.name ?? String(value);
  return name.replace(prefix, "").toLowerCase();
}
