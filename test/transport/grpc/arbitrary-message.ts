import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";

/** Any message of a type, down to this depth: every field is unset, or anything that its type allows. */
export function anyMessage(schema: DescMessage, depth = 4): fc.Arbitrary<Message> {
  const members = schema.members.map((member) =>
    member.kind === "oneof"
      ? choice(member.fields, depth).map((chosen) => [member.localName, chosen] as const)
      : fc.option(anyValue(member, depth), { nil: undefined }).map((value) => [member.localName, value] as const),
  );
  return fc
    .tuple(...members)
    .map((pairs) => create(schema, Object.fromEntries(pairs.filter(([, value]) => value !== undefined))));
}

function choice(fields: readonly DescField[], depth: number): fc.Arbitrary<object | undefined> {
  const cases = fields.map((field) => anyValue(field, depth).map((value) => ({ case: field.localName, value })));
  return fc.oneof(fc.constant(undefined), ...cases);
}

function anyValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  const maxLength = depth > 2 ? 6 : 2;
  switch (field.fieldKind) {
    case "message":
      return depth === 0 ? fc.constant(create(field.message)) : anyMessage(field.message, depth - 1);
    case "enum":
      return fc.constantFrom(...field.enum.values.map(({ number }) => number));
    case "scalar":
      return anyScalar(field.scalar);
    case "list":
      return fc.array(anyElement(field, depth), { maxLength });
    case "map":
      return fc.dictionary(anyText, anyText, { maxKeys: 5 });
  }
}

function anyElement(field: DescField & { fieldKind: "list" }, depth: number): fc.Arbitrary<unknown> {
  if (field.listKind === "message")
    return depth === 0 ? fc.constant(create(field.message)) : anyMessage(field.message, depth - 1);
  if (field.listKind === "enum") return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  return anyScalar(field.scalar);
}

const anyText = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("", "a".repeat(127), "a".repeat(128), "é".repeat(64), "𝄐".repeat(5_000), "__proto__"),
);

function anyScalar(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return anyText;
    case ScalarType.BYTES:
      return fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat({ max: 70_000 }).map((length) => new Uint8Array(length)),
      );
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.INT32:
      return fc.oneof(fc.integer(), fc.constantFrom(-1, -(2 ** 31), 2 ** 31 - 1));
    case ScalarType.UINT32:
      return fc.oneof(fc.nat(), fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 32 - 1));
    case ScalarType.INT64:
      return fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(-1n, -(2n ** 63n)));
    case ScalarType.UINT64:
      return fc.oneof(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.constantFrom(127n, 128n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n),
      );
    default:
      throw new Error(`no arbitrary for ${ScalarType[type]}`);
  }
}
