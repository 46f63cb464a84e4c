import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Context, type Fault, faultAt } from "./faults.ts";

const NAME = "a name of at most 64 characters, which logs may show";
const DIGEST = "the SHA-256 of the token, 64 hex digits in lower case";
const SOURCE = "exactly one of sha256, env and file: where the token is told from others";
const shortest = 16;

/** Credentials of callers that the listener alone does not tell. The tokens themselves stand in no config. */
export const tokens = z
  .array(
    z
      .strictObject({
        name: z.string({ error: NAME }).min(1, { error: NAME }).max(64, { error: NAME }),
        sha256: z
          .string({ error: DIGEST })
          .regex(/^[0-9a-f]{64}$/, { error: DIGEST })
          .optional(),
        env: z.string().min(1).optional(),
        file: z.string().min(1).optional(),
        operator: z.boolean({ error: "true or false" }).default(false),
      })
      .refine(({ sha256, env, file }) => [sha256, env, file].filter((one) => one !== undefined).length === 1, {
        error: SOURCE,
      }),
    { error: "a list of tokens" },
  )
  .default([])
  .meta({
    description:
      "Bearer tokens: a name, and the digest of the token or the variable or file that holds it. None by default. With an operator's among them, operator's calls need it or the operator listener.",
    examples: [
      [{ name: "operators", sha256: createHash("sha256").update("an example").digest("hex"), operator: true }],
    ],
  });

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
