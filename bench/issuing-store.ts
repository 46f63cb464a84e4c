import { create } from "@bufbuild/protobuf";
import { symfonic9 } from "../src/domain/conversation/legacy-key.ts";
import { publishWindow } from "../src/domain/conversation/support-window.ts";
import { IssueRequestSchema } from "../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { issue } from "../src/rpc/conversation/issue.ts";
import { openDocuments } from "../src/store/documents.ts";
import { openSqlite } from "../src/store/sqlite/store.ts";

/** Issue on an embedded store of its own, with no server in front of it. */
export interface IssuingStore {
  /** Stores the entries as the next checkpoint of a session's thread. Throws for a refusal. */
  issue(sessionId: string, entries: readonly object[]): Promise<void>;
  /** One round of pruning. */
  prune(): Promise<number>;
  close(): Promise<void>;
}

const call = { deadline: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };

/** Opens a store in a folder, with this clock. */
export async function openIssuing(dataDir: string, clock: () => number): Promise<IssuingStore> {
  const options = { folder: dataDir, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock };
  const { store } = await openSqlite(options);
  const documents = openDocuments();
  const window = publishWindow({ formats: {} });
  if (window.kind === "invalid") throw new Error("the shipped formats have no window");
  const rules = { separator: ":", derivations: [symfonic9] };
  const run = issue({ store, documents, rules, window: () => window.value, clock, maxDocumentBytes: 8 * 1024 * 1024 });
  const heads = new Map<string, string>();
  return {
    async issue(sessionId, entries) {
      const outcome = await run(requestOf(sessionId, entries, heads.get(sessionId)), call);
      if (outcome.kind === "refusal") throw new Error(`refused by ${outcome.leaf.case}`);
      heads.set(sessionId, outcome.value.checkpoint?.ref?.checkpointId ?? "");
    },
    prune: () => store.prune(),
    close: async () => {
      await Promise.all([store.close(), documents.close()]);
    },
  };
}

function requestOf(sessionId: string, entries: readonly object[], expectedHead: string | undefined) {
  return create(IssueRequestSchema, {
    key: { case: "identity", value: { tenantId: "bench", sessionId } },
    document: { format: "openai-chat/1", content: { case: "text", value: JSON.stringify(entries) } },
    ...(expectedHead === undefined ? {} : { expectedHead }),
  });
}
