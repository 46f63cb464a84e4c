import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ReplayEntrySchema,
  ReplayResponseSchema,
} from "../../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { EntryKind, ReplayZone } from "../../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { responseEncoder } from "../../../src/transport/grpc/response-encoder.ts";

type EntryInit = MessageInitShape<typeof ReplayEntrySchema>;

const ids = fc.array(
  fc.string({ unit: "binary", maxLength: 200 }).filter((id) => id.isWellFormed()),
  { maxLength: 4 },
);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.integer({ min: 0, max: 70_000 }).map((length) => new Uint8Array(length).fill(0x61)),
);
const time = fc.record({
  seconds: fc.bigInt({ min: -(2n ** 35n), max: 2n ** 37n }),
  nanos: fc.integer({ min: 0, max: 999_999_999 }),
});
const entry = fc.record(
  {
    position: fc.oneof(fc.constantFrom(0n, 127n, 128n, 2n ** 32n), fc.bigInt({ min: 0n, max: 2n ** 53n - 1n })),
    kind: fc.constantFrom(EntryKind.UNSPECIFIED, EntryKind.USER, EntryKind.CALL, EntryKind.MARK),
    content,
    callIds: ids,
    recordTime: time,
  },
  { requiredKeys: [] },
);
const replayed = fc.record(
  {
    zone: fc.constantFrom(ReplayZone.UNSPECIFIED, ReplayZone.PREFIX, ReplayZone.VOID),
    entry,
    inDoubtCallIds: ids,
  },
  { requiredKeys: [] },
);

describe("the encoder of a replay's messages", () => {
  const encode = responseEncoder(ReplayResponseSchema);

  it("writes the very bytes that protobuf-es writes", () => {
    fc.assert(
      fc.property(fc.array(replayed, { maxLength: 40 }), (entries) => {
        const message = responseOf(entries);
        expect(encode(message).equals(toBinary(ReplayResponseSchema, message))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["no part", {}],
    ["a header", { part: { case: "header", value: { replayId: "r", prefixEntries: 3n } } }],
    ["a trailer", { part: { case: "trailer", value: { entries: 2n ** 60n, digest: new Uint8Array(32) } } }],
  ] as const)("leaves %s to protobuf-es", (_named, init) => {
    const message = create(ReplayResponseSchema, init);
    expect(encode(message).equals(toBinary(ReplayResponseSchema, message))).toBe(true);
  });
});

function responseOf(entries: readonly EntryInit[]) {
  return create(ReplayResponseSchema, { part: { case: "entries", value: { entries: [...entries] } } });
}
