/** What a drain must say, told from the design and not from the code: small, slow and in one piece. */
export type Scope =
  | { readonly kind: "store" }
  | { readonly kind: "format"; readonly format: string }
  | { readonly kind: "tenant"; readonly tenant: string }
  | { readonly kind: "tenant_format"; readonly tenant: string; readonly format: string };

/** A checkpoint of the model. */
export interface ModelCheckpoint {
  readonly id: string;
  readonly format: string;
  state: "active" | "retired" | "discarded";
}

/** A thread of the model. Its tenant is absent while no one has proved it. */
export interface ModelThread {
  readonly key: string;
  tenant: string | undefined;
  readonly checkpoints: ModelCheckpoint[];
}

interface ModelHold {
  readonly scope: Scope;
  readonly at: number;
  readonly atFreeze: Set<ModelCheckpoint>;
  readonly since: Set<ModelCheckpoint>;
  readonly unproved: Set<ModelCheckpoint>;
  readonly erased: { atFreeze: number; since: number; drained: number; discarded: number };
}

/** The numbers of a drain. */
export interface Numbers {
  readonly atFreeze: number;
  readonly adoptedSince: number;
  readonly drained: number;
  readonly discarded: number;
  readonly expired: number;
  readonly terminalUnsafe: number;
  readonly remaining: number;
  readonly quarantined: number;
}

/** Formats by what becomes of them: one that no replay is answered for any more, and one that no adapter reads. */
export const expiredFormat = "openai-responses/1";
export const opaqueFormat = "opaque/1";

/** Threads, holds, and what may be written. Every method that writes answers whether it may, and remembers it only then. */
export class DrainModel {
  readonly threads = new Map<string, ModelThread>();
  readonly holds = new Map<string, ModelHold>();

  freeze(freezeId: string, scope: Scope, at: number): void {
    const heads = [...this.threads.values()].map((thread) => ({ thread, head: headOf(thread) }));
    const inScope = heads.filter(({ thread, head }) => covers(scope, thread.tenant, head.format));
    const might = heads.filter(({ thread, head }) => thread.tenant === undefined && mightCover(scope, head.format));
    this.holds.set(freezeId, {
      scope,
      at,
      atFreeze: new Set(inScope.map(({ head }) => head)),
      since: new Set(),
      unproved: new Set(might.map(({ head }) => head)),
      erased: { atFreeze: inScope.length, since: 0, drained: 0, discarded: 0 },
    });
  }

  thaw(freezeId: string): void {
    this.holds.delete(freezeId);
  }

  mayIssue(key: string, tenant: string, format: string): boolean {
    const thread = this.threads.get(key);
    if (thread !== undefined && thread.tenant === undefined) {
      return this.all((hold) => !covers(hold.scope, undefined, format) && !("tenant" in hold.scope));
    }
    return this.all((hold) => !covers(hold.scope, thread?.tenant ?? tenant, format));
  }

  mayAdopt(tenant: string | undefined, format: string, writtenTime: number): boolean {
    return this.all(
      ({ scope, at }) =>
        writtenTime < at || !(covers(scope, tenant, format) || (tenant === undefined && "tenant" in scope)),
    );
  }

  mayReplay(thread: ModelThread, output: string): boolean {
    const head = headOf(thread);
    return this.all((hold) => {
      const { scope } = hold;
      const counted = hold.atFreeze.has(head) || hold.since.has(head) || hold.unproved.has(head);
      const mine = "tenant" in scope && (thread.tenant === undefined || thread.tenant === scope.tenant);
      if (scope.kind === "format") return scope.format !== output;
      if (scope.kind === "tenant_format") return !(mine && scope.format === output);
      return scope.kind === "tenant" ? !mine || counted : counted;
    });
  }

  append(key: string, tenant: string | undefined, checkpoint: ModelCheckpoint): void {
    const thread = this.threads.get(key);
    if (thread === undefined) this.threads.set(key, { key, tenant, checkpoints: [checkpoint] });
    else thread.checkpoints.push(checkpoint);
  }

  adopted(tenant: string | undefined, checkpoint: ModelCheckpoint): void {
    for (const hold of this.holds.values()) {
      if (covers(hold.scope, tenant, checkpoint.format)) addSince(hold, checkpoint);
      else if (tenant === undefined && mightCover(hold.scope, checkpoint.format)) hold.unproved.add(checkpoint);
    }
  }

  attributed(thread: ModelThread, tenant: string): void {
    const head = headOf(thread);
    for (const hold of this.holds.values()) {
      const was = thread.checkpoints.filter((checkpoint) => hold.unproved.has(checkpoint));
      for (const checkpoint of was) hold.unproved.delete(checkpoint);
      const movedOn = was.length > 0 && !was.includes(head);
      const already = hold.atFreeze.has(head) || hold.since.has(head);
      if (covers(hold.scope, tenant, head.format) && !already && !movedOn) addSince(hold, head);
    }
    thread.tenant = tenant;
  }

  erase(thread: ModelThread): void {
    this.threads.delete(thread.key);
    for (const { atFreeze, since, unproved, erased } of this.holds.values()) {
      for (const checkpoint of thread.checkpoints) {
        unproved.delete(checkpoint);
        if (!atFreeze.delete(checkpoint) && !since.delete(checkpoint)) continue;
        if (checkpoint.state === "retired") erased.drained += 1;
        else erased.discarded += 1;
      }
    }
  }

  numbers(freezeId: string): Numbers {
    const hold = this.holds.get(freezeId);
    if (hold === undefined) throw new Error(`no hold ${freezeId}`);
    const all = [...hold.atFreeze, ...hold.since];
    const active = all.filter(({ state }) => state === "active");
    const past = active.filter(({ format }) => format === expiredFormat);
    const stuck = active.filter(({ format }) => format === opaqueFormat);
    return {
      atFreeze: hold.erased.atFreeze,
      adoptedSince: hold.erased.since,
      drained: all.filter(({ state }) => state === "retired").length + hold.erased.drained,
      discarded: all.filter(({ state }) => state === "discarded").length + hold.erased.discarded,
      expired: past.length,
      terminalUnsafe: stuck.length,
      remaining: active.length - past.length - stuck.length,
      quarantined: [...hold.unproved].filter(({ state }) => state === "active").length,
    };
  }

  private all(check: (hold: ModelHold) => boolean): boolean {
    return [...this.holds.values()].every(check);
  }
}

/** The newest checkpoint of a thread. */
export function headOf({ checkpoints }: ModelThread): ModelCheckpoint {
  const head = checkpoints.at(-1);
  if (head === undefined) throw new Error("a thread without a checkpoint");
  return head;
}

function addSince(hold: ModelHold, checkpoint: ModelCheckpoint): void {
  hold.since.add(checkpoint);
  hold.erased.since += 1;
}

function covers(scope: Scope, tenant: string | undefined, format: string): boolean {
  if ("tenant" in scope && scope.tenant !== tenant) return false;
  return !("format" in scope) || scope.format === format;
}

function mightCover(scope: Scope, format: string): boolean {
  return "tenant" in scope && (!("format" in scope) || scope.format === format);
}
