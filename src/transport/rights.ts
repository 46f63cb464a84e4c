import { createHash, timingSafeEqual } from "node:crypto";
import { type Refusal, refuse } from "../domain/outcome.ts";
import type { Caller } from "./call-span.ts";
import type { Route } from "./route.ts";

/** Who may: the refusal of a caller who may not. */
export type Rights = (route: Route, caller: Caller) => Refusal | undefined;

/** A credential, by the SHA-256 of its token in hex. */
export interface Credential {
  readonly sha256: string;
  readonly operator: boolean;
}

/** Everybody may everything: on a workstation whoever reaches the data listener is its operator. */
export const everybodyMay: Rights = () => undefined;

/**
 * Operator's calls only by an operator's credential: the operator listener, or an operator's token. A token that nobody
 * has given out is told apart from one that is not enough. Other calls are not asked for any.
 */
export function operatorsOnly(credentials: readonly Credential[]): Rights {
  return (route, caller) => {
    if (route.operator !== true || caller.operator) return undefined;
    const token = bearerOf(caller.authorization());
    if (token === undefined) return refuse("callerDenied", { needed: "operator" });
    const known = credentials.filter((credential) => isTokenOf(credential, token));
    if (known.length === 0) return refuse("unauthenticated", {});
    return known.some(({ operator }) => operator) ? undefined : refuse("callerDenied", { needed: "operator" });
  };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

/** Digests have one length, so that comparing them takes as long whatever the token is. */
function isTokenOf({ sha256 }: Credential, token: string): boolean {
  const [known, given] = [Buffer.from(sha256, "hex"), createHash("sha256").update(token).digest()];
  return known.length === given.length && timingSafeEqual(known, given);
}
