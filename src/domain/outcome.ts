import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Refusal as RefusalMessage, RefusalSchema } from "../gen/fermata/refusal/v1/refusal_pb.ts";

/** A member of the taxonomy's oneof: which leaf, with its facts. */
export type Leaf = Exclude<RefusalMessage["leaf"], { case: undefined }>;

/** The name of a leaf, as in the proto's oneof (lowerCamelCase). */
export type LeafCase = Leaf["case"];

/** An ending other than OK. A value until the edge: `transport/status.ts` alone turns it into a status. */
export interface Refusal {
  readonly kind: "refusal";
  readonly leaf: Leaf;
}

/** What a decision hands on when nothing speaks against it. */
export interface Ok<T> {
  readonly kind: "ok";
  readonly value: T;
}

/** A decision: a value, or the one refusal that says why not. */
export type Outcome<T> = Ok<T> | Refusal;

/** The facts that a leaf is built from; what is left out has its zero value. */
export type Facts<C extends LeafCase> = Extract<
  NonNullable<MessageInitShape<typeof RefusalSchema>["leaf"]>,
  { case: C }
>["value"];

/** A decision that hands on this value. */
export function ok<T>(value: T): Ok<T> {
  return { kind: "ok", value };
}

/** A refusal of this leaf with these facts. Sizes are not its business: the edge bounds what is sent. */
export function refuse<C extends LeafCase>(leafCase: C, facts: Facts<C>): Refusal {
  // The compiler cannot relate a generic case to its member of the union.
  const init = { leaf: { case: leafCase, value: facts } } as MessageInitShape<typeof RefusalSchema>;
  return { kind: "refusal", leaf: create(RefusalSchema, init).leaf as Leaf };
}

/** The first check, in order, that refuses; later ones are not asked. */
export function firstRefusal(checks: readonly (() => Refusal | undefined)[]): Refusal | undefined {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
