import type { Write } from "../../domain/conversation/decide.ts";
import type { DrainVerdict } from "../../domain/conversation/drain-query.ts";
import type { EraseWrite } from "../../domain/conversation/erase.ts";
import type { FreezeWrite } from "../../domain/conversation/freeze.ts";
import type { CutPayload } from "../ports.ts";
import type { OneWrite } from "./operate.ts";

/** What the writer is asked. Each worker's first ask opens the store; the others wait for it in their order. */
export type WriterAsk =
  | OpenAsk
  | WriteAsk
  | OperateAsk
  | FreezeAsk
  | EraseAsk
  | VerdictsAsk
  | PruneAsk
  /** Forgets a part of what no drain needs any more. Answered with whether there may be more. */
  | { readonly kind: "forget"; readonly what: "drains" | "verdicts" }
  | { readonly kind: "finish" };

/** Opens the store in this folder, creating it if it was never there. Answered with `Opened`. */
export interface OpenAsk {
  readonly kind: "open";
  readonly folder: string;
  readonly separator: string;
  readonly now: number;
  readonly diskReserveBytes: number;
  readonly allowNetworkFileSystem: boolean;
}

/** One write. Answered with the domain's outcome. */
export interface WriteAsk {
  readonly kind: "write";
  readonly write: Write;
  readonly payload: CutPayload;
  readonly until: number;
}

/** One round of a freeze. Answered with `FreezeRound`. */
export interface FreezeAsk {
  readonly kind: "freeze";
  readonly write: FreezeWrite;
  readonly until: number;
}

/** An operator's write. Answered with the domain's outcome. */
export interface OperateAsk {
  readonly kind: "operate";
  readonly write: OneWrite;
  readonly until: number;
}

/** One round of an erasure. Answered with `EraseRound`. */
export interface EraseAsk {
  readonly kind: "erase";
  readonly write: EraseWrite;
  /** Where it ends, as its first round has said. */
  readonly last: number | undefined;
  readonly until: number;
}

/** Keeps what was judged of artifacts. */
export interface VerdictsAsk {
  readonly kind: "verdicts";
  readonly verdicts: readonly DrainVerdict[];
  readonly terms: string;
}

/** Prunes these threads, each in its own transaction. Answered with the number of payloads that went. */
export interface PruneAsk {
  readonly kind: "prune";
  readonly threads: readonly number[];
  readonly now: number;
}

/** What a start found. */
export interface Opened {
  readonly storeId: string;
  readonly warnings: readonly string[];
}
