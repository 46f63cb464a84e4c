import { type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { type LeafClass, leafClasses } from "./class-names.ts";
import type { Taxonomy, TaxonomyLeaf } from "./taxonomy.ts";

/** The lines of the Python client's errors.py: a class for each leaf below the class of its parent, its facts as typed properties. */
export function pythonErrors(taxonomy: Taxonomy, file: DescFile): readonly string[] {
  const classes = leafClasses(taxonomy);
  const leafOf = new Map(taxonomy.leaves.map((leaf) => [leaf.reason, leaf]));
  const nameOf = (reason: string | undefined) => classes.find((one) => one.reason === reason)?.name ?? "FermataError";
  return [
    ...opening,
    ...classes.flatMap((one) => {
      const base = nameOf(one.parents[0]);
      const leaf = leafOf.get(one.reason);
      return leaf === undefined
        ? rootClass(one, base)
        : leafClass({ ...one, base, leaf, message: messageOf(file, leaf) });
    }),
    ...tables(classes),
  ];
}

interface PythonLeaf extends LeafClass {
  readonly base: string;
  readonly leaf: TaxonomyLeaf;
  readonly message: DescMessage;
}

/** What a leaf's text gains in Python; the mixins stand in _fermata_error.py. */
const mixins: Readonly<Record<string, string>> = { FORCED_TOOL_UNAVAILABLE: "TellsNames" };

const opening = [
  "# Generated from proto/fermata/refusal/v1/refusal.proto by `npm run generate`. Change it there.",
  '"""The refusals of Fermata as exceptions: a class for each leaf, below the class of its parent."""',
  "",
  "from __future__ import annotations",
  "",
  "from collections.abc import Mapping",
  "from datetime import datetime, timedelta",
  "from typing import ClassVar, Final, NamedTuple",
  "",
  "from fermata._fermata_error import FermataError, NameSample, TellsNames",
];

function messageOf(file: DescFile, leaf: TaxonomyLeaf): DescMessage {
  const field = file.messages
    .find(({ name }) => name === "Refusal")
    ?.fields.find(({ number }) => number === leaf.number);
  if (field?.fieldKind !== "message") throw new Error(`${leaf.reason} is no message of refusal.proto`);
  return field.message;
}

function rootClass({ name, reason }: LeafClass, base: string): readonly string[] {
  const about = `Every refusal below ${reason}. Never alone on the wire: it is what to catch for all of them.`;
  return ["", "", `class ${name}(${base}):`, ...docstring("    ", [about])];
}

function leafClass({ leaf, message, name, base }: PythonLeaf): readonly string[] {
  const causes = leaf.causes.map((cause) => `- ${cause.name}: ${cause.about}`);
  const mixin = mixins[leaf.reason];
  return [
    "",
    "",
    `class ${name}(${mixin === undefined ? base : `${mixin}, ${base}`}):`,
    ...docstring("    ", [leaf.about, leaf.rule.advice, ...(causes.length > 0 ? ["Causes:", ...causes] : [])]),
    "",
    `    REASON: ClassVar[str] = "${leaf.reason}"`,
    ...message.nestedMessages.flatMap(nestedClass),
    ...message.fields.filter((field) => field.name !== "cause").flatMap((field) => fact(field, leaf)),
  ];
}

function nestedClass({ name, fields }: DescMessage): readonly string[] {
  return [
    "",
    `    class ${name}(NamedTuple):`,
    ...docstring("        ", ["One of several facts of the same kind."]),
    "",
    ...fields.map((field) => `        ${field.name}: ${factType(field).type}`),
  ];
}

function fact(field: DescField, leaf: TaxonomyLeaf): readonly string[] {
  const { type, reader } = factType(field);
  const about = leaf.facts.find(({ name }) => name === field.name)?.about ?? "";
  return [
    "",
    "    @property",
    `    def ${field.name}(self) -> ${type}:`,
    ...docstring("        ", [about]),
    `        return ${reader}`,
  ];
}

interface FactType {
  readonly type: string;
  readonly reader: string;
}

/** How a fact reads in Python, and which reader of FermataError brings it. */
function factType(field: DescField): FactType {
  const read = (method: string) => `self.${method}("${field.name}")`;
  if (field.fieldKind === "enum") return { type: "str", reader: read("_word") };
  if (field.fieldKind === "message") return messageType(field.message.typeName, read);
  if (field.fieldKind === "scalar") return scalarType(field, read);
  if (field.fieldKind === "list" && field.listKind === "scalar")
    return { type: "tuple[str, ...]", reader: read("_texts") };
  if (field.fieldKind === "list" && field.listKind === "message") return listType(field.name, field.message);
  throw new Error(`errors.py has no type for ${field.name}`);
}

function messageType(typeName: string, read: (method: string) => string): FactType {
  switch (typeName) {
    case "google.protobuf.Timestamp":
      return { type: "datetime | None", reader: read("_instant") };
    case "google.protobuf.Duration":
      return { type: "timedelta | None", reader: read("_duration") };
    case "fermata.refusal.v1.NameSample":
      return { type: "NameSample", reader: read("_names") };
  }
  throw new Error(`errors.py has no type for ${typeName}`);
}

function scalarType(field: DescField & { fieldKind: "scalar" }, read: (method: string) => string): FactType {
  const optional = field.presence === FeatureSet_FieldPresence.EXPLICIT;
  if (field.scalar === ScalarType.STRING) return { type: "str", reader: read("_text") };
  if (field.scalar === ScalarType.BOOL) return { type: "bool", reader: read("_flag") };
  return optional ? { type: "int | None", reader: read("_optional_number") } : { type: "int", reader: read("_number") };
}

/** A list of messages with string fields only becomes a tuple of named tuples. */
function listType(name: string, { name: nested, fields, parent }: DescMessage): FactType {
  const owner = parent === undefined ? "" : "self.";
  const values = fields.map((field) => `each.${field.name}`).join(", ");
  const type = `tuple[${parent === undefined ? nested : `${parent.name}.${nested}`}, ...]`;
  return { type, reader: `tuple(${owner}${nested}(${values}) for each in self._messages("${name}"))` };
}

/** By reason: what decoding looks a class up in. */
function tables(classes: readonly LeafClass[]): readonly string[] {
  return [
    "",
    "",
    "# Which class a reason is, also one that never stands alone on the wire.",
    "CLASSES: Final[Mapping[str, type[FermataError]]] = {",
    ...classes.map(({ reason, name }) => `    "${reason}": ${name},`),
    "}",
    "",
    "__all__ = [",
    ...classes.map(({ name }) => `    "${name}",`).toSorted(),
    "]",
  ];
}

/** A docstring of paragraphs, wrapped so that no line is longer than 110 characters. */
function docstring(indent: string, paragraphs: readonly string[]): readonly string[] {
  const [first = "", ...rest] = paragraphs.map((paragraph) => paragraph.replaceAll("\\", "\\\\"));
  const opened = wrapped(`"""${first}`, indent);
  if (rest.length === 0 && opened.length === 1) return [`${opened[0]}"""`];
  const others = rest.flatMap((paragraph) => [
    ...(paragraph.startsWith("- ") ? [] : [""]),
    ...wrapped(paragraph, indent),
  ]);
  return [...opened, ...others, `${indent}"""`];
}

function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > 107) {
      lines.push(indent + line);
      line = text.startsWith("- ") ? `  ${word}` : word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}
