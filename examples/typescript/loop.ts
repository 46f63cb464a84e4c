// An agent's loop that outlives a kill in the middle of a tool call. `loop.ts SESSION crash` is killed when its second
// mail is out and nobody knows of it yet; `loop.ts SESSION` goes on. SESSION.log is what went out: each mail, once.
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { contentOf, createFermata, documentOf, factsOf, jsonOf, type Replayed } from "fermata";

type Call = { id: string; type: "function"; function: { name: string; arguments: string } };
type Message = { role: string; content: string | null; tool_calls?: Call[]; tool_call_id?: string };

const [, , session = "", crash] = process.argv;
const outbox = `${session}.log`;
const tools = ["search", "send_mail", "delete_mail"];
const nameOf = ({ function: called }: Call) => called.name;
const meaning = (call: Call) => [nameOf(call), JSON.parse(call.function.arguments)];
const answer = (id: string, content: string): Message => ({ role: "tool", tool_call_id: id, content });
const wentOut = (id: string) => readFileSync(outbox, { encoding: "utf8", flag: "a+" }).includes(`${id} `);
const fermata = createFermata(process.env["FERMATA_TARGET"] ?? "127.0.0.1:50551", { tenant: "acme" });

const found = await fermata.recover(session).catch((refused: unknown) => {
  if (!factsOf(refused, "threadNotFound")) throw refused;
});
if (!found) await drive([{ role: "user", content: "Invite Ann and Bob" }]);
else if (found.document) console.log((contentOf(found.document) as Message[]).at(-1)?.content);
else await drive([...found.prefix, ...found.reDrive].map(jsonOf) as Message[], found);
fermata.close();

/** Goes through a turn to its end, and with a replay through one that was cut short. What is new is issued before it runs. */
async function drive(history: Message[], replay?: Replayed): Promise<void> {
  const settled = replay ? settledIn(replay) : [];
  let [head, source] = [replay?.head, replay];
  for (;;) {
    const force = history.at(-1)?.role === "user" ? { force: "send_mail" } : {}; // for one model call
    const palette = await fermata.resolve({ tools, skills: ["send_mail"], ...force });
    const said = model(history, palette.offered, palette.forcedTool);
    const calls = said.tool_calls ?? [];
    await fermata.verify(palette, calls.map(nameOf)); // rejects if one was not offered
    history.push(said);
    const open = calls.filter((call) => {
      const at = settled.findIndex((past) => isDeepStrictEqual(meaning(past.call), meaning(call)));
      const [past] = settled.splice(at, at < 0 ? 0 : 1);
      if (past) call.id = past.call.id; // by which its tool knows it
      if (past) history.push(past.result);
      return !past;
    });
    const done = calls.length === 0;
    if (done || open.length > 0) {
      if (settled.length > 0) throw new Error("the turn goes another way than before the crash: ask a person");
      const state = documentOf("openai-chat/1", history);
      const stored = source && done ? source.register(state) : fermata.issue(session, state, { expectedHead: head });
      [head, source] = [(await stored).checkpoint?.ref?.checkpointId, undefined];
    }
    if (done) return console.log(said.content);
    for (const call of open) history.push(answer(call.id, sendMail(call)));
  }
}

/** The calls that happened: those with a result in the evidence, and those in doubt whose mail is in the outbox. */
function settledIn({ evidence, void: left, inDoubt }: Replayed): { call: Call; result: Message }[] {
  const calls = [...evidence, ...left].flatMap((entry) => (jsonOf(entry) as Message).tool_calls ?? []);
  const results = [...evidence.map(jsonOf), ...inDoubt.filter(wentOut).map((id) => answer(id, "sent"))] as Message[];
  return calls.flatMap((call) => results.filter((r) => r.tool_call_id === call.id).map((result) => ({ call, result })));
}

/** Stands in for a model's API. It mails to Ann, then to Bob, by the tool that it must use or the first that it is offered. */
function model(history: readonly Message[], offered: readonly string[], choice: string | undefined): Message {
  const to = ["ann", "bob"][history.filter(({ role }) => role === "assistant").length];
  if (to === undefined) return { role: "assistant", content: "Ann and Bob are invited" };
  const mail = { name: choice ?? offered[0] ?? "", arguments: JSON.stringify({ to }) };
  return { role: "assistant", content: null, tool_calls: [{ id: randomUUID(), type: "function", function: mail }] };
}

/** Writes one line for each mail that goes out, as often as it is called. It may be killed before it can say so. */
function sendMail({ id, function: called }: Call): string {
  const { to } = JSON.parse(called.arguments);
  appendFileSync(outbox, `${id} ${to}\n`);
  if (crash === "crash" && to === "bob") process.kill(process.pid, "SIGKILL");
  return "sent";
}
