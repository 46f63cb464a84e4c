import type { Code } from "@connectrpc/connect";
import { type Refusal, Remedy } from "../gen/fermata/refusal/v1/refusal_pb.ts";

/** All that a status said. */
export interface Ending {
  readonly code: Code;
  /** One sentence for a person. It may change: never match on it. */
  readonly detail: string;
  /** The leaf in upper case, also one that this client does not know; empty where no sidecar of ours spoke. */
  readonly reason: string;
  /** Nearest first. */
  readonly parents: readonly string[];
  /** What to do, such as RETRY_LATER; empty where nobody said. */
  readonly remedy: string;
  /** Every fact as text, by its name in the proto. */
  readonly metadata: Readonly<Record<string, string>>;
  /** As it was sent; what this client does not know stands in its unknown fields. Undefined: none was, or it could not be read. */
  readonly refusal: Refusal | undefined;
  /** In milliseconds; undefined where nobody said. */
  readonly retryDelay: number | undefined;
}

/** The oneof of a refusal: a `switch` over its case has every leaf, each with its facts. */
export type Leaf = Refusal["leaf"];

/** The name of a leaf, as in the oneof: `unsafeBoundary`. */
export type LeafCase = Exclude<Leaf["case"], undefined>;

/** What a leaf says. */
export type FactsOf<C extends LeafCase> = Extract<Leaf, { case: C }>["value"];

/** Every ending of a call but OK. Decide by `leaf`, `isA`, `remedy` and `retryable`, never by the text. */
export class FermataError extends Error implements Ending {
  override readonly name: string = "FermataError";
  readonly code: Code;
  readonly detail: string;
  readonly reason: string;
  readonly parents: readonly string[];
  readonly remedy: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly refusal: Refusal | undefined;
  readonly retryDelay: number | undefined;

  constructor(ending: Ending, cause?: unknown) {
    super(ending.reason === "" ? ending.detail : `${ending.reason}: ${ending.detail}`, { cause });
    this.code = ending.code;
    this.detail = ending.detail;
    this.reason = ending.reason;
    this.parents = ending.parents;
    this.remedy = ending.remedy;
    this.metadata = ending.metadata;
    this.refusal = ending.refusal;
    this.retryDelay = ending.retryDelay;
  }

  /** Which decision the caller has, with its facts. Its case is undefined for a leaf of a newer sidecar: then go by `isA` and `remedy`. */
  get leaf(): Leaf {
    return this.refusal?.leaf ?? { case: undefined };
  }

  /** Whether this is the reason, or stands below it: `isA("CONVERSATION")`. */
  isA(reason: string): boolean {
    return this.reason === reason || this.parents.includes(reason);
  }

  /** Whether the same call is worth sending again, a write with the same idempotency key. By the remedy; one that is not known, by the code. */
  get retryable(): boolean {
    if (this.remedy in knownRemedies) return this.remedy === "RETRY_LATER";
    return worthARetry.includes(this.code);
  }
}

const knownRemedies: Readonly<Record<string, unknown>> = Remedy;
const worthARetry: readonly Code[] = [4, 14]; // DEADLINE_EXCEEDED, UNAVAILABLE

/** The facts of an error, if it is of this leaf: `factsOf(thrown, "unsafeBoundary")?.replayPossible`. */
export function factsOf<C extends LeafCase>(thrown: unknown, leafCase: C): FactsOf<C> | undefined {
  if (!(thrown instanceof FermataError) || thrown.leaf.case !== leafCase) return undefined;
  return thrown.leaf.value as FactsOf<C> | undefined; // the compiler cannot relate a generic case to its member of the union
}

/** A status that no sidecar of ours made: a library's or a proxy's. The code is all that is known. */
export class ForeignStatus extends FermataError {
  override readonly name: string = "ForeignStatus";
}

/** No answer came: no connection, or not in time (the code tells which). A write may have been stored. */
export class SidecarUnreachable extends ForeignStatus {
  override readonly name: string = "SidecarUnreachable";
}

/** A status whose code is not the one of its details: neither is to be trusted, and nothing is retried. */
export class StatusMismatch extends FermataError {
  override readonly name: string = "StatusMismatch";
  override get retryable(): boolean {
    return false;
  }
}

/** The sidecar did not answer and a hard filter may apply: nothing is offered, do not call the model. Its cause is a SidecarUnreachable. */
export class PermissionUndecided extends FermataError {
  override readonly name: string = "PermissionUndecided";
}

/** A palette that says neither which tools it offers nor that it offers all: nothing is offered. */
export class BrokenPalette extends FermataError {
  override readonly name: string = "BrokenPalette";
}

/** A replay ended without its trailer, or with other entries than it announced: nothing of it may be used. */
export class IncompleteReplay extends FermataError {
  override readonly name: string = "IncompleteReplay";
}

/** The model called what its palette does not offer: do not run any of `calls`. */
export class CallNotOffered extends FermataError {
  override readonly name: string = "CallNotOffered";
  /** Those that the palette excludes, then those that are no registered tool. */
  readonly calls: readonly string[];

  constructor(ending: Ending, calls: readonly string[]) {
    super(ending);
    this.calls = calls;
  }
}

/** An ending that this client finds by itself. */
export function endingHere(code: Code, detail: string, more: Partial<Ending> = {}): Ending {
  const nothing = { reason: "", parents: [], remedy: "", metadata: {}, refusal: undefined, retryDelay: undefined };
  return { ...nothing, ...more, code, detail };
}
