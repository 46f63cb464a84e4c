import type { Finding } from "./check-thread.ts";
import { acknowledgedOf, begunOf, openLanes } from "./lanes.ts";

/** What the trial tells a writer. */
export type Order =
  | { readonly kind: "write" | "check" | "audit"; readonly address: string }
  | { readonly kind: "halt" };

/** What a writer says. Acknowledgements are told as they come; each other order is answered once. */
export type Report =
  | { readonly kind: "acknowledged"; readonly count: number }
  | { readonly kind: "stopped"; readonly by: readonly string[] }
  | { readonly kind: "checked"; readonly finding: Finding }
  | {
      readonly kind: "audited";
      readonly wrong: readonly string[];
      readonly checkpoints: number;
      readonly threads: number;
    };

const [, , name = "writer", count = "32"] = process.argv;

/** A writer in a process of its own: it remembers what it was promised while the sidecar is killed. */
const lanes = openLanes({
  name,
  count: Number(count),
  onAcknowledged: () => report({ kind: "acknowledged", count: 1 }),
});

process.on("message", async (order) => {
  const answer = await follow(order as Order); // The trial sends nothing else.
  if (answer !== undefined) report(answer);
});
process.on("disconnect", () => process.exit(0));

async function follow(order: Order): Promise<Report | undefined> {
  switch (order.kind) {
    case "write":
      return { kind: "stopped", by: await lanes.write(order.address) };
    case "check":
      return { kind: "checked", finding: await lanes.check(order.address) };
    case "audit": {
      const wrong = await lanes.audit(order.address);
      return { kind: "audited", wrong, checkpoints: acknowledgedOf(lanes), threads: begunOf(lanes) };
    }
    case "halt":
      lanes.halt();
      return undefined;
  }
}

function report(report: Report): void {
  process.send?.(report);
}
