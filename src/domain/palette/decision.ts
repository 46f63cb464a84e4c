import { create } from "@bufbuild/protobuf";
import { type Decision, DecisionSchema, type Palette } from "../../gen/fermata/palette/v1/palette_pb.ts";
import { paletteDigest } from "./offer.ts";
import type { Resolved } from "./resolve.ts";

/** What a decision stood on and what it is good for. Equal digests mean an equal decision, whenever and wherever it was taken. */
export function toDecision(resolved: Resolved, palette: Palette, stagesVersion: string): Decision {
  return create(DecisionSchema, {
    registryDigest: resolved.registry.digest,
    paletteDigest: paletteDigest(palette),
    stagesVersion,
    certifiesCutover: resolved.routing.kind !== "unavailable",
    hardFilters: resolved.effects.some(({ applied, stage }) => applied && !stage.protectsForced),
  });
}
