import type { Checkpoint } from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
import {
  ConversationService,
  type ListCheckpointsRequest,
} from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { type AskOptions, ask } from "./ask.ts";

/** Every page of a list of checkpoints, oldest first. */
export async function allCheckpoints(
  of: ListCheckpointsRequest["of"],
  options: AskOptions,
): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  let pageToken = "";
  do {
    const page = await ask(ConversationService.method.listCheckpoints, { of, pageSize: 1000, pageToken }, options);
    found.push(...page.checkpoints);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return found;
}
