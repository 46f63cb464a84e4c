import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Refusal, refuse } from "../domain/outcome.ts";
import type { GetTranscriptResponse, ReplayResponse } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { CallSpan } from "./call-span.ts";
import { DocumentRoom } from "./document-room.ts";
import { documentBytes, type Route } from "./route.ts";

/** The caps of calls in flight, and of the bytes of documents that they hold. */
export interface AdmissionLimits {
  readonly callsInFlight: number;
  readonly replaysInFlight: number;
  readonly documentsInFlightBytes: number;
  readonly maxDocumentBytes: number;
}

/** How long a caller should wait before it asks again, in milliseconds. */
const overloadedRetry = 250;
const shutdownRetry = 1_000;

/** How long a read waits while the room stays full, in milliseconds: what lasts longer are slow readers. */
const fullWait = 1_000;

/** What a stream or a page holds: the message that waits for its reader. */
const partBytes = 1024 * 1024;

/** A document that is written is held twice: by its call, and by the thread that judges or stores it. */
const writtenTwice = 2;

/** Quotes and newlines make a document longer as JSON text, by about so much. */
const escaped = 1.25;
const inBase64 = 4 / 3;

/** Which calls are in flight, and which are let in beside them. */
export class Admission {
  /** The room of all documents in flight. Bodies count there as they arrive, before there is a call. */
  readonly room: DocumentRoom;
  private readonly running = new Set<CallSpan>();
  private readonly limits: AdmissionLimits;
  private stopping = false;

  constructor(limits: AdmissionLimits) {
    this.limits = limits;
    this.room = new DocumentRoom(limits.documentsInFlightBytes, limits.maxDocumentBytes);
  }

  /** Counts a call in with the bytes of the document that it brings, or refuses it. Probes are always let in: health is answered whatever the load. */
  enter(span: CallSpan, weight: number): Refusal | undefined {
    if (span.pace !== "probe") {
      if (this.stopping) return shuttingDown();
      if (this.running.size >= this.limits.callsInFlight) return overloaded("in_flight");
      if (lasts(span) && this.lasting() >= this.limits.replaysInFlight) return overloaded("replays");
      if (!holdsWritten(span, weight)) return noRoom();
    }
    this.running.add(span);
    return undefined;
  }

  /** The call has ended. What its answer takes of the room it takes until its reader has it. */
  leave(span: CallSpan): void {
    this.running.delete(span);
  }

  /** Lets a call read a document of the store. Undefined: at once. It waits for its turn, but not for a room that stays full. */
  beginRead(span: CallSpan): Promise<Refusal | undefined> | undefined {
    const { room } = this;
    if (room.beginRead()) return undefined;
    return new Promise((resolve) => {
      const leave = room.waitToRead(() => {
        clearInterval(watch);
        resolve(undefined);
      });
      const watch = setInterval(() => {
        if (!room.isFull && span.interruption === undefined) return;
        clearInterval(watch);
        leave();
        resolve(span.interruption ?? noRoom());
      }, fullWait);
    });
  }

  /** From now on new calls are refused; the streams of probes and watches, which have no end of their own, end. */
  stop(): void {
    this.stopping = true;
    for (const span of this.running) if (span.pace === "probe" || span.pace === "watch") span.interrupt(shuttingDown());
  }

  /** Ends whatever still runs with SHUTTING_DOWN. */
  endAll(): void {
    for (const span of this.running) span.interrupt(shuttingDown());
  }

  private lasting(): number {
    return [...this.running].filter(lasts).length;
  }
}

/** OVERLOADED for want of room for a document. */
export function noRoom(): Refusal {
  return overloaded("documents");
}

/** How much room takes what a handler returned, until its reader has it: a document, or the first message of many. */
export function roomOf({ gives }: Route, json: boolean, returned: unknown): number {
  if (gives === "little" || typeof returned !== "object" || returned === null || !("value" in returned)) return 0;
  const { value } = returned;
  return typeof value === "object" && value !== null ? roomOfMessage(value, json) : 0;
}

/** How much room takes one message of an answer: as text a document is a little longer, and bytes by a third. */
export function roomOfMessage(message: object, json: boolean): number {
  if ("document" in message) return documentBytes(message) * (json ? escaped : 1);
  return Math.max(partBytes, entryBytes(message) * (json ? inBase64 : 1));
}

/** The bytes of a page's or a message's entries; one alone may be as large as a document. */
function entryBytes(message: object): number {
  // Whatever else it is has neither field.
  const { part } = message as Partial<ReplayResponse>;
  const { entries = [] } = message as Partial<GetTranscriptResponse>;
  const shown = part?.case === "entries" ? part.value.entries.map(({ entry }) => entry) : entries;
  return shown.reduce((sum, entry) => sum + (entry?.content.length ?? 0), 0);
}

function holdsWritten({ caller: { exchange } }: CallSpan, weight: number): boolean {
  if (weight === 0 || exchange === undefined) return true;
  return exchange.share.resize(Math.max(exchange.share.bytes, weight * writtenTwice));
}

function lasts({ pace }: CallSpan): boolean {
  return pace === "replay" || pace === "watch";
}

function overloaded(limit: string): Refusal {
  return refuse("overloaded", { limit, retryDelay: durationFromMs(overloadedRetry) });
}

function shuttingDown(): Refusal {
  return refuse("shuttingDown", { retryDelay: durationFromMs(shutdownRetry) });
}
