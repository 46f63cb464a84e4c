import { describe, expect, it } from "vitest";
import {
  droppable,
  keptAfterSuccessor,
  keptPayloads,
  type Payloaded,
} from "../../../src/domain/conversation/retention.ts";

const now = 1_800_000_000_000;
const old = now - keptAfterSuccessor - 1;

/** A thread of forty checkpoints that were all followed long ago. */
const thread = (change: (row: Payloaded) => Partial<Payloaded> = () => ({})): readonly Payloaded[] =>
  Array.from({ length: 40 }, (_, at) => {
    const row = {
      rowId: at + 1,
      sequence: at + 1,
      safe: false,
      pinned: false,
      succeededAt: at === 39 ? undefined : old,
    };
    return { ...row, ...change(row) };
  });

const kept = (rows: readonly Payloaded[], head = 40): readonly number[] => {
  const gone = new Set(droppable(rows, head, now).map(({ sequence }) => sequence));
  return rows.map(({ sequence }) => sequence).filter((sequence) => !gone.has(sequence));
};

const last = Array.from({ length: keptPayloads }, (_, at) => 21 + at);

describe("the payloads that stay", () => {
  it.each([
    { name: "the last twenty", rows: thread(), stay: last },
    {
      name: "the newest safe one, however old",
      rows: thread(({ sequence }) => ({ safe: sequence === 3 || sequence === 7 })),
      stay: [7, ...last],
    },
    { name: "pinned ones", rows: thread(({ sequence }) => ({ pinned: sequence < 3 })), stay: [1, 2, ...last] },
    {
      name: "those whose successor is younger than a reader may need",
      rows: thread(({ sequence }) => (sequence === 5 ? { succeededAt: now - keptAfterSuccessor } : {})),
      stay: [5, ...last],
    },
    {
      name: "a newest safe one among the last twenty adds none",
      rows: thread(({ sequence }) => ({ safe: sequence === 30 || sequence === 2 })),
      stay: last,
    },
    {
      name: "all of a short thread",
      rows: thread().slice(0, 20),
      stay: Array.from({ length: 20 }, (_, at) => at + 1),
      head: 20,
    },
  ])("$name", ({ rows, stay, head }) => {
    expect(kept(rows, head)).toEqual(stay);
  });
});
