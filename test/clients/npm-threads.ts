import { afterAll, beforeAll } from "vitest";
import { conversationCalls } from "../../src/npm/conversation.ts";
import { createFermata, documentOf, type Fermata, type Protocol } from "../../src/npm/fermata.ts";
import { TestSidecar } from "../transport/sidecars.ts";

// Threads of openai-chat/1 for the tests of the npm client.
export const format = "openai-chat/1";
export const user = { role: "user", content: "Invite Ann and Bob" };
export const done = { role: "assistant", content: "They are invited" };
export const calling = (...ids: readonly string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "mail", arguments: `{"to":"${id}"}` } })),
});
export const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "sent" });

/** A sidecar while the tests of a suite run, and a client of it. */
export function tenantOf(protocol: Protocol, settings: object) {
  const sidecar = new TestSidecar(settings);
  let client: Fermata | undefined;
  beforeAll(() => sidecar.start());
  afterAll(async () => {
    client?.close();
    await sidecar.end();
  });
  return {
    sidecar,
    get fermata() {
      client ??= createFermata(sidecar.address, { protocol, tenant: "acme" });
      return client;
    },
  };
}

let sessions = 0;

/** A new session whose documents were issued one on top of the other, and the id of each. */
export async function sessionOf(fermata: Fermata, stored: readonly (readonly object[])[]) {
  sessions += 1;
  const session = `s${sessions}`;
  const ids: string[] = [];
  for (const messages of stored) {
    const { checkpoint } = await fermata.issue(session, documentOf(format, messages), { expectedHead: ids.at(-1) });
    ids.push(checkpoint?.ref?.checkpointId ?? "");
  }
  return { session, ids };
}

/** What is asked of a replay. */
export type Asked = Parameters<Fermata["conversation"]["replay"]>[0];

/** The calls of a client whose streams are changed on their way. */
export function over({ conversation }: Fermata, replay: Fermata["conversation"]["replay"]) {
  return conversationCalls({ ...conversation, replay }, "acme");
}
