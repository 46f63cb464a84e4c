import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { type Context, type Fault, faultAt } from "./faults.ts";
import type { tokens } from "./tokens.ts";

/** The shortest secret that is taken from a variable or a file, in characters: an empty one must not open a door. */
const shortest = 16;

/** A token as the sidecar compares it: by its digest, so that no secret is kept in memory, shown or logged. */
export interface Token {
  readonly name: string;
  readonly sha256: string;
  readonly operator: boolean;
}

/** Reads the tokens that variables and files hold. Tells each that can't be had, and never what was found. */
export function resolveTokens(
  declared: z.output<typeof tokens>,
  env: Readonly<Record<string, string | undefined>>,
  context: Context,
): { readonly tokens: readonly Token[]; readonly faults: readonly Fault[] } {
  const found = declared.map((token) => ({ ...token, sha256: token.sha256 ?? digestOf(secretOf(token, env)) }));
  const faults = found.flatMap(({ sha256 }, index) =>
    sha256 === undefined
      ? [faultAt(["tokens", index], `a variable or file that holds at least ${shortest} characters`, context)]
      : [],
  );
  return {
    tokens: found.map(({ name, operator, sha256 = "" }) => ({ name, operator, sha256 })),
    faults,
  };
}

function secretOf(
  { env: variable, file }: { readonly env?: string | undefined; readonly file?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (variable !== undefined) return env[variable]?.trim();
  try {
    return file === undefined ? undefined : readFileSync(file, "utf8").trim();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return undefined;
    throw thrown;
  }
}

function digestOf(secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length < shortest) return undefined;
  return createHash("sha256").update(secret).digest("hex");
}
