import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect, type SidecarClient } from "../../src/client.ts";
import { ConversationService } from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Drain, FreezeScope } from "../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import { temporaryFolder } from "../transport/sidecars.ts";
import { type StoreWatch, type WatchedScope, watchStore } from "./freeze-check.ts";
import { kinds, trialFormat } from "./freeze-writers.ts";
import { start } from "./sidecar.ts";

/** What many freezes came to. */
export interface FreezeSummary {
  readonly trials: number;
  /** Trials in which something was committed after FROZEN had been answered. */
  readonly violated: number;
  /** The first of what was committed, in words. */
  readonly violations: readonly string[];
  /** Trials in which a write had been acknowledged before the freeze. */
  readonly busy: number;
  readonly acknowledged: number;
  /** Anything else that must not be: a drain whose sum does not balance, a freeze that was not answered. */
  readonly wrong: readonly string[];
  /** Milliseconds from the call to FROZEN. */
  readonly freezes: readonly number[];
}

/** How many freezes, on which checkout, and who is told of each. */
export interface FreezeSettings {
  readonly trials: number;
  /** A broken variant is a copy. */
  readonly checkout?: string;
  readonly onTrial?: (trials: number, violated: number) => void;
}

/** A store gets a new file after so many, so that a hold on all of it stays quick to count. */
const trialsEach = 150;

/** Freezes while eight writers at two sidecars on one store do every kind of write, again and again. */
export async function freezeTrial({
  trials,
  checkout,
  onTrial = () => undefined,
}: FreezeSettings): Promise<FreezeSummary> {
  const seen: Seen = { trials: 0, violated: 0, violations: [], busy: 0, acknowledged: 0, wrong: [], freezes: [] };
  while (seen.trials < trials) {
    const { path: folder, remove } = temporaryFolder();
    const setting = checkout === undefined ? { folder } : { folder, checkout };
    const started = await Promise.all([start(setting), start(setting)]);
    const clients = started.map(({ address }) => connect(address, 30_000));
    const watch = watchStore(join(folder, "data", "fermata.sqlite"));
    try {
      for (let count = 0; count < trialsEach && seen.trials < trials; count += 1) {
        await oneTrial({ clients, watch }, seen);
        onTrial(seen.trials, seen.violated);
      }
    } finally {
      watch.close();
      for (const client of clients) client.close();
      await Promise.all(started.map((sidecar) => sidecar.kill()));
      remove();
    }
  }
  return seen;
}

interface Seen {
  trials: number;
  violated: number;
  readonly violations: string[];
  busy: number;
  acknowledged: number;
  readonly wrong: string[];
  readonly freezes: number[];
}

interface Bench {
  readonly clients: readonly SidecarClient[];
  readonly watch: StoreWatch;
}

const by = { actor: "trial", reason: "trial" };

/** How long writers go on before and after the freeze, in milliseconds: from their first acknowledgement on, but for some trials. */
const before = 30;
const after = 4;
const coldOnes = 0.03;

async function oneTrial({ clients, watch }: Bench, seen: Seen): Promise<void> {
  seen.trials += 1;
  const scope = scopeOf(seen.trials);
  const writers = startWriters(clients, `tenant-${seen.trials}`);
  if (Math.random() > coldOnes) await writers.first;
  await setTimeout(Math.random() * before);
  const acknowledged = writers.acknowledged();
  const begun = performance.now();
  const operator = clients[seen.trials % clients.length] ?? clients[0];
  const answer = await operator?.unary(ConversationService.method.freeze, {
    freezeId: scope.freezeId,
    scope: scope.message,
    ...by,
  });
  const wall = watch.newest();
  if (answer?.kind !== "ok") seen.wrong.push(`trial ${seen.trials}: ${answer?.text}`);
  seen.freezes.push(performance.now() - begun);
  await setTimeout(after);
  seen.acknowledged += await writers.stop();
  if (acknowledged > 0) seen.busy += 1;
  const violations = watch.committedAfter(wall, scope);
  if (violations.length > 0) seen.violated += 1;
  if (seen.violations.length < 5)
    seen.violations.push(...violations.slice(0, 1).map((words) => `trial ${seen.trials}: ${words}`));
  await endTrial(operator, scope.freezeId, seen);
}

interface Writers {
  /** Resolves with the first acknowledgement. */
  readonly first: Promise<void>;
  readonly acknowledged: () => number;
  /** Resolves when the last call has been answered: with all that were acknowledged. */
  stop(): Promise<number>;
}

function startWriters(clients: readonly SidecarClient[], tenantId: string): Writers {
  let acknowledged = 0;
  let stopped = false;
  const first = Promise.withResolvers<void>();
  const acknowledge = (): void => {
    acknowledged += 1;
    first.resolve();
  };
  const running = kinds.map(async (kind, writer) => {
    const client = clients[writer % clients.length];
    if (client === undefined) return;
    const step = kind({ client, tenantId, name: `w${writer}` });
    while (!stopped) if (await step()) acknowledge();
  });
  return {
    first: first.promise,
    acknowledged: () => acknowledged,
    async stop() {
      stopped = true;
      await Promise.all(running);
      return acknowledged;
    },
  };
}

interface TrialScope extends WatchedScope {
  readonly message: { readonly scope: FreezeScope["scope"] };
}

/** The four kinds of scopes in turn. */
function scopeOf(trial: number): TrialScope {
  const freezeId = `freeze-${trial}`;
  const [tenantId, format] = [`tenant-${trial}`, trialFormat];
  switch (trial % 4) {
    case 0:
      return {
        freezeId,
        tenantId: "",
        format: "",
        message: { scope: { case: "wholeStore", value: { $typeName: "fermata.conversation.v1.WholeStore" } } },
      };
    case 1:
      return { freezeId, tenantId: "", format, message: { scope: { case: "format", value: format } } };
    case 2:
      return { freezeId, tenantId, format: "", message: { scope: { case: "tenantId", value: tenantId } } };
    default: {
      const value = { $typeName: "fermata.conversation.v1.TenantFormat" as const, tenantId, format };
      return { freezeId, tenantId, format, message: { scope: { case: "tenantFormat", value } } };
    }
  }
}

async function endTrial(client: SidecarClient | undefined, freezeId: string, seen: Seen): Promise<void> {
  const of = { case: "freezeId" as const, value: freezeId };
  const drain = await client?.unary(ConversationService.method.getDrain, { of });
  if (drain?.kind !== "ok" || !balances(drain.value.drain))
    seen.wrong.push(`trial ${seen.trials}: a drain that does not balance`);
  const thawed = await client?.unary(ConversationService.method.thaw, { freezeId, ...by });
  if (thawed?.kind !== "ok") seen.wrong.push(`trial ${seen.trials}: ${thawed?.text}`);
}

function balances(drain: Drain | undefined): boolean {
  if (drain === undefined) return false;
  const { atFreeze, adoptedSince, drained, discarded, expired, terminalUnsafe, remaining } = drain;
  return atFreeze + adoptedSince === drained + discarded + expired + terminalUnsafe + remaining;
}
