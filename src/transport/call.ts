import { randomUUID } from "node:crypto";
import type { Message } from "@bufbuild/protobuf";
import { refuse } from "../domain/outcome.ts";
import { Admission, type AdmissionLimits, noRoom, roomOf, roomOfMessage } from "./admission.ts";
import { type Caller, CallSpan } from "./call-span.ts";
import type { DocumentRoom } from "./document-room.ts";
import {
  type Encode,
  outcomeOf,
  type Reply,
  refused,
  replyOf,
  type StatusReply,
  StreamEnd,
  type StreamReply,
} from "./reply.ts";
import type { EndedCall, RequestLog } from "./request-log.ts";
import { everybodyMay, type Rights } from "./rights.ts";
import { pathOf, type Route, type StreamRoute, type UnaryRoute } from "./route.ts";
import { type Status, toStatus } from "./status.ts";
import { causeOfThrown, statusOfThrown } from "./thrown.ts";

/** The caps, and the deadlines in milliseconds, that the wrapper holds. */
export interface CallLimits extends AdmissionLimits {
  readonly resolveDeadline: number;
  readonly callDeadline: number;
  readonly replayDeadline: number;
}

/** Who calls, and what its server makes of the answer. */
export interface Asking<A> {
  readonly caller: Caller;
  readonly encode: Encode<A>;
}

/**
 * The one wrapper of every call, whichever server it came by: the in-flight caps, the deadline, every ending, the log line. Nothing that a
 * handler does gets past it.
 */
export class Calls {
  private readonly admission: Admission;
  private readonly limits: CallLimits;
  private readonly log: RequestLog;
  private readonly rights: Rights;

  constructor(limits: CallLimits, log: RequestLog, rights: Rights = everybodyMay) {
    this.admission = new Admission(limits);
    this.limits = limits;
    this.log = log;
    this.rights = rights;
  }

  /** The room of the documents in flight. */
  get room(): DocumentRoom {
    return this.admission.room;
  }

  /** Runs a unary call. The reply is there at once where the handler answers at once. */
  unary<A>(route: UnaryRoute, request: Message, { caller, encode }: Asking<A>): Reply<A> | Promise<Reply<A>> {
    const open = this.begin(route, caller);
    const { span } = open;
    const weight = route.weigh(request);
    const answer = (returned: unknown): Reply<A> => this.close(open, replyOf(outcomeOf(returned), encode));
    const fail = (thrown: unknown): Reply<A> => this.close(open, this.failed(thrown));
    try {
      const run = () => route.run(request, span);
      const holds = weight > 0 || route.gives === "document";
      const returned = this.admit(open, weight) ?? (holds ? this.holding(open, run) : run());
      if (!(returned instanceof Promise)) return answer(returned);
      span.watch();
      return span.bounded<unknown>(returned).then(answer).catch(fail);
    } catch (thrown) {
      return fail(thrown);
    }
  }

  /** Runs a streaming call up to its first message; from there it goes on by itself, and ends with StreamEnd if it ends early. */
  async stream<A>(route: StreamRoute, request: Message, { caller, encode }: Asking<A>): Promise<StreamReply<A>> {
    const open = this.begin(route, caller);
    const { span } = open;
    const end = (reply: StatusReply): StatusReply => this.close(open, reply);
    try {
      const notNow = this.admit(open, 0);
      if (notNow !== undefined) return end(refused(notNow));
      span.watch();
      const outcome = outcomeOf(await span.bounded<unknown>(this.holding(open, () => route.run(request, span))));
      if (outcome.kind === "refusal") return end(refused(outcome));
      const messages = this.messages(outcome.value as AsyncIterable<Message>, open, encode); // The route's types made it so.
      return { kind: "messages", messages };
    } catch (thrown) {
      return end(this.failed(thrown));
    }
  }

  /** The status of a call whose body has no room. It never began, but the log tells of it like of any other. */
  turnAway(method: string, caller: EndedCall["caller"]): Status {
    const status = toStatus(noRoom());
    this.log.ended({ method, status, caller, startedAt: performance.now() });
    return status;
  }

  /** From now on new calls are refused with SHUTTING_DOWN; the streams of probes and watches, which have no end of their own, end. */
  stopAccepting(): void {
    this.admission.stop();
  }

  /** Ends whatever still runs with SHUTTING_DOWN. */
  endAll(): void {
    this.admission.endAll();
  }

  private begin(route: Route, caller: Caller): OpenCall {
    const limit = this.limits[deadlineName[route.pace]];
    const deadline = Math.min(caller.deadline ?? Number.POSITIVE_INFINITY, Date.now() + limit);
    if (route.pace !== "probe") caller.exchange?.answerBy(deadline);
    return { route, caller, span: new CallSpan(route.pace, deadline, caller) };
  }

  private admit({ route, caller, span }: OpenCall, weight: number) {
    return this.rights(route, caller) ?? this.admission.enter(span, weight);
  }

  /** Runs what holds documents. What it holds is its own until it ends, whoever has gone meanwhile. */
  private async holding({ route, caller, span }: OpenCall, run: () => unknown): Promise<unknown> {
    const { exchange, json } = caller;
    exchange?.beginWork();
    let reading = false;
    let answered = 0;
    try {
      if (route.gives === "document") {
        const notNow = await this.admission.beginRead(span);
        if (notNow !== undefined) return notNow;
        reading = true;
      }
      const returned = span.interruption ?? (await run());
      answered = roomOf(route, json, returned);
      return returned;
    } finally {
      exchange?.endWork(answered);
      if (reading) this.room.endRead();
    }
  }

  private async *messages<A>(source: AsyncIterable<Message>, open: OpenCall, encode: Encode<A>): AsyncGenerator<A> {
    const { span, caller } = open;
    let iterator: AsyncIterator<Message> | undefined;
    let running = true;
    const end = (ending?: StatusReply): void => {
      if (running) this.close(open, ending);
      running = false;
      void iterator?.return?.()?.catch(() => undefined); // not awaited: what hangs in it must not hold the call
    };
    try {
      iterator = source[Symbol.asyncIterator]();
      for (;;) {
        const next = await span.bounded(iterator.next());
        if ("kind" in next) throw new StreamEnd(toStatus(next));
        if (next.done === true) return;
        const message = encode(next.value);
        caller.exchange?.share.hold(roomOfMessage(next.value, caller.json));
        span.untilAsked((interruption) => end(refused(interruption)));
        try {
          yield message;
        } catch {
          throw new StreamEnd(toStatus(refuse("deadlineExceeded", {}))); // What a server throws in here says that its reader has gone.
        }
      }
    } catch (thrown) {
      const { status } = thrown instanceof StreamEnd ? thrown : this.failed(thrown);
      end({ kind: "status", status });
      throw new StreamEnd(status);
    } finally {
      end();
    }
  }

  private failed(thrown: unknown): StatusReply {
    const requestId = randomUUID();
    const status = statusOfThrown(thrown, requestId);
    if (status.reason === "INTERNAL") this.log.bug(requestId, causeOfThrown(thrown));
    return { kind: "status", status };
  }

  private close<R extends Reply<unknown> | undefined>({ route, caller, span }: OpenCall, reply: R): R {
    span.end();
    this.admission.leave(span);
    const status = reply?.kind === "status" ? reply.status : undefined;
    if (span.pace !== "probe") {
      this.log.ended({ method: pathOf(route.method), status, caller, startedAt: span.startedAt });
    }
    return reply;
  }
}

interface OpenCall {
  readonly route: Route;
  readonly caller: Caller;
  readonly span: CallSpan;
}

const deadlineName = {
  turn: "resolveDeadline",
  call: "callDeadline",
  replay: "replayDeadline",
  watch: "replayDeadline",
  probe: "replayDeadline",
} as const;
