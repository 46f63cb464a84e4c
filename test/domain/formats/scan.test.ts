import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Author, Call, Entry, Result } from "../../../src/domain/formats/entry.ts";
import { scan } from "../../../src/domain/formats/scan.ts";
import { EntryKind } from "../../../src/gen/fermata/conversation/v1/transcript_pb.ts";
import { UnsafeBoundary_Cause } from "../../../src/gen/fermata/refusal/v1/refusal_pb.ts";
import { naiveScan, type Published } from "./naive-scan.ts";
import { scanVerdict } from "./verdict.ts";

const format = { name: "x", version: 1 };

describe("the scanner", () => {
  it("gives the verdict of the rules read aloud, for any entries and any published proofs", () => {
    fc.assert(
      fc.property(histories(), published(), (entries, kinds) => {
        const found = scan({ kind: "entries", format, entries }, new Set(kinds.map((kind) => `x/${kind}/1`)));
        expect(scanVerdict(found)).toEqual(naiveScan(entries, kinds));
      }),
      { numRuns: 4000 },
    );
  });

  it("names a last safe prefix that is safe on its own", () => {
    fc.assert(
      fc.property(histories(), published(), (entries, kinds) => {
        const proofs = new Set(kinds.map((kind) => `x/${kind}/1`));
        const found = scan({ kind: "entries", format, entries }, proofs);
        if (found.kind === "boundary" || found.lastSafe === undefined) return;
        const prefix = entries.slice(0, found.lastSafe.entries);
        expect(scan({ kind: "entries", format, entries: prefix }, proofs)).toEqual({
          kind: "boundary",
          boundary: found.lastSafe,
        });
      }),
      { numRuns: 2000 },
    );
  });
});

function published(): fc.Arbitrary<Published> {
  return fc.subarray(["turn-complete", "calls-answered", "awaiting-input"]);
}

function histories(): fc.Arbitrary<readonly Entry[]> {
  return fc.array(drafts(), { maxLength: 9 }).map((entries) => {
    let block = 0;
    return entries.map(({ joins, ...facts }, position) => {
      if (!joins) block += 1;
      return { ...facts, position, block };
    });
  });
}

type Draft = Omit<Entry, "position" | "block"> & { readonly joins: boolean };

// An answer that ends a turn holds no call and no problem of its own: no adapter makes another.
function drafts(): fc.Arbitrary<Draft> {
  const nothing: Draft = {
    kind: EntryKind.USER,
    author: "host",
    calls: [],
    results: [],
    endsTurn: false,
    problem: undefined,
    thinkingLost: false,
    value: undefined,
    joins: false,
  };
  const authors = fc.constantFrom<Author>("host", "system", "neither");
  return fc.oneof(
    { weight: 2, arbitrary: authors.map((author) => ({ ...nothing, author })) },
    { weight: 2, arbitrary: fc.boolean().map((endsTurn): Draft => ({ ...nothing, author: "model", endsTurn })) },
    {
      weight: 3,
      arbitrary: fc
        .record({
          calls: fc.array(calls(), { minLength: 1, maxLength: 3 }),
          joins: fc.boolean(),
          thinkingLost: rarely(),
        })
        .map((facts): Draft => ({ ...nothing, ...facts, author: "model", problem: ownProblem(facts.calls) })),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({ results: fc.array(results(), { minLength: 1, maxLength: 3 }), joins: usually() })
        .map((facts) => ({ ...nothing, ...facts })),
    },
    {
      weight: 1,
      arbitrary: fc.constant<Draft>({
        ...nothing,
        author: "model",
        problem: UnsafeBoundary_Cause.THINKING_UNFINISHED,
      }),
    },
  );
}

function calls(): fc.Arbitrary<Call> {
  return fc
    .record({ side: sides(), cut: rarely() })
    .map(({ side, cut }) => ({ ...side, approval: side.pairs === "person", cut }));
}

function ownProblem(calls: readonly Call[]): Entry["problem"] {
  return calls.some(({ cut }) => cut) ? UnsafeBoundary_Cause.THINKING_UNFINISHED : undefined;
}

function results(): fc.Arbitrary<Result> {
  return sides();
}

function sides(): fc.Arbitrary<Result> {
  return fc.record({ id: fc.constantFrom("a", "b", "c"), pairs: fc.constantFrom("tool", "tool", "tool", "person") });
}

function rarely(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
}

function usually(): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 9 }).map((n) => n > 0);
}
