import { z } from "zod";

const words = z.array(z.string(), { error: "a list of words" });
const rule = z.strictObject({ names: words.optional(), globs: words.optional(), tags: words.optional() });

const stage = z.strictObject({
  name: z.string({ error: "a name, which refusals and explanations show" }),
  protectsForced: z.boolean({
    error:
      "true or false, always written: true cannot lose the forced tool, false is a hard filter that refuses the call",
  }),
  when: z.record(z.string(), z.string({ error: "the value of a label, as text" })).optional(),
  allow: rule.optional(),
  deny: rule.optional(),
  limit: z.int({ error: "how many tools to keep" }).optional(),
});

/** The operator's stages as they are written. What a stage may say is the domain's rule; here stands only its shape. */
export const palette = z
  .strictObject({
    stages: z
      .array(stage, { error: "a list of stages" })
      .default([])
      .meta({
        description:
          "The operator's selection stages, applied before the host's. None by default: a palette is not ours to narrow.",
        examples: [[{ name: "no-mail", protectsForced: false, deny: { globs: ["mail_*"] } }]],
      }),
  })
  .prefault({});
