import { judgeDocument } from "../src/store/document-work.ts";
import { historyOf } from "./histories.ts";
import { type Figure, median } from "./report.ts";

const rounds = 15;
const turns = 2_450;
const inARound = 4;

/** Judging a history over what no judgement can do without: parsing its JSON. */
export function benchJudge(): readonly Figure[] {
  const value = JSON.stringify(historyOf(turns));
  const published = new Set(["openai-chat/turn-complete/1"]);
  const judged = {
    format: "openai-chat/1",
    content: { case: "text" as const, value },
    claimedProof: undefined,
    listed: [],
    published,
  };
  const measured = Array.from({ length: rounds + 5 }, () => ({
    parse: cpuOf(() => JSON.parse(value)),
    judge: cpuOf(() => judgeDocument(judged)),
  })).slice(5); // The first ones only warm up.
  const speed = (of: "parse" | "judge"): string =>
    (value.length / median(measured.map((round) => round[of]))).toFixed(0);
  return [
    {
      name: `judge of a ${(value.length / 1e6).toFixed(1)} MB history of ${turns * 4} messages, in MB/s over JSON.parse of it`,
      rounds: measured.map(({ parse, judge }) => parse / judge),
      bound: { kind: "at least", value: 0.4 },
      note: `${speed("judge")} over ${speed("parse")} MB/s`,
    },
  ];
}

/** CPU time of this thread for a few runs together, in microseconds: collecting what they leave behind is part of it. */
function cpuOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let run = 0; run < inARound; run += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / inARound;
}
