import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { readYaml } from "../config/yaml-text.ts";
import { type Stage, StageSchema } from "../gen/fermata/palette/v1/palette_pb.ts";
import { type ResolveRequest, ResolveRequestSchema } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inputName, readInput } from "./read-input.ts";
import { type NamedTool, readTools } from "./read-tools.ts";

/** What the command line says of a turn. */
export interface TurnOptions {
  readonly tools: readonly string[];
  readonly skill?: readonly string[];
  readonly force?: string;
  readonly stages?: string;
  readonly label?: readonly string[];
  readonly called?: readonly string[];
  readonly always?: readonly string[];
  readonly explain?: true;
  readonly json?: true;
}

/** The request of a turn. People always get the trace, since they see what was removed by what; scripts ask for it. */
export function toRequest(options: TurnOptions): ResolveRequest {
  const { skill, force, stages, label = [], called = [], always = [] } = options;
  const rows = skill?.map((name) => ({ skillId: name, actionTool: name }));
  return create(ResolveRequestSchema, {
    registered: { case: "registry", value: { tools: readRegistry(options.tools) } },
    procedural: rows === undefined ? { case: undefined } : { case: "skills", value: { rows } },
    alwaysOffer: [...always],
    stages: stages === undefined ? [] : readStages(stages),
    ...(force !== undefined && { forcedTool: force }),
    callsMade: [...called],
    labels: Object.fromEntries(label.map(toLabel)),
    explain: options.explain === true || options.json !== true,
  });
}

interface PlacedTool extends NamedTool {
  readonly file: string;
}

/** The tools of all files in their order. A name that stands twice is refused here, where the files are known. */
function readRegistry(files: readonly string[]): { name: string; tags: string[] }[] {
  const tools = files.flatMap(readFile);
  const first = new Map<string, string>();
  for (const { name, file } of tools) {
    const before = first.get(name);
    if (before !== undefined)
      throw unusable(file, `${JSON.stringify(name)} again, which ${before} has; names are unique`);
    first.set(name, inputName(file));
  }
  return tools.map(({ name, tags }) => ({ name, tags: [...tags] }));
}

function readFile(file: string): readonly PlacedTool[] {
  const read = readTools(readInput(file));
  if (read.kind === "unreadable") throw unusable(file, `${read.found}; ${EXPECTED}`);
  for (const note of read.notes) process.stderr.write(`note: ${inputName(file)}: ${note}\n`);
  return read.tools.map((tool) => ({ ...tool, file }));
}

const EXPECTED =
  "needed is an MCP tools/list answer, an OpenAI, Anthropic or Gemini tools array or request, or a list of names (JSON, or one a line)";

/** The stages of a request, in the form that the config has, too; `when` is the operator's and stands in the config only. */
function readStages(file: string): Stage[] {
  const read = readYaml(readInput(file));
  if (read.kind === "unreadable") throw unusable(file, `neither YAML nor JSON: ${read.message}${lineText(read.line)}`);
  try {
    const document = read.value;
    const list: unknown = Array.isArray(document) ? document : Object(document).stages;
    if (!Array.isArray(list)) throw unusable(file, "no list of stages");
    return list.map((stage: JsonValue) => fromJson(StageSchema, stage));
  } catch (thrown) {
    if (thrown instanceof CommandEnd || !(thrown instanceof Error)) throw thrown;
    throw unusable(file, `a stage that cannot be read: ${thrown.message}`);
  }
}

function lineText(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}

function toLabel(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new CommandEnd(exitCodes.usage, `--label needs name=value, and got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function unusable(file: string, found: string): CommandEnd {
  return new CommandEnd(exitCodes.usage, `${inputName(file)} holds ${found}`);
}
