import type { Explanation_Step } from "../gen/fermata/palette/v1/palette_pb.ts";
import { DeclineReasonSchema } from "../gen/fermata/palette/v1/palette_pb.ts";
import type { ResolveResponse } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import type { NameSample } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { counted } from "./counted.ts";
import { bad, good, printable, quiet, strong } from "./style.ts";

const BRIEF = 10;

/** What a person wants to see of a palette: what is offered and forced, what was removed by what, why routing declined. */
export function showPalette(response: ResolveResponse, registered: number): string {
  const blocks = [
    row("routing", routingText(response)),
    row("offered", offeredText(response, registered)),
    row("forced", forcedText(response)),
    ...(response.explanation?.steps ?? []).flatMap(changeRows),
  ];
  return blocks.join("");
}

/** Every step of the trace in its order, for `--explain`. */
export function showTrace(steps: readonly Explanation_Step[]): string {
  const lines = steps.map(({ stage, rule, remaining, removed, reinstated, note }) => {
    const changes = [
      removed && `removed ${removed.total}: ${sampleText(removed)}`,
      reinstated && `kept ${reinstated.total}: ${sampleText(reinstated)}`,
      note,
    ];
    const text = changes.filter(Boolean).join("; ");
    return `  ${String(remaining).padStart(6)}  ${strong(stage)} ${quiet(`(${rule})`)}${text && `\n          ${text}`}\n`;
  });
  return `\n${quiet("how it came to that (tools left after each step)")}\n${lines.join("")}`;
}

function routingText({ routing }: ResolveResponse): string {
  switch (routing.case) {
    case "routed":
      return `narrowed to ${counted(routing.value.names.length, "tool")} that skills name${unresolvedText(routing.value)}`;
    case "declined":
      return `declined (${declineName(routing.value.reason)}): ${routing.value.message}${unresolvedText(routing.value)}`;
    case "unavailable":
      return `unavailable, ${routing.value.missing.map(printable).join(", ")} missing: ${routing.value.advice || "every tool is offered"}`;
    case undefined:
      return "not said";
  }
}

function declineName(reason: number): string {
  const name = DeclineReasonSchema.values.find(({ number }) => number === reason)?.name ?? String(reason);
  return name.replace("DECLINE_REASON_", "");
}

function unresolvedText({ unresolved }: { readonly unresolved?: NameSample | undefined }): string {
  return unresolved === undefined ? "" : `; not registered: ${sampleText(unresolved)}`;
}

function offeredText({ palette }: ResolveResponse, registered: number): string {
  const offer = palette?.offer;
  switch (offer?.case) {
    case "full":
      return good(registered === 1 ? "the only tool" : `all ${registered} tools`);
    case "explicit": {
      const { names, emptiedBy } = offer.value;
      if (names.length === 0) return bad(`none: ${emptiedBy} left nothing`);
      return `${good(`${names.length} of ${counted(registered, "tool")}`)}${names.map((name) => `\n            ${printable(name)}`).join("")}`;
    }
    case undefined:
      return bad("not said: do not call the model");
  }
}

function forcedText({ palette, forceSatisfied }: ResolveResponse): string {
  if (palette?.forcedTool !== undefined) return `${strong(printable(palette.forcedTool))}: the model must call it`;
  return forceSatisfied ? "nothing any more: it was called in this turn" : "nothing";
}

function changeRows({ stage, rule, removed, reinstated }: Explanation_Step): readonly string[] {
  const by = `by ${strong(stage)} ${quiet(`(${rule})`)}`;
  return [
    ...(removed === undefined ? [] : [row("removed", `${removed.total} ${by}: ${briefText(removed)}`)]),
    ...(reinstated === undefined ? [] : [row("kept", `${reinstated.total} ${by}: ${briefText(reinstated)}`)]),
  ];
}

/** The first names of a list; the trace shows them all. */
function briefText({ names, total }: NameSample): string {
  return sampleText({ names: names.slice(0, BRIEF), total });
}

function sampleText({ names, total }: Pick<NameSample, "names" | "total">): string {
  const more = total > names.length ? ` and ${total - names.length} more` : "";
  return `${names.map(printable).join(", ")}${more}`;
}

function row(label: string, text: string): string {
  return `${quiet(label.padEnd(10))}${text}\n`;
}
