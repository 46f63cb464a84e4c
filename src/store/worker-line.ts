import { Worker } from "node:worker_threads";
import { type FaultClass, StoreFault } from "./fault.ts";

/** What a worker says of one ask. Faults and bugs cross the thread as plain data. */
export type Reply =
  | { readonly id: number; readonly kind: "answer"; readonly answer: unknown }
  | { readonly id: number; readonly kind: "fault"; readonly fault: FaultClass; readonly message: string }
  | { readonly id: number; readonly kind: "bug"; readonly message: string };

/** One worker that answers asks in any order. It starts again when it has died, and those who waited get a fault. */
export interface Line<Ask, Answer> {
  /** Sends plain data; what stands in `handover` is moved, not copied, and empty afterwards. */
  ask(ask: Ask, handover?: readonly ArrayBuffer[]): Promise<Answer>;
  /** Ends the worker at once. Ask it to finish before, where that matters. */
  end(): Promise<void>;
}

/** Where a worker's code stands: the same name beside the module in a checkout (.ts) and in a bundle (.js). */
export function workerUrl(name: string, beside: string): URL {
  return new URL(`./${name}${beside.endsWith(".ts") ? ".ts" : ".js"}`, beside);
}

/**
 * Opens a line. A worker that starts in place of one that died is told `greeting` first, so that it knows what the old
 * one knew; the first worker is told so by whoever opened the line.
 */
export function openLine<Ask, Answer>(url: URL, greeting: Ask | undefined): Line<Ask, Answer> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let worker: Worker | undefined;
  let ended = false;
  let lastId = 0;
  let restarting = false;

  const send = (to: Worker, ask: Ask, handover: readonly ArrayBuffer[]): Promise<Answer> => {
    lastId += 1;
    const answer = Promise.withResolvers<Answer>();
    waiting.set(lastId, answer);
    to.postMessage({ id: lastId, ask }, handover);
    return answer.promise;
  };
  const settle = (replies: readonly Reply[]): void => {
    for (const reply of replies) {
      const answer = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (answer !== undefined) settleOne(answer, reply);
    }
    if (waiting.size === 0) worker?.unref();
  };
  const lose = (lost: Worker, cause: unknown): void => {
    if (worker !== lost) return;
    worker = undefined;
    const fault = new StoreFault(ended ? "closed" : "io", "the worker ended before it answered", { cause });
    for (const answer of waiting.values()) answer.reject(fault);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(url, { execArgv: [] }); // Flags like --input-type are about the program's own entry.
    started.on("message", settle);
    started.on("error", (cause) => lose(started, cause));
    started.on("exit", () => lose(started, undefined));
    worker = started;
    if (restarting && greeting !== undefined) send(started, greeting, []).catch(() => undefined); // The asks after it say the same.
    restarting = true;
    return started;
  };

  return {
    ask(ask, handover = []) {
      if (ended) return Promise.reject(new StoreFault("closed", "the store has been closed"));
      const to = worker ?? start();
      to.ref();
      return send(to, ask, handover);
    },
    async end() {
      ended = true;
      await worker?.terminate();
    },
  };
}

function settleOne<Answer>(waiting: PromiseWithResolvers<Answer>, reply: Reply): void {
  switch (reply.kind) {
    case "answer":
      // Each worker answers an ask with what its own ask type promises.
      waiting.resolve(reply.answer as Answer);
      return;
    case "fault":
      waiting.reject(new StoreFault(reply.fault, reply.message));
      return;
    case "bug":
      waiting.reject(new Error(reply.message));
      return;
  }
}
