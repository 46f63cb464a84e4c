import { openIssuing } from "../issuing-store.ts";

/**
 * Issue on an embedded store with its callers in the same process, and a 1 ms timer on the thread that they share. The
 * parent sends how many callers for how long; the answer is what they did and how late the timer was.
 */
const [, , dataDir = ""] = process.argv;
const store = await openIssuing(dataDir, Date.now);

let delays: number[] = [];
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  delays.push(now - last);
  last = now;
}, 1);

/** What the parent asks for. */
export interface IssuingOrder {
  readonly name: string;
  readonly callers: number;
  readonly ms: number;
}

process.on("message", async (message) => {
  const { name, callers, ms } = message as IssuingOrder; // The bench sends nothing else.
  delays = [];
  const begun = performance.now();
  const idle = new Promise((resolve) => setTimeout(resolve, ms));
  const hosts = Array.from({ length: callers }, (_unused, host) => issueUntil(`${name}-${host}`, begun + ms));
  const [counts] = await Promise.all([Promise.all(hosts), idle]);
  const issued = counts.reduce((sum, count) => sum + count, 0);
  process.send?.({ rate: (issued * 1_000) / (performance.now() - begun), delays });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });

/** One host with one thread: each checkpoint builds on the last one. */
async function issueUntil(sessionId: string, until: number): Promise<number> {
  let count = 0;
  for (; performance.now() < until; count += 1) {
    await store.issue(sessionId, [
      { role: "user", content: `What does ${sessionId} ask now, in turn ${count}?` },
      { role: "assistant", content: "This is the answer." },
    ]);
  }
  return count;
}
