import { status } from "@grpc/grpc-js";
import type { Taxonomy, TaxonomyCause, TaxonomyLeaf, TaxonomyRule } from "./taxonomy.ts";

/** The lines of docs/refusals.md: an overview first, then what an operator looks for by a reason. */
export function refusalsPage(taxonomy: Taxonomy): readonly string[] {
  const [, order = "", limits = ""] = taxonomy.about;
  const isTaxonomy = (leaf: TaxonomyLeaf) => leaf.number <= 20;
  return [
    ...opening,
    "## Overview",
    ...overview("The taxonomy: what Fermata decides.", taxonomy.leaves.filter(isTaxonomy)),
    ...overview(
      "The other endings: what any server has.",
      taxonomy.leaves.filter((leaf) => !isTaxonomy(leaf)),
    ),
    ...remedies(taxonomy),
    "## Which one comes first",
    "",
    order,
    "",
    "## How large a status can be",
    "",
    limits,
    "",
    ...bareStatuses,
    "## Each refusal",
    "",
    ...taxonomy.leaves.flatMap(leafSection),
  ];
}

const opening = [
  "<!-- Generated from proto/fermata/refusal/v1/refusal.proto by `npm run generate`. Change it there. -->",
  "",
  "# Refusals",
  "",
  "Search this page for the reason in your log, or ask `fermata explain REASON`: both read the same rules.",
  "The reason stands in `google.rpc.ErrorInfo` (`reason`, with `domain` `fermata`), its cause and facts in the metadata beside it.",
  "Every client, Python, Go or TypeScript, gets the same code, text, metadata and details. Every ending but OK is one of these.",
  "",
  "Decide by reason, cause and remedy, never by the text. A program that does not know a reason goes by the nearest parent that it",
  "knows, else by the remedy, else by the code; an unknown reason with FAILED_PRECONDITION or INVALID_ARGUMENT is not worth a retry.",
  "",
];

function overview(title: string, leaves: readonly TaxonomyLeaf[]): readonly string[] {
  return [
    "",
    title,
    "",
    "| reason | code | parent | remedy | fixed by |",
    "|---|---|---|---|---|",
    ...leaves.map(
      ({ reason, rule }) =>
        `| [${reason}](#${reason.toLowerCase()}) | ${codeText(rule.code)} | ${rule.parent} | ${rule.remedy} | ${rule.fixedBy} |`,
    ),
  ];
}

function remedies({ remedies }: Taxonomy): readonly string[] {
  return [
    "",
    "A cause may have another code, remedy or text than its leaf; that stands with the cause.",
    "",
    "## Remedies",
    "",
    "| remedy | what it means |",
    "|---|---|",
    ...remedies.map(({ name, about }) => `| ${name} | ${about} |`),
    "",
  ];
}

/** Endings that a library makes without us; they have no ErrorInfo, so this page cannot take them from the proto. */
const bareStatuses = [
  "## Statuses without a reason",
  "",
  "A status without `ErrorInfo` comes from a library, not from Fermata:",
  "",
  "| code | when | what to do |",
  "|---|---|---|",
  "| UNIMPLEMENTED (12) | there is no such method on this sidecar | call a sidecar that has it, or upgrade |",
  "| RESOURCE_EXHAUSTED (8) | over gRPC, a message is larger than the message limit | send less, or raise `limits.maxDocumentBytes` |",
  "| INTERNAL (13) | the bytes of the request are no message | generate the client from this version of the proto |",
  "| UNAVAILABLE (14) | no connection: made by the client itself | see whether the sidecar runs (`fermata wait`), then call again |",
  "| DEADLINE_EXCEEDED (4) | the client stopped waiting before our answer came | send it again with the same idempotency key |",
  "| CANCELLED (1) | the client cancelled the call | nothing |",
  "",
];

function leafSection(leaf: TaxonomyLeaf): readonly string[] {
  const { reason, about, rule, causes } = leaf;
  return [
    `### ${reason}`,
    "",
    about,
    "",
    `- code: ${codeText(rule.code)}`,
    `- parent: ${rule.parent || "none"}`,
    `- remedy: ${rule.remedy}`,
    `- fixed by: ${rule.fixedBy}`,
    `- text: \`${rule.text}\`${causes.length > 0 ? " (where the cause has none of its own)" : ""}`,
    "",
    `**What to do.** ${rule.advice}`,
    "",
    ...causes.flatMap((cause) => causeSection(leaf, cause)),
    ...factsTable(leaf),
  ];
}

function causeSection({ reason }: TaxonomyLeaf, { name, about, rule }: TaxonomyCause): readonly string[] {
  const differs = causeLines(rule);
  return [
    `#### ${reason} / ${name}`,
    "",
    about,
    "",
    ...(differs.length > 0 ? [...differs, ""] : []),
    ...(rule.advice === "" ? [] : [`**What to do.** ${rule.advice}`, ""]),
  ];
}

function causeLines(rule: TaxonomyRule): readonly string[] {
  return [
    rule.code === 0 ? "" : `- code: ${codeText(rule.code)}`,
    rule.remedy === "" ? "" : `- remedy: ${rule.remedy}`,
    rule.fixedBy === "" ? "" : `- fixed by: ${rule.fixedBy}`,
    rule.text === "" ? "" : `- text: \`${rule.text}\``,
  ].filter((line) => line !== "");
}

function factsTable({ facts }: TaxonomyLeaf): readonly string[] {
  if (facts.length === 0) return [];
  return ["| fact | what it says |", "|---|---|", ...facts.map(({ name, about }) => `| \`${name}\` | ${about} |`), ""];
}

function codeText(code: number): string {
  return `${status[code] ?? "unknown"} (${code})`;
}
