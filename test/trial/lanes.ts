import { connect, type SidecarClient } from "../../src/client.ts";
import { auditThread, checkThread, type Finding, nothing, together } from "./check-thread.ts";
import { issueNext, newThread, type Thread } from "./thread.ts";

/** Many hosts at once: each lane has one call in flight and several threads, which it writes in turn. */
export interface Lanes {
  readonly threads: readonly Thread[];
  /** Writes until each lane has met anything but an acknowledgement or is halted. Answers what stopped them. */
  write(address: string): Promise<readonly string[]>;
  /** Lets each lane finish its call and stop. */
  halt(): void;
  /** Compares what was written since the last check with what a sidecar answers, and settles what was in flight. */
  check(address: string): Promise<Finding>;
  /** Compares every thread from its first checkpoint on. Answers everything that must not be. */
  audit(address: string): Promise<readonly string[]>;
}

/** How many lanes, how their threads are called, and who is told of each acknowledgement. */
export interface LanesSettings {
  readonly name: string;
  readonly count: number;
  readonly onAcknowledged?: (thread: Thread) => void;
}

/** How many threads a lane writes in turn, and how long each grows. */
const openThreads = 4;
const longest = 12;
const callTimeout = 30_000;

/** Lanes that have written nothing. */
export function openLanes({ name, count, onAcknowledged = () => undefined }: LanesSettings): Lanes {
  const threads: Thread[] = [];
  const unchecked = new Set<Thread>();
  const begin = (): Thread => {
    const thread = newThread(`${name}-${threads.length}`);
    threads.push(thread);
    return thread;
  };
  const lanes = Array.from({ length: count }, () => Array.from({ length: openThreads }, begin));
  let halted = false;

  /** The lane's thread at this turn; one that has grown long enough gives its place to a new one. */
  function threadAt(lane: Thread[], turn: number): Thread {
    const thread = lane[turn];
    if (thread !== undefined && (thread.acknowledged.length < longest || thread.inFlight)) return thread;
    const next = begin();
    lane[turn] = next;
    return next;
  }

  async function writeLane(client: SidecarClient, lane: Thread[]): Promise<string> {
    for (let turn = 0; !halted; turn = (turn + 1) % openThreads) {
      const thread = threadAt(lane, turn);
      unchecked.add(thread);
      const stopped = await issueNext(client, thread);
      if (stopped !== undefined) return stopped;
      onAcknowledged(thread);
    }
    return "halted";
  }

  return {
    threads,
    write(address) {
      halted = false;
      return withClient(address, (client) => Promise.all(lanes.map((lane) => writeLane(client, lane))));
    },
    halt: () => {
      halted = true;
    },
    async check(address) {
      const findings = await withClient(address, (client) =>
        atOnce([...unchecked], count, (thread) => checkThread(client, thread)),
      );
      unchecked.clear();
      return findings.reduce(together, nothing);
    },
    async audit(address) {
      const wrong = await withClient(address, (client) =>
        atOnce(threads, count, (thread) => auditThread(client, thread)),
      );
      return wrong.flat();
    },
  };
}

/** How many checkpoints were acknowledged. */
export function acknowledgedOf({ threads }: Lanes): number {
  return threads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}

/** How many threads were begun by an acknowledged checkpoint. */
export function begunOf({ threads }: Lanes): number {
  return threads.filter(({ acknowledged }) => acknowledged.length > 0).length;
}

async function withClient<T>(address: string, work: (client: SidecarClient) => Promise<T>): Promise<T> {
  const client = connect(address, callTimeout);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

async function atOnce<T, R>(items: readonly T[], lanes: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const left = [...items];
  const done: R[] = [];
  const lane = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) done.push(await work(item));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}
