import { create } from "@bufbuild/protobuf";
import {
  type ExplicitOffer,
  ExplicitOfferSchema,
  FullOfferSchema,
  type Palette,
  PaletteSchema,
} from "../../gen/fermata/palette/v1/palette_pb.ts";
import { sha256 } from "../digest.ts";
import type { RegisteredTool, Registry } from "./registry.ts";

/** The tools that a turn offers. "All" and "these, which are all" are different values: the second was narrowed. */
export type Offer =
  | { readonly kind: "full" }
  | {
      readonly kind: "explicit";
      /** In registry order. */
      readonly tools: readonly RegisteredTool[];
      /** The stage that left nothing; undefined while there is a tool. */
      readonly emptiedBy: string | undefined;
    };

/** The tools of an offer, in registry order. */
export function offeredTools(offer: Offer, registry: Registry): readonly RegisteredTool[] {
  return offer.kind === "full" ? registry.tools : offer.tools;
}

/** Whether a registered tool is part of the offer. */
export function offers(offer: Offer, tool: RegisteredTool): boolean {
  return offer.kind === "full" || offer.tools.includes(tool);
}

/** The offer and the force as one value, the way a turn gets them. */
export function toPalette(offer: Offer, forced: RegisteredTool | undefined): Palette {
  const palette = create(PaletteSchema, { offer: toMessage(offer) });
  return forced === undefined ? palette : { ...palette, forcedTool: forced.name };
}

/** A digest of what a palette offers and forces. */
export function paletteDigest({ offer, forcedTool }: Palette): Uint8Array {
  const { names = [], emptiedBy = "" } = offer.case === "explicit" ? offer.value : {};
  const force = forcedTool === undefined ? ["free"] : ["forced", forcedTool];
  return sha256("fermata.palette.palette/1", [offer.case ?? "", String(names.length), ...names, emptiedBy, ...force]);
}

function toMessage(offer: Offer): Palette["offer"] {
  switch (offer.kind) {
    case "full":
      return { case: "full", value: create(FullOfferSchema) };
    case "explicit":
      return { case: "explicit", value: toExplicitOffer(offer.tools, offer.emptiedBy ?? "") };
  }
}

function toExplicitOffer(tools: readonly RegisteredTool[], emptiedBy: string): ExplicitOffer {
  return create(ExplicitOfferSchema, { names: tools.map(({ name }) => name), emptiedBy });
}
