import type { Explanation_Step } from "../gen/fermata/palette/v1/palette_pb.ts";
import { DeclineReasonSchema } from "../gen/fermata/palette/v1/palette_pb.ts";
import type { ResolveResponse } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import type { NameSample } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { bad, good, quiet, strong } from "./style.ts";

/** What a person wants to see of a palette: what is offered and forced, what was removed by what, why routing declined. */
export function showPalette(response: ResolveResponse, registered: number): string {
  const blocks = [
    row("routing", routingText(response)),
    row("offered", offeredText(response, registered)),
    row("forced", forcedText(response)),
    ...(response.explanation?.steps ?? []).flatMap(removedRows),
  ];
  return blocks.join("");
}

/** Every step of the trace in its order, for `--explain`. */
export function showTrace(steps: readonly Explanation_Step[]): string {
  const lines = steps.map(({ stage, rule, remaining, removed, reinstated, note }) => {
    const changes = [
      removed && `removed ${sampleText(removed)}`,
      reinstated && `put back ${sampleText(reinstated)}`,
      note,
    ];
    const text = changes.filter(Boolean).join("; ");
    return `  ${String(remaining).padStart(6)}  ${strong(stage)} ${quiet(`(${rule})`)}${text && `\n          ${text}`}\n`;
  });
  return `\n${quiet("how it came to that (tools left after each step)")}\n${lines.join("")}`;
}

function routingText({ routing }: ResolveResponse): string {
  switch (routing.case) {
    case "routed": {
      const { names, unresolved } = routing.value;
      const missing = unresolved === undefined ? "" : `; not registered: ${sampleText(unresolved)}`;
      return `narrowed to the ${names.length} that skills name${missing}`;
    }
    case "declined": {
      const { reason, message } = routing.value;
      return `declined (${DeclineReasonSchema.value[reason]?.name.replace("DECLINE_REASON_", "") ?? reason}): ${message}`;
    }
    case "unavailable":
      return `unavailable, ${routing.value.missing.join(", ")} missing: ${routing.value.advice || "every tool is offered"}`;
    case undefined:
      return "not said";
  }
}

function offeredText({ palette }: ResolveResponse, registered: number): string {
  const offer = palette?.offer;
  switch (offer?.case) {
    case "full":
      return good(`all ${registered} tools`);
    case "explicit": {
      const { names, emptiedBy } = offer.value;
      if (names.length === 0) return bad(`none: ${emptiedBy} left nothing`);
      return `${good(`${names.length} of ${registered} tools`)}${names.map((name) => `\n            ${name}`).join("")}`;
    }
    case undefined:
      return bad("not said: do not call the model");
  }
}

function forcedText({ palette, forceSatisfied }: ResolveResponse): string {
  if (palette?.forcedTool !== undefined) return `${strong(palette.forcedTool)}: the model must call it`;
  return forceSatisfied ? "nothing any more: it was called in this turn" : "nothing";
}

function removedRows({ stage, rule, removed, reinstated }: Explanation_Step): readonly string[] {
  const kept = reinstated === undefined ? "" : `; kept ${sampleText(reinstated)}, which is forced`;
  if (removed === undefined)
    return stage === "always_offer" || kept === "" ? [] : [row("kept", `by ${stage} ${quiet(`(${rule})`)}${kept}`)];
  return [row("removed", `by ${strong(stage)} ${quiet(`(${rule})`)}: ${sampleText(removed)}${kept}`)];
}

function sampleText({ names, total }: NameSample): string {
  const more = total > names.length ? ` and ${total - names.length} more` : "";
  return `${total}: ${names.join(", ")}${more}`;
}

function row(label: string, text: string): string {
  return `${quiet(label.padEnd(10))}${text}\n`;
}
