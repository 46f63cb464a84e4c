import type { Calls } from "./call.ts";
import type { Exchanges } from "./exchanges.ts";
import type { Guard } from "./guard.ts";

/** What stands between a listener and both servers: who is turned away, and what is counted of those who are not. */
export interface Intake {
  readonly guard: Guard;
  readonly exchanges: Exchanges;
  readonly calls: Pick<Calls, "turnAway">;
  /** Whether the RPC of a path takes a document, whose bytes then count as they arrive. */
  readonly takesDocument: (path: string) => boolean;
}
