import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest, ServerHttp2Stream } from "node:http2";
import type { Share } from "./document-room.ts";

/** Up to this size a body is no document that matters: those of all calls in flight together are few MiB. */
const little = 64 * 1024;

/** Counts a gRPC body into the room while it arrives; calls back, once, if there is no room for it. */
export function countStream(stream: ServerHttp2Stream, share: Share, onFull: () => void): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= little || share.resize(bytes)) return;
    stream.off("data", count);
    onFull();
  };
  stream.on("data", count); // grpc-js pauses and resumes the stream: this listener only sees what it reads
}

/**
 * The same for a body that connect-node reads, which it does by `iterator`. What has no room is read to its end and dropped, since a client
 * of HTTP/1.1 hears an answer only when it has sent everything; then the reading throws what `onFull` answers.
 */
export function countRequest(request: IncomingMessage | Http2ServerRequest, share: Share, onFull: () => Error): void {
  const iterator = request.iterator.bind(request);
  request.iterator = (options) => counted(iterator(options), share, onFull);
}

async function* counted(body: AsyncIterable<Buffer>, share: Share, onFull: () => Error): AsyncGenerator<Buffer> {
  let bytes = 0;
  let full = false;
  for await (const chunk of body) {
    bytes += chunk.length;
    full ||= bytes > little && !share.resize(bytes);
    if (!full) yield chunk;
  }
  if (full) throw onFull();
}
