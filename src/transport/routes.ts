import { PaletteService } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { registerTools } from "../rpc/palette/register-tools.ts";
import { type ResolveDeps, resolve } from "../rpc/palette/resolve.ts";
import { verifyCalls } from "../rpc/palette/verify-calls.ts";
import type { Registries } from "../store/registries.ts";
import { type Route, unary } from "./route.ts";

/** What the RPCs stand on. */
export interface RouteDeps {
  readonly registries: Registries;
  readonly operatorStages: ResolveDeps["operatorStages"];
}

/** Every RPC that is built, in one list. A method that is not here answers UNIMPLEMENTED. */
export function routes({ registries, operatorStages }: RouteDeps): readonly Route[] {
  const { find, keep } = registries;
  return [
    unary(PaletteService.method.resolve, resolve({ registryOf: find, operatorStages }), "resolve"),
    unary(PaletteService.method.verifyCalls, verifyCalls({ registryOf: find }), "resolve"),
    unary(PaletteService.method.registerTools, registerTools({ keep }), "resolve"),
  ];
}
