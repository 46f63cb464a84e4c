import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { toBinary } from "@bufbuild/protobuf";
import { enveloped } from "../hostile/requests.ts";

/** What gRPC really sent, frame by frame: no client library has interpreted it. */
export interface WireAnswer {
  /** The first HEADERS frame, in order, with every field that it has. */
  readonly first: readonly (readonly [name: string, value: string])[];
  /** The first HEADERS frame also ended the stream. */
  readonly trailersOnly: boolean;
  readonly dataBytes: number;
  /** Further HEADERS frames. */
  readonly trailers: number;
}

/** One connection that gRPC calls are made on by hand. */
export class GrpcWire {
  private readonly session: ClientHttp2Session;

  constructor(address: string) {
    this.session = connect(`http://${address}`);
  }

  call(method: DescMethod, request: Message): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      let first: [string, string][] = [];
      let trailersOnly = false;
      let dataBytes = 0;
      let trailers = 0;
      const stream = this.session.request({
        ":method": "POST",
        ":path": `/${method.parent.typeName}/${method.name}`,
        "content-type": "application/grpc+proto",
        te: "trailers",
      });
      stream.on("response", (_headers, flags, ...rest) => {
        first = pairs((rest as unknown[])[0] as string[]); // Node gives the raw list third; its types do not say so
        trailersOnly = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      });
      stream.on("trailers", (_found: IncomingHttpHeaders) => {
        trailers += 1;
      });
      stream.on("data", (part: Buffer) => {
        dataBytes += part.length;
      });
      stream.on("error", reject);
      stream.on("close", () => resolve({ first, trailersOnly, dataBytes, trailers }));
      stream.end(enveloped(Buffer.from(toBinary(method.input, request))));
    });
  }

  close(): void {
    this.session.close();
  }
}

/** The size of a header list as HTTP/2 counts it (RFC 9113, 10.5.1). */
export function headerListBytes(fields: WireAnswer["first"]): number {
  return fields.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value, "latin1") + 32,
    0,
  );
}

function pairs(list: readonly string[]): [string, string][] {
  return Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at] ?? "", list[2 * at + 1] ?? ""]);
}
