import { Code } from "@connectrpc/connect";
import type { ResolveResponse } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { BrokenPalette, endingHere } from "./fermata-error.ts";
import type { RegisteredTool, Turn } from "./turn.ts";

/** The palette of one model call: the tools that it offers and the one that it must use. */
export interface Resolution {
  /** Routing, decision and explanation as the contract has them. Where nobody answered it has a palette only. */
  readonly response: ResolveResponse;
  /** False where the sidecar did not answer, so that every tool is offered. */
  readonly answered: boolean;
  /** All registered tools, as the turn named them. */
  readonly registered: readonly RegisteredTool[];
  /** Names of the offered tools, in the order of the registry. None is legal: then call the model without tools. */
  readonly offered: readonly string[];
  /** Nothing narrowed the turn. */
  readonly full: boolean;
  /** The tool that this model call must use. It belongs to this call and never to the turn. */
  readonly forcedTool: string | undefined;
}

/** Reads an answer. One without an offer means neither all tools nor none. */
export function resolutionOf(turn: Turn, response: ResolveResponse, answered: boolean): Resolution {
  const names = turn.tools.map(nameOf);
  const { palette } = response;
  const read = { response, answered, registered: turn.tools, forcedTool: palette?.forcedTool };
  switch (palette?.offer.case) {
    case "full":
      return { ...read, offered: names, full: true };
    case "explicit": {
      const offered = new Set(palette.offer.value.names);
      return { ...read, offered: names.filter((name) => offered.has(name)), full: false };
    }
    case undefined:
      throw new BrokenPalette(endingHere(Code.Internal, "the palette has no offer that this client knows"));
  }
}

/** The name of a registered tool. */
export function nameOf(tool: RegisteredTool): string {
  return typeof tool === "string" ? tool : tool.name;
}

/** The host's own tools that are offered: the same values, in their order. */
export function applyPalette<T>({ offered }: Resolution, tools: readonly T[], named: (tool: T) => string): T[] {
  const names = new Set(offered);
  return tools.filter((tool) => names.has(named(tool)));
}
