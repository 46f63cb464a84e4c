import { connect } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";

/** A host that drains a hold: everything that remains is replayed into a format that is not retired. It keeps nothing. */
const [, , address = "", freezeId = ""] = process.argv;
const { listCheckpoints, replay, registerReplay } = ConversationService.method;
const client = connect(address, 15_000);

for (;;) {
  const of = { case: "remainingOfFreezeId" as const, value: freezeId };
  const page = await client.unary(listCheckpoints, { of, pageSize: 50 });
  if (page.kind === "ended") throw new Error(page.text);
  if (page.value.checkpoints.length === 0) break;
  await Promise.all(page.value.checkpoints.map(({ ref }) => drain(ref?.threadKey ?? "", ref?.checkpointId ?? "")));
  process.send?.("page");
}
client.close();
process.disconnect();

async function drain(threadKey: string, source: string): Promise<void> {
  const thread = { by: { case: "threadKey" as const, value: threadKey } };
  let replayId = "";
  const entries: object[] = [];
  for await (const answer of client.serverStream(replay, { thread, checkpointId: source })) {
    if (answer.kind === "ended") return; // Another one was faster: the next page will not have it.
    const { part } = answer.value;
    if (part.case === "header") replayId = part.value.replayId;
    if (part.case === "entries")
      entries.push(...part.value.entries.map(({ entry }) => JSON.parse(Buffer.from(entry?.content ?? []).toString())));
  }
  const document = {
    format: "anthropic-messages/1",
    content: { case: "text" as const, value: JSON.stringify(entries) },
  };
  await client.unary(registerReplay, { replayId, sourceCheckpointId: source, document, expectedHead: source });
}
