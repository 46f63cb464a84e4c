import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { CommandEnd, exitCodes } from "./exit.ts";
import { inputName, readInput } from "./read-input.ts";
import { refused } from "./show-refusal.ts";

/** Options of the commands that ask a sidecar. */
export interface AskOptions {
  readonly target: string;
  readonly json?: boolean;
  /** The credential that --token-file holds, for a sidecar that wants one: read before anything is said, asked or done. */
  readonly tokenFile?: string;
}

/** Where a sidecar listens if nobody says otherwise. */
export const usualTarget = "127.0.0.1:50551";

const patience = 15_000;

/** Asks a sidecar once. Ends the command for anything but an answer. */
export async function ask<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  { target, json, tokenFile }: AskOptions,
): Promise<MessageShape<O>> {
  const { connect } = await import("../client.ts");
  const client = connect(target, patience, tokenFile);
  try {
    const answer = await client.unary(method, request);
    if (answer.kind === "ended") throw refused(answer, target, json === true);
    return answer.value;
  } finally {
    client.close();
  }
}

/** The token in a file. Ends the command if there is none. */
export function tokenOf(file: string): string {
  const token = readInput(file).trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new CommandEnd(exitCodes.usage, `${inputName(file)} holds no token: one line of printable ASCII is one`);
}
