import { type Answer, connect, type SidecarClient } from "../../src/client.ts";
import {
  ConversationService,
  type IssueResponse,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { start } from "./sidecar.ts";

/** What came of many races for one head. `wrong` is everything that must not be. */
export interface RaceFinding {
  readonly rounds: number;
  readonly won: number;
  readonly conflicts: number;
  /** Calls that gave the winner's key and body once more, at the same moment or afterwards, and got its answer. */
  readonly repeated: number;
  readonly wrong: readonly string[];
}

const hosts = 8;
const sidecars = 2;

/** Lets eight hosts at two sidecars on one store issue on one head at once, round after round; the winner's is the next head. */
export async function oneHeadTrial(rounds: number): Promise<RaceFinding> {
  const { path: folder, remove } = temporaryFolder();
  const started = await Promise.all(Array.from({ length: sidecars }, () => start({ folder })));
  const clients = Array.from({ length: hosts }, (_, host) => connect(started[host % sidecars]?.address ?? "", 30_000));
  const finding = { rounds, won: 0, conflicts: 0, repeated: 0, wrong: [] as string[] };
  try {
    let head: string | undefined;
    for (let round = 0; round < rounds; round += 1) head = await race({ clients, round, head, finding });
    return finding;
  } finally {
    for (const client of clients) client.close();
    await Promise.all(started.map((sidecar) => sidecar.kill()));
    remove();
  }
}

interface Race {
  readonly clients: readonly SidecarClient[];
  readonly round: number;
  readonly head: string | undefined;
  readonly finding: { won: number; conflicts: number; repeated: number; readonly wrong: string[] };
}

/** Hosts 0 and 1 stand at different sidecars and send the same call with the same key: whatever it is, it is one. */
async function race({ clients, round, head, finding }: Race): Promise<string | undefined> {
  const send = (client: SidecarClient, host: number): Promise<Answer<IssueResponse>> =>
    client.unary(ConversationService.method.issue, requestOf(round, host === 1 ? 0 : host, head));
  const answers = await Promise.all(clients.map(send));
  const winners = answers.flatMap((answer) => (answer.kind === "ok" ? [answer.value] : []));
  const next = winners[0]?.checkpoint?.ref?.checkpointId;
  const first = winners.filter(({ firstAnswerRepeated }) => !firstAnswerRepeated);
  finding.won += first.length;
  finding.repeated += winners.length - first.length;
  if (first.length !== 1) finding.wrong.push(`round ${round}: ${first.length} have won`);
  if (winners.some(({ checkpoint }) => checkpoint?.ref?.checkpointId !== next))
    finding.wrong.push(`round ${round}: two heads`);
  if (answers[0]?.kind !== answers[1]?.kind) finding.wrong.push(`round ${round}: a duplicate key was refused`);
  for (const answer of answers) countLoser(answer, { round, next, finding });
  await retryOfWinner(
    { clients, round, head, finding },
    answers.findIndex(({ kind }) => kind === "ok"),
    next,
  );
  return next;
}

function countLoser(
  answer: Answer<IssueResponse>,
  { round, next, finding }: Omit<Race, "clients" | "head"> & { readonly next: string | undefined },
): void {
  if (answer.kind === "ok") return;
  const leaf = answer.refusal?.leaf;
  if (leaf?.case === "headConflict" && leaf.value.actualHead === next) finding.conflicts += 1;
  else finding.wrong.push(`round ${round}: a loser was told ${leaf?.case ?? answer.text}`);
}

/** Once more at the other sidecar, when the head has moved. */
async function retryOfWinner(
  { clients, round, head, finding }: Race,
  winner: number,
  next: string | undefined,
): Promise<void> {
  const answer = await clients[(winner + 1) % hosts]?.unary(
    ConversationService.method.issue,
    requestOf(round, winner === 1 ? 0 : winner, head),
  );
  const same =
    answer?.kind === "ok" && answer.value.firstAnswerRepeated && answer.value.checkpoint?.ref?.checkpointId === next;
  if (same) finding.repeated += 1;
  else finding.wrong.push(`round ${round}: the winner's retry did not get its answer`);
}

function requestOf(round: number, host: number, head: string | undefined) {
  const turn = [
    { role: "user", content: `Host ${host} in round ${round}` },
    { role: "assistant", content: "done" },
  ];
  return {
    key: { case: "identity" as const, value: { tenantId: "race", sessionId: "one" } },
    document: { format: "openai-chat/1", content: { case: "text" as const, value: JSON.stringify(turn) } },
    idempotencyKey: `${round}/${host}`,
    ...(head === undefined ? {} : { expectedHead: head }),
  };
}
