import type { Erased, EraseWrite } from "../../domain/conversation/erase.ts";
import type { FreezeWrite, Frozen } from "../../domain/conversation/freeze.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { StoreFault } from "../fault.ts";
import type { Line } from "../worker-line.ts";
import type { EraseRound } from "./erase.ts";
import type { FreezeRound } from "./freeze.ts";
import type { WriterAsk } from "./writer-asks.ts";

// What may touch many rows is asked for round by round, each a transaction of its own, so that whoever writes meanwhile
// waits for one round at most.

type Writer = Line<WriterAsk, unknown>;

/** A freeze. Its first round builds the wall. */
export async function freezeAll(writer: Writer, write: FreezeWrite, until: number): Promise<Outcome<Frozen>> {
  for (;;) {
    const round = (await writer.ask({ kind: "freeze", write, until })) as FreezeRound; // What it answers to this ask.
    if (round.kind === "answer") return round.outcome;
  }
}

/** Forgets what no drain needs any more. A fault leaves the rest to the next thaw or pruning: nobody waits for it. */
export async function forget(writer: Writer, what: "drains" | "verdicts"): Promise<void> {
  try {
    while ((await writer.ask({ kind: "forget", what })) === true);
  } catch (thrown) {
    if (!(thrown instanceof StoreFault)) throw thrown;
  }
}

/** An erasure. What is erased stays so when it stops. */
export async function eraseAll(writer: Writer, write: EraseWrite, until: number): Promise<Outcome<Erased>> {
  const total = { threads: 0, checkpoints: 0 };
  for (let last: number | undefined; ; ) {
    const round = (await writer.ask({ kind: "erase", write, last, until })) as EraseRound; // What it answers to this ask.
    if (round.outcome.kind === "refusal") return round.outcome;
    total.threads += round.outcome.value.threads;
    total.checkpoints += round.outcome.value.checkpoints;
    if (!round.more) return ok(total);
    last = round.last;
  }
}
