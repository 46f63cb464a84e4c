import { z } from "zod";

const ROUTE =
  "where a person gets help: printable, one line, at most 128 bytes, such as https://support.example/agents";
const FORMAT = "a format as name/version, such as openai-chat/1";
const PROOF = "a proof as name/kind/version, such as openai-chat/turn-complete/1";
const INSTANT = "an instant in UTC such as 2027-06-01T00:00:00Z";
const SEPARATOR = "one printable ASCII character that is no letter, digit, % or _";

const route = z
  .string({ error: ROUTE })
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, { error: ROUTE })
  .refine((text) => text.trim() === text && Buffer.byteLength(text) <= 128, { error: ROUTE });

const instant = z.iso
  .datetime({ error: INSTANT, abort: true })
  .refine((text) => !Number.isNaN(Date.parse(text)), { error: INSTANT, abort: true })
  .transform((text) => Date.parse(text));

/** Where the caller of an expired format is sent. It stands in refusals, so it is checked here and never cut there. */
export const supportRoute = route.optional().meta({
  description:
    "Where a person gets help when a format has ended. No default: nobody but you knows it, and a format with an end needs one.",
  examples: ["https://support.example/agents"],
});

/** The published support window. Formats of the shipped adapters need no entry: they are current. */
export const formats = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}\/[0-9]{1,9}$/, { error: FORMAT }),
    z
      .strictObject({
        status: z.string().min(1).max(64).optional(),
        supportedUntil: instant.optional(),
        replayUntil: instant.optional(),
        boundaryProofs: z
          .array(z.string({ error: PROOF }).regex(/^[a-z0-9._/-]{1,128}$/, { error: PROOF }), {
            error: "a list of proofs",
          })
          .optional(),
        supportRoute: route.optional(),
      })
      .refine((found) => found.replayUntil === undefined || found.supportedUntil !== undefined, {
        path: ["replayUntil"],
        error: "only beside supportedUntil: what never ends needs no end of its replay",
      })
      .refine((found) => (found.replayUntil ?? Number.POSITIVE_INFINITY) >= (found.supportedUntil ?? 0), {
        path: ["replayUntil"],
        error: "not before supportedUntil: replay is the way out after the end",
      }),
  )
  .prefault({})
  .meta({
    description:
      "Formats with an end, with proofs of their own or without an adapter. None by default: the shipped ones are current.",
    examples: [
      {
        "openai-chat/1": { status: "current", boundaryProofs: ["openai-chat/turn-complete/1"] },
        "langgraph/3": { supportedUntil: "2027-06-01T00:00:00Z", replayUntil: "2027-12-01T00:00:00Z" },
      },
    ],
  });

/** How older hosts made their thread keys: the segments in their order, and how many separators such a key holds. */
export const derivations = z
  .record(
    z.string().min(1).max(64),
    z
      .strictObject({
        segments: z
          .array(z.enum(["tenant", "sub_tenant", "session"], { error: "tenant, sub_tenant or session" }))
          .min(1)
          .max(3)
          .refine((names) => new Set(names).size === names.length, { error: "each segment once" }),
        separators: z.int({ error: "a whole number up to 16" }).max(16, { error: "a whole number up to 16" }),
      })
      .refine((found) => found.separators >= found.segments.length - 1, {
        path: ["separators"],
        error: "at least one less than there are segments",
      }),
  )
  .default({})
  .meta({
    description: "Legacy derivations of thread keys by name. None by default: symfonic/9 is built in.",
    examples: [{ "acme/1": { segments: ["tenant", "session"], separators: 1 } }],
  });

/** What stands between the segments of a thread key. The store remembers it: another value later refuses to start. */
export const separator = z
  .string({ error: SEPARATOR })
  .regex(/^[!-$&-/:-@[-^`{-~]$/, { error: SEPARATOR })
  .default(":")
  .meta({
    description:
      "Separator of thread keys. The colon, since that is what existing hosts use; it cannot change once a store exists.",
  });
