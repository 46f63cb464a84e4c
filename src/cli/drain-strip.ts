import type { Drain, DrainBlocker } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { counted } from "./counted.ts";
import { bad, good, printable, quiet, strong } from "./style.ts";

/** One class of a drain: its name, how many are in it, and how it is drawn. */
interface Class {
  readonly name: string;
  readonly count: bigint;
  readonly sign: string;
  readonly draw: (text: string) => string;
}

const width = 48;

/** A drain for a person: how far it is, its classes as one bar, and what stands in the way by leaf. */
export function drainText(drain: Drain): string {
  const classes = classesOf(drain);
  const whole = classes.reduce((sum, { count }) => sum + count, 0n);
  const moved = whole - drain.remaining;
  const part = whole === 0n ? 100 : Number((moved * 1000n) / whole) / 10;
  return [
    `${barOf(classes, whole)} ${strong(`${part.toFixed(1)} %`)}  ${moved} of ${whole} don't hold it up`,
    `  ${classes.map(({ name, count, sign, draw }) => `${draw(sign)} ${name} ${count}`).join("   ")}`,
    `  ${quiet(`${drain.atFreeze} at the freeze, ${drain.adoptedSince} since; ${drain.unscanned} of what remains are not judged yet`)}`,
    ...(drain.quarantined > 0n
      ? [bad(`  ${counted(drain.quarantined, "row")} might belong to it: record their owners (fermata attribute)`)]
      : []),
    ...drain.blockers.map(blockerLine),
    endLine(drain),
    "",
  ].join("\n");
}

function classesOf({ drained, discarded, expired, terminalUnsafe, remaining }: Drain): readonly Class[] {
  return [
    { name: "drained", count: drained, sign: "█", draw: good },
    { name: "discarded", count: discarded, sign: "▓", draw: quiet },
    { name: "expired", count: expired, sign: "▒", draw: bad },
    { name: "terminal unsafe", count: terminalUnsafe, sign: "░", draw: bad },
    { name: "remaining", count: remaining, sign: "·", draw: strong },
  ];
}

/** Stacked; each class that is not empty has at least one cell, and the largest gives what the others take. */
function barOf(classes: readonly Class[], whole: bigint): string {
  const cells = classes.map(({ count }) => (count === 0n ? 0 : Math.max(1, Number((count * BigInt(width)) / whole))));
  const largest = cells.indexOf(Math.max(...cells));
  const left = width - cells.reduce((sum, cell) => sum + cell, 0);
  const drawn = classes.map(({ sign, draw }, at) => {
    const cell = (cells[at] ?? 0) + (at === largest && whole > 0n ? left : 0);
    return cell > 0 ? draw(sign.repeat(cell)) : "";
  });
  return `[${whole === 0n ? " ".repeat(width) : drawn.join("")}]`;
}

function blockerLine({ reason, count, checkpointIds }: DrainBlocker): string {
  const more = count > BigInt(checkpointIds.length) ? ` and ${count - BigInt(checkpointIds.length)} more` : "";
  return `  ${bad(printable(reason))} ${count}  ${quiet(`${checkpointIds.slice(0, 3).join(", ")}${checkpointIds.length > 3 ? ", ..." : more}`)}`;
}

function endLine({ atFixedPoint, freezeId }: Drain): string {
  if (atFixedPoint) return good("at its fixed point: nothing is left to move");
  return freezeId === "" ? quiet("a preview: nothing is frozen") : "not at its fixed point";
}
