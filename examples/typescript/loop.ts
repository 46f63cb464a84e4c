// An agent's loop that outlives a kill in the middle of a tool call: no mail goes out twice, and none is left out.
//
// `loop.ts SESSION crash` is killed when its second mail is out and nobody knows of it yet; `loop.ts SESSION` goes on.
// SESSION.log is what went out.
import { createFermata, factsOf } from "fermata";
import { type Past, readReplay, takeOver } from "./past.ts";
import { type Message, model, sendMail, wentOut } from "./world.ts";

const tools = ["search", "send_mail", "delete_mail"];
const identity = { tenantId: "acme", sessionId: process.argv[2] ?? "" };
const thread = { by: { case: "identity", value: identity } } as const;
const fermata = createFermata(process.env["FERMATA_TARGET"] ?? "127.0.0.1:50551");

try {
  const { document } = await fermata.conversation.resume({ thread });
  console.log(JSON.parse(String(document?.content.value)).at(-1).content);
} catch (refused) {
  const unsafe = factsOf(refused, "unsafeBoundary");
  if (unsafe?.replayPossible) {
    const past = await readReplay(fermata.conversation.replay({ thread, checkpointId: unsafe.checkpointId }));
    console.log(`in the middle of a turn, so it is replayed; in doubt: ${[...past.inDoubt]}`);
    await drive(past.history, past);
  } else if (factsOf(refused, "threadNotFound")) {
    await drive([{ role: "user", content: "Invite Ann and Bob" }]);
  } else throw refused;
} finally {
  fermata.close();
}

/** Goes through a turn to its end, and with a past through one that was cut short. */
async function drive(begun: readonly Message[], past?: Past): Promise<void> {
  const history = [...begun];
  let stored = past === undefined ? {} : { expectedHead: past.source };
  let replay = past;
  for (;;) {
    const force = history.at(-1)?.role === "user" ? { force: "send_mail" } : {}; // for one model call
    const palette = await fermata.resolve({ tools, skills: ["send_mail"], ...force });
    const said = model(history, palette.offered, palette.forcedTool);
    const made = said.tool_calls ?? [];
    await fermata.verify(
      palette,
      made.map((call) => call.function.name),
    ); // rejects if one was not offered
    const known = made.map((call) => past && takeOver(past, call));
    const calls = made.map((call, at) => known[at] ?? call);
    const happened = calls.flatMap(({ id }) => past?.results.get(id) ?? []);
    history.push(calls.length > 0 ? { ...said, tool_calls: calls } : said, ...happened);
    if (calls.length === 0 || known.includes(undefined)) {
      // A new call is written down before it runs, and a turn at its end.
      if (past && past.calls.length > 0)
        throw new Error("the turn goes another way than before the crash: ask a person");
      stored = { expectedHead: await store(history, calls.length === 0 ? replay : undefined) };
      replay = undefined;
    }
    if (calls.length === 0) return console.log(said.content);
    for (const [at, { id, function: called }] of calls.entries()) {
      if (past?.results.has(id)) continue;
      const content = known[at] && wentOut(id) ? "sent" : sendMail(id, JSON.parse(called.arguments));
      history.push({ role: "tool", tool_call_id: id, content });
    }
  }

  async function store(messages: readonly Message[], whole: Past | undefined): Promise<string> {
    const document = { format: "openai-chat/1", content: { case: "text", value: JSON.stringify(messages) } } as const;
    const { conversation } = fermata;
    const { checkpoint } = whole
      ? await conversation.registerReplay({ document, replayId: whole.replayId, sourceCheckpointId: whole.source })
      : await conversation.issue({ document, key: thread.by, ...stored });
    return checkpoint?.ref?.checkpointId ?? "";
  }
}
