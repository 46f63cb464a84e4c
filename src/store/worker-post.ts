import { parentPort } from "node:worker_threads";
import { StoreFault } from "./fault.ts";
import type { Reply } from "./worker-line.ts";

/** One ask as it comes over a line. */
export interface Posted<Ask> {
  readonly id: number;
  readonly ask: Ask;
}

/** A reply and the buffers that go with it. */
export interface Sent {
  readonly reply: Reply;
  readonly handover: readonly ArrayBuffer[];
}

/** Hands each ask to the worker's code. Called once, at the end of a worker's entry file. */
export function onAsk<Ask>(receive: (posted: Posted<Ask>) => void): void {
  port().on("message", receive);
}

/** Sends replies in one message: waking the other thread is what costs. */
export function post(sent: readonly Sent[]): void {
  if (sent.length === 0) return;
  port().postMessage(
    sent.map(({ reply }) => reply),
    sent.flatMap(({ handover }) => handover),
  );
}

/** The reply to an ask that was answered. */
export function answered(id: number, answer: unknown, handover: readonly ArrayBuffer[] = []): Sent {
  return { reply: { id, kind: "answer", answer }, handover };
}

/** The reply to an ask that threw: a fault keeps its class, a bug its stack for the log. */
export function threw(id: number, thrown: unknown): Sent {
  if (thrown instanceof StoreFault) {
    return { reply: { id, kind: "fault", fault: thrown.fault, message: thrown.message }, handover: [] };
  }
  const message = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { reply: { id, kind: "bug", message }, handover: [] };
}

function port(): NonNullable<typeof parentPort> {
  if (parentPort === null) throw new Error("this file is a worker's entry and runs only as one");
  return parentPort;
}
