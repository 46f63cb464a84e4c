// What stands in for a model's API and for a tool that does something outside, so that the example runs anywhere.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** An entry of an openai-chat document. */
export interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
}

export interface Call {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

const [, , session = "", crash] = process.argv;
const outbox = `${session}.log`;

/** Mails to Ann, then to Bob, then is done. It calls what it must, or the first tool that it is offered. */
export function model(history: readonly Message[], tools: readonly string[], choice: string | undefined): Message {
  const to = ["ann", "bob"][history.filter(({ role }) => role === "assistant").length];
  if (to === undefined) return { role: "assistant", content: "Ann and Bob are invited" };
  const mail = { name: choice ?? tools[0] ?? "", arguments: JSON.stringify({ to }) };
  const call: Call = { id: `call_${randomUUID()}`, type: "function", function: mail };
  return { role: "assistant", content: null, tool_calls: [call] };
}

/** Writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so. */
export function sendMail(id: string, { to }: { readonly to: string }): string {
  appendFileSync(outbox, `${id} ${to}\n`);
  if (crash === "crash" && to === "bob") process.kill(process.pid, "SIGKILL");
  return "sent";
}

/** Whether the mail of this call is in the outbox. */
export function wentOut(id: string): boolean {
  return existsSync(outbox) && readFileSync(outbox, "utf8").includes(`${id} `);
}
