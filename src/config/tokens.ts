import { createHash } from "node:crypto";
import { z } from "zod";

const NAME = "a name of at most 64 characters, which logs may show";
const DIGEST = "the SHA-256 of the token, 64 hex digits in lower case";
const SOURCE = "exactly one of sha256, env and file: where the token is told from others";

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
