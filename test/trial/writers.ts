import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Finding, nothing, together } from "./check-thread.ts";
import type { Order, Report } from "./writer-server.ts";

/** Writers in processes of their own, as one. */
export interface Writers {
  /** How many checkpoints they have told to be acknowledged. */
  readonly acknowledged: () => number;
  /** Writes until the sidecar is gone or they are halted. Answers what stopped their lanes, each once. */
  write(address: string): Promise<ReadonlySet<string>>;
  halt(): void;
  check(address: string): Promise<Finding>;
  audit(address: string): Promise<Audit>;
  end(): void;
}

/** What all writers together were promised, and what of it is not so. */
export interface Audit {
  readonly wrong: readonly string[];
  readonly checkpoints: number;
  readonly threads: number;
}

/** Starts so many processes with so many calls in flight in each. */
export function startWriters(processes: number, lanes: number): Writers {
  let acknowledged = 0;
  const children = Array.from({ length: processes }, (_, process) => {
    const script = fileURLToPath(new URL("./writer-server.ts", import.meta.url));
    const child = fork(script, [`w${process}`, String(lanes)]);
    child.on("message", (report) => {
      if ((report as Report).kind === "acknowledged") acknowledged += 1; // A writer sends nothing but reports.
    });
    return child;
  });
  const all = (order: Order): Promise<readonly Report[]> =>
    Promise.all(children.map((child) => answerTo(child, order)));
  return {
    acknowledged: () => acknowledged,
    async write(address) {
      const reports = await all({ kind: "write", address });
      return new Set(reports.flatMap((report) => (report.kind === "stopped" ? report.by : [])));
    },
    halt: () => {
      for (const child of children) child.send({ kind: "halt" } satisfies Order);
    },
    async check(address) {
      const reports = await all({ kind: "check", address });
      return reports.flatMap((report) => (report.kind === "checked" ? [report.finding] : [])).reduce(together, nothing);
    },
    async audit(address) {
      const audits = (await all({ kind: "audit", address })).flatMap((report) =>
        report.kind === "audited" ? [report] : [],
      );
      return {
        wrong: audits.flatMap(({ wrong }) => wrong),
        checkpoints: audits.reduce((sum, { checkpoints }) => sum + checkpoints, 0),
        threads: audits.reduce((sum, { threads }) => sum + threads, 0),
      };
    },
    end: () => {
      for (const child of children) child.disconnect();
    },
  };
}

function answerTo(child: ChildProcess, order: Order): Promise<Report> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      const report = message as Report; // A writer sends nothing else.
      if (report.kind === "acknowledged") return;
      child.off("message", onMessage);
      child.off("exit", reject);
      resolve(report);
    };
    child.on("message", onMessage).on("exit", reject);
    child.send(order);
  });
}
