import { fromBinary, type JsonValue, toJson } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { expect } from "vitest";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { type Answer, detailTypes } from "../transport/callers.ts";

/** What a step expects, as in the README of the scenarios. */
export interface Expectation {
  readonly ok?: JsonValue;
  readonly code?: number;
  readonly reason?: string;
  readonly parents?: readonly string[];
  readonly leaf?: JsonValue;
  readonly field?: string;
  readonly absent?: readonly string[];
  readonly present?: readonly string[];
  readonly some?: Readonly<Record<string, JsonValue>>;
  readonly maxHeaderBytes?: number;
  readonly textContains?: readonly string[] | string;
  readonly notContaining?: readonly string[] | string;
}

/** Holds an answer against what a step expects; `view` is the JSON form of an OK answer. */
export function expectAnswer(answer: Answer, view: JsonValue, wanted: Expectation): void {
  if (wanted.ok !== undefined) {
    expect(answer, JSON.stringify(answer)).toMatchObject({ kind: "ok" });
    expectContains(view, wanted.ok, "");
  } else expectRefusal(answer, wanted);
  for (const path of wanted.absent ?? [])
    expect(isDefault(at(view, path)), `${path} of ${JSON.stringify(view)}`).toBe(true);
  for (const path of wanted.present ?? [])
    expect(isDefault(at(view, path)), `${path} of ${JSON.stringify(view)}`).toBe(false);
  for (const [path, value] of Object.entries(wanted.some ?? {})) {
    const list = at(view, path);
    expect(
      Array.isArray(list) && list.some((item) => contains(item, value)),
      `${path} of ${JSON.stringify(view)}`,
    ).toBe(true);
  }
}

function expectRefusal(answer: Answer, wanted: Expectation): void {
  if (answer.kind === "ok") throw new Error(`answered OK: ${JSON.stringify(answer.messages)}`);
  const status = fromBinary(StatusSchema, answer.status);
  const details = status.details.map((any) => anyUnpack(any, detailTypes));
  const info = details.find((detail) => detail?.$typeName === ErrorInfoSchema.typeName) as
    | { reason: string; domain: string; metadata: Record<string, string> }
    | undefined;
  const refusal = toJson(
    RefusalSchema,
    details.find((detail) => detail?.$typeName === RefusalSchema.typeName) as never,
  );
  expect({ code: answer.code, reason: info?.reason }, answer.text).toEqual({
    code: wanted.code,
    reason: wanted.reason,
  });
  expect([status.code, status.message, info?.domain]).toEqual([answer.code, answer.text, "fermata"]);
  if (wanted.parents !== undefined) expect(info?.metadata["parents"]).toBe(wanted.parents.join(","));
  if (wanted.leaf !== undefined) expectContains(refusal, wanted.leaf, "");
  if (wanted.field !== undefined) expect(firstField(details)).toBe(wanted.field);
  if (wanted.maxHeaderBytes !== undefined) expect(answer.headerBytes).toBeLessThanOrEqual(wanted.maxHeaderBytes);
  for (const part of [wanted.textContains ?? []].flat()) expect(answer.text).toContain(part);
  for (const part of [wanted.notContaining ?? []].flat()) {
    expect(Buffer.from(answer.status).includes(part), part).toBe(false);
    expect(answer.text).not.toContain(part);
  }
}

function firstField(details: readonly unknown[]): string | undefined {
  const bad = details.find(
    (detail) => (detail as { $typeName?: string } | undefined)?.$typeName === BadRequestSchema.typeName,
  );
  return (bad as { fieldViolations: { field: string }[] } | undefined)?.fieldViolations[0]?.field;
}

function expectContains(found: JsonValue | undefined, wanted: JsonValue, path: string): void {
  expect(contains(found, wanted), `${path} wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`).toBe(true);
}

/** Objects: at least these members, a missing one counts as its default. Lists: exactly these members, in this order. */
function contains(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted)) {
    if (found === undefined) return wanted.length === 0;
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((item, index) => contains(found[index], item))
    );
  }
  if (typeof wanted === "object" && wanted !== null) {
    if (Array.isArray(found) || typeof found !== "object") return false;
    return Object.entries(wanted).every(([name, value]) => contains(found?.[name], value));
  }
  if (found === undefined) return isDefault(wanted);
  return String(found) === String(wanted); // 64-bit integers are strings in JSON
}

/** The value at a dotted path; undefined where a part of it is not there. */
export function at(value: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce<JsonValue | undefined>((found, name) => {
    if (typeof found !== "object" || found === null) return undefined;
    const index = Array.isArray(found) ? Number(name) : Number.NaN;
    return Array.isArray(found) ? found[index] : found[name];
  }, value);
}

function isDefault(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0 || value === "0")
    return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(isDefault) && Object.keys(value).length === 0;
}
