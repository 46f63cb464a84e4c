import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Leaf } from "../domain/outcome.ts";
import { describeLeaf } from "../domain/refusal-rule.ts";
import { cutText, utf8Length } from "../domain/short-text.ts";
import {
  type InvalidRequest_Violation,
  InvalidRequest_ViolationSchema,
  type NameSample,
  NameSampleSchema,
} from "../gen/fermata/refusal/v1/refusal_pb.ts";

/** Limits of what travels in a status (refusals.md, Size). */
const maxFactBytes = 128;
const maxNames = 16;
const maxViolations = 4;
const maxViolationBytes = 600;

/** The support route is checked at the start and never cut: a route that leads nowhere is worse than none. */
const neverCut = "support_route";

/**
 * A copy of the leaf that fits into a status: single facts cut to 128 bytes, at most 16 names and `nameBytes` over all its lists (a name is
 * never cut, only counted), at most 4 violations of 600 bytes together. Everything in it is well-formed Unicode.
 */
export function boundedLeaf(leaf: Leaf, nameBytes: number): Leaf {
  const { message } = describeLeaf(leaf);
  const copy = reflect(message, create(message));
  const source = reflect(message, leaf.value);
  const room = { names: maxNames, bytes: nameBytes };
  for (const field of message.fields) {
    if (source.isSet(field)) copyBounded({ field, source, copy, room });
  }
  return { case: leaf.case, value: copy.message } as Leaf; // the same schema as the leaf that came in
}

interface Room {
  names: number;
  bytes: number;
}

interface Copying {
  readonly field: DescField;
  readonly source: ReflectMessage;
  readonly copy: ReflectMessage;
  readonly room: Room;
}

function copyBounded({ field, source, copy, room }: Copying): void {
  if (field.fieldKind === "list") {
    const list = copy.get(field);
    for (const item of boundedItems(field, [...(source.get(field) as ReflectList)], room)) list.add(item);
    return;
  }
  const value = source.get(field);
  if (field.fieldKind === "scalar" && typeof value === "string") {
    copy.set(field, field.name === neverCut ? value.toWellFormed() : cutText(value, maxFactBytes));
    return;
  }
  if (field.fieldKind === "message" && field.message.typeName === NameSampleSchema.typeName) {
    const sample = (value as ReflectMessage).message as Message as NameSample;
    copy.set(field, reflect(NameSampleSchema, boundedSample(sample, room)));
    return;
  }
  copy.set(field, value);
}

function boundedItems(field: DescField & { fieldKind: "list" }, items: unknown[], room: Room): unknown[] {
  if (field.listKind === "message" && field.message.typeName === InvalidRequest_ViolationSchema.typeName) {
    const violations = items.map((item) => (item as ReflectMessage).message as Message as InvalidRequest_Violation);
    return boundedViolations(violations).map((violation) => reflect(InvalidRequest_ViolationSchema, violation));
  }
  return takeNames(items as string[], room);
}

function boundedSample(sample: NameSample, room: Room): NameSample {
  const names = takeNames(sample.names, room);
  return create(NameSampleSchema, { names, total: Math.max(sample.total, sample.names.length) });
}

function takeNames(names: readonly string[], room: Room): string[] {
  const taken: string[] = [];
  for (const raw of names) {
    const name = raw.toWellFormed();
    const bytes = utf8Length(name);
    if (room.names === 0 || bytes > room.bytes) continue;
    room.names -= 1;
    room.bytes -= bytes;
    taken.push(name);
  }
  return taken;
}

function boundedViolations(violations: readonly InvalidRequest_Violation[]): InvalidRequest_Violation[] {
  const kept = violations.slice(0, maxViolations);
  const share = Math.floor(maxViolationBytes / Math.max(1, kept.length));
  return kept.map((violation) => {
    const field = cutText(violation.field, Math.min(maxFactBytes, Math.floor(share / 2)));
    const rule = cutText(violation.rule, 32);
    const left = share - utf8Length(field) - utf8Length(rule);
    return create(InvalidRequest_ViolationSchema, { field, rule, description: cutText(violation.description, left) });
  });
}
