import type { Answer } from "../client.ts";
import type { Config } from "../config.ts";
import { judge as judgeDocument } from "../domain/conversation/judge.ts";
import { publishWindow } from "../domain/conversation/support-window.ts";
import type { JudgeRequest, JudgeResponse } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { judge } from "../rpc/conversation/judge.ts";
import { toEnding } from "./resolve-here.ts";

/** Judges in this process, by the same function and with the same refusal as a sidecar with this config. */
export async function judgeHere(request: JudgeRequest, config: Config): Promise<Answer<JudgeResponse>> {
  const window = publishWindow(config);
  if (window.kind === "invalid") throw new Error("a config with a wrong support window was loaded");
  const answer = judge({
    documents: { judge: async (judged) => judgeDocument(judged).verdict },
    window: () => window.value,
    clock: Date.now,
    maxDocumentBytes: config.limits.maxDocumentBytes,
  });
  const outcome = await answer(request, { deadline: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal });
  return outcome.kind === "ok" ? outcome : toEnding(outcome);
}
