import { describe, expect, it } from "vitest";
import { ENVELOPE_VERSION, envelopeDigest } from "../../../src/domain/conversation/envelope.ts";
import { judge } from "../../../src/domain/conversation/judge.ts";
import { countReservedKey } from "../../../src/domain/conversation/reserved-key.ts";
import { seal, unseal } from "../../../src/domain/conversation/sealed.ts";
import type { Header } from "../../../src/domain/conversation/stored.ts";
import { CheckpointFormat_Cause } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { headerOf } from "./headers.ts";

const { CORRUPT, FUTURE_VERSION, RESERVED_KEY_OCCUPIED, UNRECOGNISED } = CheckpointFormat_Cause;
const text = '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]';
const bytes = new TextEncoder().encode(text);

const header: Header = {
  ...headerOf(text),
  boundary: { kind: 2, proof: "openai-chat/turn-complete/1", entries: 2 },
};
const checkpoint = {
  header,
  envelopeVersion: ENVELOPE_VERSION,
  digest: envelopeDigest(header),
  state: "active",
  prunedAt: undefined,
} as const;
const sealed = seal(checkpoint, bytes);

const changed = (change: (envelope: Record<string, unknown>) => void): string => {
  const document = JSON.parse(sealed);
  change(document.fermata);
  return JSON.stringify(document);
};
const causeOf = (document: string) => {
  const opened = unseal(document, "openai-chat/1");
  if (opened?.kind !== "refusal" || opened.leaf.case !== "checkpointFormat") return opened?.kind;
  return opened.leaf.value.cause;
};

describe("an envelope outside the store", () => {
  it("opens to what was sealed, byte for byte", () => {
    const opened = unseal(sealed, "openai-chat/1");
    expect(opened).toMatchObject({ kind: "ok", value: { header: { ...header, payload: { kind: "text" } } } });
    expect(opened?.kind === "ok" && Buffer.from(opened.value.payload).toString()).toBe(text);
  });

  it("opens beside a host's own members", () => {
    expect(causeOf(JSON.stringify({ mine: 1, ...JSON.parse(sealed), more: { fermata: 2 } }))).toBe("ok");
  });

  it("is corrupt when any single member is changed, taken away or of another type", () => {
    const members = Object.keys(JSON.parse(sealed).fermata).filter((name) => name !== "envelope_version");
    expect(members.length).toBeGreaterThan(15);
    for (const name of members) {
      for (const value of ["x", 7, null, undefined, {}, [], true]) {
        const document = changed((envelope) => {
          const same = JSON.stringify(envelope[name]) === JSON.stringify(value);
          envelope[name] = same ? "changed" : value;
        });
        expect([name, value, causeOf(document)]).toEqual([name, value, CORRUPT]);
      }
    }
  });

  it.each(["tenant_id", "sub_tenant_id", "session_id"])("is corrupt under another %s", (member) => {
    const document = changed((envelope) => {
      envelope["identity"] = { ...(envelope["identity"] as object), [member]: "umbrella" };
    });
    expect(causeOf(document)).toBe(CORRUPT);
  });

  it.each([
    { version: ENVELOPE_VERSION + 1, cause: FUTURE_VERSION },
    { version: 2 ** 40, cause: FUTURE_VERSION },
    { version: 0, cause: CORRUPT },
    { version: -1, cause: CORRUPT },
    { version: 1.5, cause: CORRUPT },
    { version: "1", cause: CORRUPT },
    { version: null, cause: CORRUPT },
    { version: 1e300, cause: CORRUPT },
  ])("of version $version is judged by it before anything else is read", ({ version, cause }) => {
    expect(causeOf(JSON.stringify({ fermata: { envelope_version: version } }))).toBe(cause);
  });

  it.each(["1", "null", '"text"', "[]", "{}", '{"version":1}'])("is none where the key holds %s: occupied", (value) => {
    expect(causeOf(`{"fermata":${value}}`)).toBe(RESERVED_KEY_OCCUPIED);
  });

  it.each([
    `{"fermata":1,"fermata":2}`,
    `{"fermata":1, "a":{"fermata":1}, "\\u0066ermata" : 2}`,
    sealed.replace("{", '{"fermata":null,'),
  ])("is corrupt where the key stands twice, which JSON.parse hides: %#", (document) => {
    expect(causeOf(document)).toBe(CORRUPT);
  });

  it.each([
    text,
    "[]",
    '{"messages":[{"fermata":1}]}',
    '{"a":"fermata"}',
    '{"a":"\\"fermata\\":1"}',
    '["fermata"]',
    "",
    '"fermata"',
  ])("is not looked for in %s", (document) => {
    expect(unseal(document, "openai-chat/1")).toBeUndefined();
  });

  it("is counted by what a key means, not by how it is written", () => {
    expect(countReservedKey('{ "\\u0066\\u0065\\u0072\\u006d\\u0061\\u0074\\u0061" \n: 1}')).toBe(1);
    expect(countReservedKey('{"fermata\\u0000":1,"Fermata":1,"fermat\\u0430":1}')).toBe(0);
    expect(countReservedKey('  {"a":{"b":[{"fermata":1}]},"fermata":{"fermata":1}}')).toBe(1);
  });
});

describe("a judgement", () => {
  const of = (format: string, document: string) =>
    judge({
      format,
      content: { case: "text", value: document },
      claimedProof: undefined,
      listed: ["acme/1"],
      published: new Set(["openai-chat/turn-complete/1"]),
    }).verdict;

  it("of an envelope is that of the document in it", () => {
    expect(of("openai-chat/1", sealed)).toMatchObject({ kind: "boundary", boundary: { entries: 2 } });
  });

  it("of an envelope that holds another format is UNRECOGNISED and names it", () => {
    expect(of("gemini-contents/1", sealed)).toMatchObject({
      leaf: { value: { cause: UNRECOGNISED, candidates: ["openai-chat/1"] } },
    });
  });

  it("finds an occupied key also in a format that nobody reads", () => {
    expect(of("acme/1", '{"fermata":1}')).toMatchObject({ leaf: { value: { cause: RESERVED_KEY_OCCUPIED } } });
    expect(of("acme/1", "no json, fermata")).toMatchObject({ kind: "midFrame" });
  });
});
