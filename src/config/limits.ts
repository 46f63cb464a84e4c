import { z } from "zod";
import { count, duration, size } from "./quantity.ts";

/** What one sidecar lets through. Beyond a limit it answers OVERLOADED or closes the connection; it never slows down silently. */
export const limits = z
  .strictObject({
    maxDocumentBytes: size("32MiB").prefault("8MiB").meta({
      description:
        "Largest document. 8 MiB holds the longest threads that were seen; 32 MiB at most, since a document is held in memory.",
    }),
    documentsInFlightBytes: size("4GiB").prefault("64MiB").meta({
      description:
        "Documents in flight: bodies as they come, answers until they are read. 64 MiB: eight answers of the largest, in a pod of 768 MiB (docs/operations.md).",
    }),
    headerBytes: size("64KiB").prefault("16KiB").meta({
      description: "Headers of one call. 16 KiB is what Node takes by default and twice what gRPC clients send.",
    }),
    connections: count(10_000).default(64).meta({
      description: "Connections at once. 64: a sidecar has the processes of one pod or workstation as callers.",
    }),
    streamsPerConnection: count(10_000).default(128).meta({
      description: "Calls at once on one connection. 128: above the 100 that most clients assume.",
    }),
    callsInFlight: count(10_000).default(256).meta({
      description: "Calls at once. 256: a Resolve takes less than a millisecond, so a longer queue only adds waiting.",
    }),
    replaysInFlight: count(10_000).default(32).meta({
      description:
        "Replays at once, of the calls in flight. 32: they last, and must not take the place of everything else.",
    }),
    prefaceTimeout: duration("1m").prefault("5s").meta({
      description: "How long a new connection may take to say what it speaks. 5 s: a local client says it at once.",
    }),
    headersTimeout: duration("5m").prefault("10s").meta({
      description: "How long the headers of a call may take. 10 s: slower is a stuck or a hostile client.",
    }),
    bodyTimeout: duration("1h").prefault("30s").meta({
      description: "How long the body of a call may take. 30 s: 32 MiB at 10 Mbit/s.",
    }),
    resetsPer10s: count(100_000).default(200).meta({
      description:
        "Resets of streams in 10 s that close a connection. 200: clients that cancel stay far below (rapid reset).",
    }),
    resolveDeadline: duration("1m").prefault("2s").meta({
      description:
        "Deadline of a Resolve, VerifyCalls or RegisterTools that brings none, and the longest. 2 s: a turn waits for it.",
    }),
    callDeadline: duration("10m").prefault("15s").meta({
      description:
        "Deadline of reads and writes that bring none, and the longest. 15 s: a disk that stalls recovers in less.",
    }),
    replayDeadline: duration("6h").prefault("300s").meta({
      description:
        "Deadline of a Replay that brings none, and the longest. 300 s: a broken stream goes on with after_position.",
    }),
    diskReserveBytes: size("1024GiB").prefault("64MiB").meta({
      description:
        "Free space below which nothing new is issued. 64 MiB: room for a freeze, a drain and the journal when the disk is full.",
    }),
  })
  .refine((found) => found.replaysInFlight <= found.callsInFlight, {
    path: ["replaysInFlight"],
    error: "at most limits.callsInFlight: replays are calls too",
  })
  .refine((found) => found.documentsInFlightBytes >= found.maxDocumentBytes, {
    path: ["documentsInFlightBytes"],
    error: "at least limits.maxDocumentBytes: else the largest document never gets through",
  })
  .prefault({});
