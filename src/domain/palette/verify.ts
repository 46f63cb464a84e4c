import type { Palette } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { ok } from "../outcome.ts";
import { invalid, type Parsed } from "../violation.ts";
import type { Registry } from "./registry.ts";

/** What one call was: registered names that were not offered are told from names that nobody registered. */
export type Verdict = "offered" | "excluded" | "unregistered";

/** What the model was offered and what it called. */
export interface Verification {
  readonly verdicts: readonly { readonly name: string; readonly verdict: Verdict }[];
  /** The forced tool was called; false when nothing was forced. */
  readonly forceSatisfied: boolean;
  /** Every call was offered, and the force was satisfied or there was none. */
  readonly ok: boolean;
}

/** A palette whose offer is set: an unset one means neither all nor none. */
export type OfferedPalette = Palette & { readonly offer: Exclude<Palette["offer"], { case: undefined }> };

/** Judges the calls that a model made. A name that is not registered was never offered, whatever the palette says. */
export function verifyCalls(registry: Registry, palette: OfferedPalette, calls: readonly string[]): Verification {
  const { offer, forcedTool } = palette;
  const offered = new Set(offer.case === "full" ? registry.byName.keys() : offer.value.names);
  const verdicts = calls.map((name) => ({ name, verdict: verdictOn(name, registry, offered) }));
  const forceSatisfied = forcedTool !== undefined && calls.includes(forcedTool);
  const allOffered = verdicts.every(({ verdict }) => verdict === "offered");
  return { verdicts, forceSatisfied, ok: allOffered && (forceSatisfied || forcedTool === undefined) };
}

/** Proves that a palette says what it offers. */
export function parseOfferedPalette(palette: Palette | undefined): Parsed<OfferedPalette> {
  const offer = palette?.offer;
  if (palette !== undefined && offer?.case !== undefined) return ok({ ...palette, offer });
  const field = palette === undefined ? "palette" : "palette.offer";
  return invalid([{ field, rule: "REQUIRED", description: "is not set; the palette of the decision is needed" }]);
}

function verdictOn(name: string, { byName }: Registry, offered: ReadonlySet<string>): Verdict {
  if (!byName.has(name)) return "unregistered";
  return offered.has(name) ? "offered" : "excluded";
}
