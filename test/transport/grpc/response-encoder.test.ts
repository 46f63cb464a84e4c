import { create, type DescMessage, type DescService, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConversationService } from "../../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  PaletteService,
  ResolveResponseSchema,
  VerifyCallsResponseSchema,
} from "../../../src/gen/fermata/palette/v1/palette_service_pb.ts";
import { SkillService } from "../../../src/gen/fermata/skill/v1/skill_service_pb.ts";
import { ServerReflectionResponseSchema } from "../../../src/gen/grpc/reflection/v1/reflection_pb.ts";
import { HealthCheckResponseSchema } from "../../../src/gen/health/v1/health_pb.ts";
import { responseEncoder } from "../../../src/transport/grpc/response-encoder.ts";
import { anyMessage } from "./arbitrary-message.ts";

const services: readonly DescService[] = [PaletteService, ConversationService, SkillService];
const answers = new Map<string, DescMessage>(
  [
    ...services.flatMap(({ methods }) => methods.map(({ output }) => output)),
    HealthCheckResponseSchema,
    ServerReflectionResponseSchema,
  ].map((schema) => [schema.typeName, schema]),
);

describe("the encoder of answers", () => {
  it.each([...answers.values()].map((schema) => [schema.typeName, schema] as const))(
    "writes the very bytes that protobuf-es writes: %s",
    (_name, schema) => {
      const encode = responseEncoder(schema);
      fc.assert(
        fc.property(anyMessage(schema), (message) => {
          expect(encode(message).equals(toBinary(schema, message))).toBe(true);
        }),
        { numRuns: 400 },
      );
    },
  );

  it("hands out bytes that the next message does not touch", () => {
    const encode = responseEncoder(ResolveResponseSchema);
    const answerOf = (name: string) =>
      create(ResolveResponseSchema, { palette: { offer: { case: "explicit", value: { names: [name] } } } });
    const first = encode(answerOf("first"));
    const copy = Buffer.from(first);
    encode(answerOf("second".repeat(1_000_000)));
    encode(answerOf("third"));
    expect(first.equals(copy)).toBe(true);
  });

  it.each([
    ["a number where a text belongs", { palette: { offer: { case: "explicit", value: { names: [7] } } } }],
    ["a message of another type", { palette: create(VerifyCallsResponseSchema) }],
    ["a text where a message belongs", { decision: "yes" }],
    ["a text where a truth belongs", { forceSatisfied: "yes" }],
    ["no list", { palette: { offer: { case: "explicit", value: { names: "all" } } } }],
  ])("throws at %s, and writes the next answer all the same", (_what, wrong) => {
    const encode = responseEncoder(ResolveResponseSchema);
    const right = create(ResolveResponseSchema, { forceSatisfied: true });
    // A handler with a bug does not keep to its types.
    expect(() => encode({ ...right, ...deep(wrong) } as never)).toThrow(TypeError);
    expect(encode(right).equals(toBinary(ResolveResponseSchema, right))).toBe(true);
  });
});

/** Plain objects as the messages that they are meant to be. */
function deep(wrong: object): object {
  if (!("palette" in wrong) || typeof wrong.palette !== "object" || wrong.palette === null) return wrong;
  if ("$typeName" in wrong.palette) return wrong;
  const palette = create(ResolveResponseSchema, { palette: { offer: { case: "explicit", value: {} } } }).palette;
  const { offer } = wrong.palette as { readonly offer: { readonly value: object } };
  return { palette: { ...palette, offer: { case: "explicit", value: { ...palette?.offer.value, ...offer.value } } } };
}
