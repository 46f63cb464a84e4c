import type { DescField } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { type Facts, type LeafCase, type Refusal, refuse } from "../../src/domain/outcome.ts";
import type { LeafDescription } from "../../src/domain/refusal-rule.ts";

type Init = Record<string, unknown>;

/** Text of every plane, with control characters, percent signs, lone surrogates, and far longer than a status can carry. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.nat({ max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("%", "%%%", "%41", "𝄐".repeat(300), "\u0000".repeat(300), "\ud800".repeat(300), "%".repeat(300)),
  fc.constantFrom("a\r\nb", "a\u2028b\u2029c\u0085d", "\u202e", "grpc-status: 0", "{forced_tool}", "$&", "$1"),
  fc.constantFrom("\uffff".repeat(200), "é".repeat(200), "x".repeat(10_000), "", " ", "\t"),
);

/** A refusal of this leaf whose facts are anything that the types allow; only what the proto says to be always set is. */
export function anyRefusalOf(leaf: LeafDescription): fc.Arbitrary<Refusal> {
  const facts = Object.fromEntries(leaf.message.fields.map((field) => [field.localName, factOf(field, leaf)]));
  // Fields are generated from the leaf's own descriptor.
  return fc.record(facts).map((init) => refuse(leaf.leafCase, withoutAbsent(init) as Facts<LeafCase>));
}

const anyName = fc.oneof(anyText, fc.string({ unit: "grapheme", minLength: 1, maxLength: 64 }));
const anyNames = fc.oneof(
  fc.array(anyName, { maxLength: 40 }),
  fc
    .constantFrom("𝄐".repeat(32), "\u0001".repeat(128), "%".repeat(128), "x".repeat(128), "\ufffd".repeat(42))
    .map((name) => Array.from({ length: 10_000 }, () => name)),
);
const anySeconds = fc.bigInt({ min: 0n, max: 315_576_000_000n });
const anyNanos = fc.nat({ max: 999_999_999 });

/** Checked at the start of a sidecar: at most 128 bytes of printable text, never empty. */
const anySupportRoute = fc.oneof(
  fc.constantFrom("https://support.example/agents", "mailto:help@support.example", "#agents-help", "𝄐".repeat(32)),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 128 }),
  fc.webUrl().filter((url) => url.length <= 128),
);

function factOf(field: DescField, leaf: LeafDescription): fc.Arbitrary<unknown> {
  if (field === leaf.cause) return fc.constantFrom(...leaf.cause.enum.values.slice(1).map(({ number }) => number));
  if (field.name === "support_route") return anySupportRoute;
  if (field.fieldKind === "list" && field.listKind === "scalar") return anyNames;
  if (field.fieldKind === "list" && field.listKind === "message")
    return fc.array(anyMessage(field.message), { minLength: 1, maxLength: 9 });
  if (field.fieldKind === "enum") return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  if (field.fieldKind === "message") {
    const always = field.name === "retry_delay" || field.name === "expire_time";
    return always ? anyMessage(field.message) : fc.option(anyMessage(field.message), { nil: undefined });
  }
  if (field.fieldKind !== "scalar") throw new Error(`no arbitrary for ${field.name}`);
  return field.proto.proto3Optional ? fc.option(anyScalar(field.scalar), { nil: undefined }) : anyScalar(field.scalar);
}

function anyMessage({
  typeName,
  fields,
}: {
  readonly typeName: string;
  readonly fields: readonly DescField[];
}): fc.Arbitrary<Init> {
  switch (typeName) {
    case "fermata.refusal.v1.NameSample":
      return fc.record({ names: anyNames, total: fc.nat({ max: 2 ** 31 }) });
    case "google.protobuf.Timestamp":
      return fc.record({ seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }), nanos: anyNanos });
    case "google.protobuf.Duration":
      return fc.record({ seconds: anySeconds, nanos: anyNanos });
  }
  return fc.record(Object.fromEntries(fields.map((field) => [field.localName, anyText])));
}

function anyScalar(scalar: ScalarType): fc.Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.STRING:
      return anyText;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.UINT32:
      return fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 32 - 1));
    case ScalarType.UINT64:
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  }
  throw new Error(`no arbitrary for scalar ${scalar}`);
}

function withoutAbsent(init: Init): Init {
  return Object.fromEntries(Object.entries(init).filter(([, value]) => value !== undefined));
}
