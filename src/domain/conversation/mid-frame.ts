import { create } from "@bufbuild/protobuf";
import { type UnsafeBoundary, UnsafeBoundarySchema } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { utf8Length } from "../short-text.ts";
import type { Verdict } from "./judge.ts";

/** What Issue says beside a checkpoint that stands mid-frame. It is kept with the first answer, so its lists are samples. */
export function midFrameSample(
  { unsafe }: Extract<Verdict, { kind: "midFrame" }>,
  checkpointId: string,
): UnsafeBoundary {
  const whole = create(UnsafeBoundarySchema, { ...unsafe, checkpointId });
  return {
    ...whole,
    ...(whole.openCalls === undefined ? {} : { openCalls: sample(whole.openCalls) }),
    ...(whole.completedCalls === undefined ? {} : { completedCalls: sample(whole.completedCalls) }),
  };
}

type Names = NonNullable<UnsafeBoundary["openCalls"]>;

const maxNames = 16;
const maxBytes = 1024;

/** The first names in entry order; none is cut, and one that does not fit only counts. */
function sample(names: Names): Names {
  const kept: string[] = [];
  let room = maxBytes;
  for (const name of names.names.slice(0, maxNames)) {
    const bytes = utf8Length(name);
    if (bytes > room) continue;
    kept.push(name);
    room -= bytes;
  }
  return { ...names, names: kept };
}
