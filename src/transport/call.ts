import { randomUUID } from "node:crypto";
import type { Message } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Refusal, refuse } from "../domain/outcome.ts";
import { type Caller, CallSpan, isOutcome } from "./call-span.ts";
import type { RequestLog } from "./request-log.ts";
import { everybodyMay, type Rights } from "./rights.ts";
import { pathOf, type Route, type StreamRoute, type UnaryRoute } from "./route.ts";
import { type Status, toStatus } from "./status.ts";
import { causeOfThrown, statusOfThrown } from "./thrown.ts";

/** An ending other than OK. */
export interface StatusReply {
  readonly kind: "status";
  readonly status: Status;
}

/** How a call ended: its one answer, or the status of any other ending. */
export type Reply = { readonly kind: "message"; readonly message: Message } | StatusReply;

/** How a stream began: its messages, or the status of a refusal before the first. */
export type StreamReply = { readonly kind: "messages"; readonly messages: AsyncGenerator<Message> } | StatusReply;

/** Thrown out of a running stream: the only way in which one ends other than by its last message. */
export class StreamEnd extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/** The caps (calls, bytes of documents) and deadlines (milliseconds) that the wrapper holds. */
export interface CallLimits {
  readonly callsInFlight: number;
  readonly replaysInFlight: number;
  readonly documentsInFlightBytes: number;
  readonly resolveDeadline: number;
  readonly callDeadline: number;
  readonly replayDeadline: number;
}

/** How long a caller should wait before it asks again, in milliseconds. */
const overloadedRetry = 250;
const shutdownRetry = 1_000;

/**
 * The one wrapper of every call, whichever server it came by: the in-flight caps, the deadline, every ending, the log line. Nothing that a
 * handler does gets past it.
 */
export class Calls {
  private readonly running = new Set<CallSpan>();
  private readonly limits: CallLimits;
  private readonly log: RequestLog;
  private readonly rights: Rights;
  private documentBytes = 0;
  private stopping = false;

  constructor(limits: CallLimits, log: RequestLog, rights: Rights = everybodyMay) {
    this.limits = limits;
    this.log = log;
    this.rights = rights;
  }

  /** Runs a unary call. The reply is there at once where the handler answers at once. */
  unary(route: UnaryRoute, request: Message, caller: Caller): Reply | Promise<Reply> {
    const open = this.begin(route, caller, route.weigh(request));
    const finish = (reply: Reply): Reply => {
      this.close(open, reply);
      return reply;
    };
    const fail = (thrown: unknown): Reply => finish(this.failed(thrown));
    try {
      const outcome = this.admit(open) ?? route.run(request, open.span);
      if (!(outcome instanceof Promise)) return finish(replyOf(outcome));
      open.span.watch();
      return open.span.bounded(outcome).then(replyOf).then(finish, fail);
    } catch (thrown) {
      return fail(thrown);
    }
  }

  /** Runs a streaming call up to its first message; from there it goes on by itself, and ends with StreamEnd if it ends early. */
  async stream(route: StreamRoute, request: Message, caller: Caller): Promise<StreamReply> {
    const open = this.begin(route, caller, 0);
    const end = (reply: StatusReply): StatusReply => {
      this.close(open, reply);
      return reply;
    };
    try {
      const refused = this.admit(open);
      if (refused !== undefined) return end({ kind: "status", status: toStatus(refused) });
      open.span.watch();
      const outcome = await open.span.bounded(route.run(request, open.span));
      if (!isOutcome(outcome)) throw new TypeError("a handler returned no outcome");
      if (outcome.kind === "refusal") return end({ kind: "status", status: toStatus(outcome) });
      return { kind: "messages", messages: this.messages(outcome.value as AsyncIterable<Message>, open) };
    } catch (thrown) {
      return end(this.failed(thrown));
    }
  }

  /** From now on new calls are refused with SHUTTING_DOWN; the streams of probes and watches, which have no end of their own, end. */
  stopAccepting(): void {
    this.stopping = true;
    for (const span of this.running) if (span.pace === "probe" || span.pace === "watch") span.interrupt(shuttingDown());
  }

  /** Ends whatever still runs with SHUTTING_DOWN. */
  endAll(): void {
    for (const span of this.running) span.interrupt(shuttingDown());
  }

  private begin(route: Route, caller: Caller, weight: number): OpenCall {
    const limit = this.limits[deadlineName[route.pace]];
    const deadline = Math.min(caller.deadline ?? Number.POSITIVE_INFINITY, Date.now() + limit);
    return { route, caller, weight, span: new CallSpan(route.pace, deadline, caller) };
  }

  /** Counts the call in, or refuses it. Probes are always let in: health is answered whatever the load. */
  private admit({ route, caller, span, weight }: OpenCall): Refusal | undefined {
    const refused = this.rights(route, caller);
    if (refused !== undefined) return refused;
    if (span.pace !== "probe") {
      if (this.stopping) return shuttingDown();
      if (this.running.size >= this.limits.callsInFlight) return overloaded("in_flight");
      if ((span.pace === "replay" || span.pace === "watch") && this.streams() >= this.limits.replaysInFlight)
        return overloaded("replays");
      if (this.documentBytes + weight > this.limits.documentsInFlightBytes) return overloaded("documents");
    }
    this.documentBytes += weight;
    this.running.add(span);
    return undefined;
  }

  private streams(): number {
    return [...this.running].filter(({ pace }) => pace === "replay" || pace === "watch").length;
  }

  private async *messages(source: AsyncIterable<Message>, open: OpenCall): AsyncGenerator<Message> {
    let iterator: AsyncIterator<Message> | undefined;
    let ending: StatusReply | undefined;
    try {
      iterator = source[Symbol.asyncIterator]();
      for (;;) {
        const next = await open.span.bounded(iterator.next());
        if ("kind" in next) throw new StreamEnd(toStatus(next));
        if (next.done === true) return;
        yield next.value;
      }
    } catch (thrown) {
      ending = thrown instanceof StreamEnd ? { kind: "status", status: thrown.status } : this.failed(thrown);
      throw new StreamEnd(ending.status);
    } finally {
      this.close(open, ending);
      void iterator?.return?.()?.catch(() => undefined); // not awaited: what hangs in it must not hold the call
    }
  }

  private failed(thrown: unknown): StatusReply {
    const requestId = randomUUID();
    const status = statusOfThrown(thrown, requestId);
    if (status.reason === "INTERNAL") this.log.bug(requestId, causeOfThrown(thrown));
    return { kind: "status", status };
  }

  private close({ route, caller, weight, span }: OpenCall, reply: Reply | undefined): void {
    span.end();
    if (this.running.delete(span)) this.documentBytes -= weight;
    if (span.pace === "probe") return;
    const status = reply?.kind === "status" ? reply.status : undefined;
    this.log.ended({ method: pathOf(route.method), status, caller, startedAt: span.startedAt });
  }
}

interface OpenCall {
  readonly route: Route;
  readonly caller: Caller;
  readonly weight: number;
  readonly span: CallSpan;
}

const deadlineName = {
  resolve: "resolveDeadline",
  call: "callDeadline",
  replay: "replayDeadline",
  watch: "replayDeadline",
  probe: "replayDeadline",
} as const;

function replyOf(outcome: unknown): Reply {
  if (!isOutcome(outcome)) throw new TypeError("a handler returned no outcome");
  if (outcome.kind === "refusal") return { kind: "status", status: toStatus(outcome) };
  return { kind: "message", message: outcome.value as Message }; // the route's types made it the method's answer
}

function overloaded(limit: string): Refusal {
  return refuse("overloaded", { limit, retryDelay: durationFromMs(overloadedRetry) });
}

function shuttingDown(): Refusal {
  return refuse("shuttingDown", { retryDelay: durationFromMs(shutdownRetry) });
}
