import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { refused } from "./show-refusal.ts";

/** Options of the commands that ask a sidecar. */
export interface AskOptions {
  readonly target: string;
  readonly json?: boolean;
}

/** Where a sidecar listens if nobody says otherwise. */
export const usualTarget = "127.0.0.1:50551";

const patience = 15_000;

/** Asks a sidecar once. Ends the command for anything but an answer. */
export async function ask<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  { target, json }: AskOptions,
): Promise<MessageShape<O>> {
  const { connect } = await import("../client.ts");
  const client = connect(target, patience);
  try {
    const answer = await client.unary(method, request);
    if (answer.kind === "ended") throw refused(answer, target, json === true);
    return answer.value;
  } finally {
    client.close();
  }
}
