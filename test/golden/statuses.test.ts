import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { leaves } from "../../src/domain/refusal-rule.ts";
import { RefusalSchema } from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  HelpSchema,
  RetryInfoSchema,
} from "../../src/gen/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../src/gen/google/rpc/status_pb.ts";
import { acceptedStatuses, currentStatuses, type GoldenStatus, nameOf, readStatus } from "./golden-status.ts";

const accepted = acceptedStatuses().map((entry) => ({ name: nameOf(entry), entry }));
const current = new Map(currentStatuses().map((entry) => [nameOf(entry), entry]));

describe("the accepted statuses", () => {
  it("hold each leaf and cause once as plain and once as worst, and nothing else", () => {
    expect(accepted.map(({ name }) => name).sort()).toEqual([...current.keys()].sort());
  });

  it("cover every member of the taxonomy", () => {
    expect(new Set(accepted.map(({ entry }) => entry.leaf))).toEqual(new Set(leaves.map(({ reason }) => reason)));
  });

  it.each(accepted)("are what the code sends: $name", ({ name, entry }) => {
    expect(current.get(name)).toEqual(entry);
  });

  it.each(accepted)("are read from their bytes to the same facts: $name", ({ entry }) => {
    const { leaf: _leaf, cause: _cause, variant: _variant, ...read } = entry;
    expect(readStatus(Buffer.from(entry.detailsBase64, "base64"))).toEqual(read);
  });
});

describe("every status", () => {
  it.each(accepted)("has the details in order, under the one prefix: $name", ({ entry }) => {
    const { details } = statusOf(entry);
    expect(details.map(({ typeUrl }) => typeUrl)).toEqual(
      [
        "type.googleapis.com/google.rpc.ErrorInfo",
        "type.googleapis.com/fermata.refusal.v1.Refusal",
        entry.leaf === "INVALID_REQUEST" ? "type.googleapis.com/google.rpc.BadRequest" : "",
        "retry_delay" in entry.metadata ? "type.googleapis.com/google.rpc.RetryInfo" : "",
        entry.leaf === "HORIZON_EXPIRED" ? "type.googleapis.com/google.rpc.Help" : "",
      ].filter((url) => url !== ""),
    );
  });

  it.each(accepted)("names the domain, the reason and sorted metadata within its limits: $name", ({ entry }) => {
    const info = firstDetail(entry);
    expect(info).toMatchObject({ domain: "fermata", reason: entry.leaf });
    const pairs = Object.entries(info.metadata);
    expect(pairs.length).toBeLessThanOrEqual(16);
    expect(pairs.reduce((sum, [key, value]) => sum + utf8(key) + utf8(value), 0)).toBeLessThanOrEqual(1024);
    expect(pairs.map(([key]) => key)).toEqual(pairs.map(([key]) => key).sort());
    for (const [key, value] of pairs) expect(utf8(value), key).toBeLessThanOrEqual(128);
  });

  it.each(accepted)("has a text of one line, 256 bytes and 512 percent-encoded: $name", ({ entry }) => {
    expect(entry.text).not.toMatch(/\p{Cc}/u);
    expect(entry.text.isWellFormed()).toBe(true);
    expect(utf8(entry.text)).toBeLessThanOrEqual(256);
    expect(encodeURIComponent(entry.text).length).toBeLessThanOrEqual(512);
  });

  it.each(accepted)("fits into 4096 bytes of headers: $name", ({ entry }) => {
    expect(headerListBytes(entry)).toBeLessThanOrEqual(4096);
  });

  it.each(accepted)(
    "has at most 16 names of 1,024 bytes over all its lists, and 4 violations of 600: $name",
    ({ entry }) => {
      const names = listedNames(entry.facts);
      expect(names.length).toBeLessThanOrEqual(16);
      expect(names.reduce((sum, name) => sum + utf8(name), 0)).toBeLessThanOrEqual(1024);
      const violations = violationsOf(entry);
      expect(violations.length).toBeLessThanOrEqual(4);
      expect(
        violations.reduce((sum, { field, reason, description }) => sum + utf8(field + reason + description), 0),
      ).toBeLessThanOrEqual(600);
    },
  );

  it("tells the same keys whatever the cause and the facts", () => {
    for (const leaf of leaves) {
      const keys = accepted
        .filter(({ entry }) => entry.leaf === leaf.reason)
        .map(({ entry }) => Object.keys(entry.metadata).join());
      expect(new Set(keys).size, leaf.reason).toBe(1);
    }
  });

  it("never tells a thread key but in the Refusal itself", () => {
    const entries = accepted.filter(({ entry }) => entry.leaf === "TRANSCRIPT_UNAVAILABLE");
    expect(entries.length).toBe(6);
    for (const { entry } of entries) {
      expect(Object.keys(entry.metadata)).not.toContain("thread_key");
      expect(`${entry.text}${JSON.stringify(entry.metadata)}`).not.toContain("acme");
    }
  });

  it("carries the delay, the support route and the violations a second time, where standard clients look", () => {
    expect(detail("OVERLOADED", RetryInfoSchema)).toMatchObject({ retryDelay: { seconds: 0n, nanos: 500_000_000 } });
    expect(detail("HORIZON_EXPIRED", HelpSchema)).toMatchObject({ links: [{ url: "https://support.example/agents" }] });
    expect(detail("INVALID_REQUEST", BadRequestSchema)).toMatchObject({
      fieldViolations: [{ field: "registry.tools[2].name", reason: "DUPLICATE" }],
    });
  });

  it("has the support route of an expired horizon in the field, the metadata and the text, whole", () => {
    for (const { entry } of accepted.filter(({ entry: { leaf } }) => leaf === "HORIZON_EXPIRED")) {
      const route = entry.metadata["support_route"] ?? "";
      expect(utf8(route)).toBeGreaterThan(0);
      expect(entry.text).toContain(route);
      expect(entry.facts).toMatchObject({ horizonExpired: { supportRoute: route } });
    }
  });
});

function statusOf(entry: GoldenStatus) {
  const status = fromBinary(StatusSchema, Buffer.from(entry.detailsBase64, "base64"));
  expect(status).toMatchObject({ code: entry.code, message: entry.text });
  return status;
}

function firstDetail(entry: GoldenStatus) {
  const [first, second] = statusOf(entry).details;
  expect(second && anyUnpack(second, RefusalSchema)?.leaf.case).toBeDefined();
  const info = first && anyUnpack(first, ErrorInfoSchema);
  if (info === undefined) throw new Error("the first detail is no ErrorInfo");
  return info;
}

function detail(leaf: string, schema: Parameters<typeof anyUnpack>[1]) {
  const plain = accepted.find(({ entry }) => entry.leaf === leaf && entry.variant === "plain");
  const last = plain && statusOf(plain.entry).details.at(-1);
  return last && anyUnpack(last, schema);
}

function violationsOf(entry: GoldenStatus) {
  const bad = statusOf(entry)
    .details.map((any) => anyUnpack(any, BadRequestSchema))
    .find((message) => message !== undefined);
  return bad?.fieldViolations ?? [];
}

/** All strings of all lists of a leaf, but the violations'. */
function listedNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === "string");
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(listedNames);
  return [];
}

/** The header list of a Trailers-Only answer, as HTTP/2 counts it: names, values and 32 bytes a field. */
function headerListBytes(entry: GoldenStatus): number {
  const headers = {
    ":status": "200",
    "content-type": "application/grpc+proto",
    date: "Mon, 30 Nov 2026 12:00:00 GMT",
    "grpc-status": String(entry.code),
    "grpc-message": encodeURIComponent(entry.text),
    "grpc-status-details-bin": entry.detailsBase64,
    "grpc-retry-pushback-ms": "86399999",
  };
  return Object.entries(headers).reduce((sum, [name, value]) => sum + utf8(name) + utf8(value) + 32, 0);
}

function utf8(text: string): number {
  return Buffer.byteLength(text, "utf8");
}
