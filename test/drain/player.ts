import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { drainOf } from "../../src/domain/conversation/drain.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import {
  AdoptRequestSchema,
  AttributeRequestSchema,
  DiscardRequestSchema,
  EraseRequestSchema,
  FreezeRequestSchema,
  GetDrainRequestSchema,
  IssueRequestSchema,
  ListCheckpointsRequestSchema,
  RegisterReplayRequestSchema,
  ReplayRequestSchema,
  ThawRequestSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Drain, FreezeScope } from "../../src/gen/fermata/conversation/v1/freeze_pb.ts";
import { scopeMessage } from "../../src/rpc/conversation/scope-message.ts";
import { call, openDesk } from "../rpc/conversation/desk.ts";
import { expiredFormat, opaqueFormat, type Scope } from "./model.ts";

/** The store's clock of these tests; horizons are around it. */
export const clock = { now: 1_800_000_000_000 };

const window = {
  formats: {
    [opaqueFormat]: {},
    [expiredFormat]: { supportedUntil: 1_700_000_000_000, replayUntil: 1_750_000_000_000 },
  },
  supportRoute: "https://support.example",
};
const by = { actor: "op", reason: "trial" };

/** Plays calls on a real store. What may be refused answers undefined then; anything else that is refused throws. */
export async function openPlayer(folder?: string) {
  const settings = { window, now: () => clock.now };
  const desk = await openDesk(folder === undefined ? settings : { ...settings, folder });
  return {
    folder: desk.folder,
    close: () => desk.close(),
    drop: () => desk.drop(),

    async issue(request: MessageInitShape<typeof IssueRequestSchema>): Promise<string | undefined> {
      return idOf(await desk.issue(create(IssueRequestSchema, request), call));
    },
    async adopt(request: MessageInitShape<typeof AdoptRequestSchema>): Promise<string | undefined> {
      return idOf(await desk.adopt(create(AdoptRequestSchema, request), call));
    },
    /** Replays a source that is its thread's head, or was: then the head is named. */
    async replay(threadKey: string, source: string, { format, head }: { format: string; head: string }) {
      const thread = { by: { case: "threadKey" as const, value: threadKey } };
      const opened = await desk.replay(create(ReplayRequestSchema, { thread, checkpointId: source }), call);
      if (opened.kind === "refusal") return undefined;
      for await (const { part } of opened.value) {
        if (part.case !== "header") break;
        const document = documentOf(format, `replay of ${source}`);
        const register = { replayId: part.value.replayId, sourceCheckpointId: source, document, expectedHead: head };
        return idOf(await desk.registerReplay(create(RegisterReplayRequestSchema, register), call));
      }
      throw new Error("a replay without a header");
    },
    async attribute(threadKey: string, tenantId: string, supersedes?: string): Promise<void> {
      const request = { threadKey, tenantId, ...by, ...(supersedes === undefined ? {} : { supersedes }) };
      answered(await desk.attribute(create(AttributeRequestSchema, request), call));
    },
    async discard(checkpointId: string): Promise<void> {
      answered(await desk.discard(create(DiscardRequestSchema, { checkpointId, ...by }), call));
    },
    async eraseThread(threadKey: string): Promise<void> {
      const thread = { by: { case: "threadKey" as const, value: threadKey } };
      answered(await desk.erase(create(EraseRequestSchema, { what: { case: "thread", value: thread }, ...by }), call));
    },
    async eraseTenant(tenantId: string): Promise<void> {
      answered(
        await desk.erase(create(EraseRequestSchema, { what: { case: "tenantId", value: tenantId }, ...by }), call),
      );
    },
    async freeze(freezeId: string, scope: Scope): Promise<void> {
      answered(await desk.freeze(create(FreezeRequestSchema, { freezeId, scope: messageOf(scope), ...by }), call));
    },
    async thaw(freezeId: string): Promise<void> {
      answered(await desk.thaw(create(ThawRequestSchema, { freezeId, ...by }), call));
    },
    async drain(freezeId: string): Promise<Drain> {
      const request = create(GetDrainRequestSchema, { of: { case: "freezeId", value: freezeId } });
      return found(answered(await desk.getDrain(request, call)).drain);
    },
    /** The same without judging anything first. */
    async unjudged(freezeId: string): Promise<Drain> {
      const { terms, expired } = desk.terms();
      const tally = await desk.store.drain({ of: { by: "hold", freezeId }, terms });
      return drainOf(found(tally), new Set(expired), clock.now);
    },
    async remaining(freezeId: string): Promise<readonly { readonly id: string; readonly threadKey: string }[]> {
      const of = { case: "remainingOfFreezeId" as const, value: freezeId };
      const page = answered(
        await desk.listCheckpoints(create(ListCheckpointsRequestSchema, { of, pageSize: 1000 }), call),
      );
      return page.checkpoints.map(({ ref }) => ({ id: ref?.checkpointId ?? "", threadKey: ref?.threadKey ?? "" }));
    },
  };
}

/** Everything that is played. */
export type Player = Awaited<ReturnType<typeof openPlayer>>;

/** A finished turn in a format. */
export function documentOf(format: string, words: string) {
  const turn = [
    { role: "user", content: words },
    { role: "assistant", content: "done" },
  ];
  const items = turn.map(({ role, content }) => ({ type: "message", role, content }));
  const text = JSON.stringify(format === expiredFormat ? items : turn);
  return { format, content: { case: "text" as const, value: text } };
}

/** When an adopted row was written: before any hold, or after all of them. */
export function writtenTime(old: boolean) {
  return timestampFromMs(old ? clock.now - 1_000_000 : clock.now + 1_000_000);
}

function messageOf(scope: Scope): FreezeScope {
  if (scope.kind === "tenant") return scopeMessage({ kind: "tenant", tenantId: scope.tenant });
  if (scope.kind !== "tenant_format") return scopeMessage(scope);
  return scopeMessage({ kind: "tenant_format", tenantId: scope.tenant, format: scope.format });
}

const mayBe: ReadonlySet<string> = new Set(["issuanceFrozen", "ambiguousThreadKey"]);

function idOf(
  outcome: Outcome<{
    readonly checkpoint?: { readonly ref?: { readonly checkpointId: string } | undefined } | undefined;
  }>,
) {
  if (outcome.kind === "ok") return found(outcome.value.checkpoint?.ref).checkpointId;
  if (mayBe.has(outcome.leaf.case)) return undefined;
  throw new Error(
    `refused: ${JSON.stringify(outcome.leaf, (_, value) => (typeof value === "bigint" ? String(value) : value))}`,
  );
}

function answered<T>(outcome: Outcome<T>): T {
  if (outcome.kind === "ok") return outcome.value;
  throw new Error(`refused: ${outcome.leaf.case}`);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing was answered");
  return value;
}
