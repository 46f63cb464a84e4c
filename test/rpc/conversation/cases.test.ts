import { readFileSync } from "node:fs";
import { create, type DescEnum } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { type BoundaryKind, BoundaryKindSchema } from "../../../src/gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  AdoptRequestSchema,
  IssueRequestSchema,
  JudgeRequestSchema,
  ResumeRequestSchema,
} from "../../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  CheckpointFormat_CauseSchema,
  UnsafeBoundary_CauseSchema,
} from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { call, openDesk } from "./desk.ts";

interface Case {
  readonly name: string;
  readonly state: unknown;
  readonly expect: {
    readonly verdict: "SAFE" | "UNSAFE" | "FORMAT";
    readonly boundary?: string;
    readonly cause?: string;
    readonly position?: number;
    readonly openCalls?: readonly string[];
    readonly completedCalls?: readonly string[];
    readonly lastSafePosition?: number;
    readonly otherCauses?: number;
  };
}

const adapters = ["openai-chat", "openai-responses", "anthropic-messages", "gemini-contents", "pydantic-ai"];
const cases = adapters.flatMap((adapter) => {
  const file = new URL(`../../cases/boundaries/${adapter}.json`, import.meta.url);
  const read = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly Case[] };
  return read.cases.map((found) => ({ ...found, format: `${adapter}/1`, session: `${adapter} ${found.name}` }));
});

/** As hosts write JSON: whatever blanks and escapes, they come back. */
const textOf = (state: unknown): string => `\n${JSON.stringify(state, undefined, 1)}\t`;

describe("every case of the shipped adapters", () => {
  let desk: Awaited<ReturnType<typeof openDesk>>;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.drop());

  const identity = (sessionId: string) => ({ case: "identity", value: { tenantId: "acme", sessionId } }) as const;
  const documentOf = (format: string, state: unknown) =>
    ({ format, content: { case: "text", value: textOf(state) } }) as const;

  it("is there", () => expect(cases.length).toBe(120));

  it.each(cases)("$format: $name", async ({ format, state, session, expect: expected }) => {
    const document = documentOf(format, state);
    const judged = await desk.judge(create(JudgeRequestSchema, { document }), call);
    expect(wordOf(judged)).toEqual(wanted(expected));

    const issued = await desk.issue(create(IssueRequestSchema, { key: identity(session), document }), call);
    if (expected.verdict === "FORMAT") {
      expect(wordOf(issued)).toEqual(wanted(expected));
      const adopted = await desk.adopt(create(AdoptRequestSchema, { key: identity(session), document }), call);
      expect(adopted.kind).toBe("ok");
    } else {
      expect(issued.kind).toBe("ok");
    }
    const resumed = await desk.resume(create(ResumeRequestSchema, { thread: { by: identity(session) } }), call);
    expect(wordOf(resumed)).toEqual(wanted(expected));
    if (resumed.kind === "ok") expect(resumed.value.document).toMatchObject(document);
  });
});

/** A verdict in the words of the cases. */
function wordOf(outcome: Outcome<{ readonly boundary?: { readonly kind: BoundaryKind } | undefined }>) {
  if (outcome.kind === "ok")
    return { verdict: "SAFE", boundary: nameIn(BoundaryKindSchema, outcome.value.boundary?.kind) };
  const { leaf } = outcome;
  if (leaf.case === "checkpointFormat")
    return { verdict: "FORMAT", cause: nameIn(CheckpointFormat_CauseSchema, leaf.value.cause) };
  if (leaf.case !== "unsafeBoundary") return { verdict: leaf.case };
  const { cause, position, openCalls, completedCalls, lastSafePosition, otherCauses } = leaf.value;
  return {
    verdict: "UNSAFE",
    cause: nameIn(UnsafeBoundary_CauseSchema, cause),
    position,
    openCalls: openCalls?.names ?? [],
    completedCalls: completedCalls?.names ?? [],
    lastSafePosition,
    otherCauses,
  };
}

function nameIn({ values }: DescEnum, number: number | undefined): string | undefined {
  return values.find((value) => value.number === number)?.localName;
}

function wanted({ verdict, cause, ...expected }: Case["expect"]) {
  if (verdict === "SAFE") return { verdict, boundary: expected.boundary };
  if (verdict === "FORMAT") return { verdict, cause };
  const { position, openCalls = [], completedCalls = [], lastSafePosition, otherCauses = 0 } = expected;
  return { verdict, cause, position, openCalls, completedCalls, lastSafePosition, otherCauses };
}
