/** An entry of an openai-chat document, as far as these tests write them. */
export interface ChatEntry {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

/** A call of the one tool that there is: it appends its argument to a file. */
export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: "append"; readonly arguments: string };
}

/** What the user says in each turn, and the calls that the model then makes: steps, each of which may be several at once. */
export const script = [
  { input: "first", steps: [["1a"]] },
  { input: "second", steps: [["2a", "2b"], ["2c"]] },
  { input: "third", steps: [["3a"]] },
] as const;

/** Every side effect of the script. */
export const effects: readonly string[] = script.flatMap(({ steps }) => steps.flat());

/** What comes next in a conversation: the same history is always followed by the same. */
export type Next =
  | { readonly kind: "entry"; readonly entry: ChatEntry }
  | { readonly kind: "tool"; readonly call: ToolCall }
  | { readonly kind: "end" };

/** Plays user and model. Ids of calls are new each time, as a model's are: only names and arguments say that a call is the same. */
export function nextOf(entries: readonly ChatEntry[], newId: () => string): Next {
  const start = entries.findLastIndex(({ role }) => role === "user");
  const turn = entries.filter(({ role }) => role === "user").length;
  const open = openCall(entries);
  if (open !== undefined) return { kind: "tool", call: open };
  const last = entries.at(-1);
  if (last === undefined || (last.role === "assistant" && last.tool_calls === undefined)) return input(turn);
  const made = entries.slice(start).filter(({ tool_calls }) => tool_calls !== undefined).length;
  const step = script[turn - 1]?.steps[made];
  return { kind: "entry", entry: step === undefined ? answer(turn) : calling(step, newId) };
}

/** What a call does, whatever its id is. */
export function effectOf(call: ToolCall): string {
  return JSON.parse(call.function.arguments).effect;
}

function openCall(entries: readonly ChatEntry[]): ToolCall | undefined {
  const answered = new Set(entries.map(({ tool_call_id }) => tool_call_id));
  return entries.flatMap(({ tool_calls }) => tool_calls ?? []).find(({ id }) => !answered.has(id));
}

function input(turns: number): Next {
  const next = script[turns];
  return next === undefined ? { kind: "end" } : { kind: "entry", entry: { role: "user", content: next.input } };
}

function answer(turn: number): ChatEntry {
  return { role: "assistant", content: `turn ${turn} is done` };
}

function calling(step: readonly string[], newId: () => string): ChatEntry {
  const calls = step.map((effect): ToolCall => {
    return { id: newId(), type: "function", function: { name: "append", arguments: JSON.stringify({ effect }) } };
  });
  return { role: "assistant", content: null, tool_calls: calls };
}
