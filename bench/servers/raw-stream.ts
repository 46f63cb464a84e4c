import { readFileSync } from "node:fs";
import { Server, ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { reportCpu } from "./cpu.ts";

/**
 * The floor of a stream: grpc-js sends ready messages, one after the other, each when the one before has gone out. They
 * stand in the file that the argument names, each after its length in four bytes.
 */
const messages = split(readFileSync(process.argv[2] ?? ""));
const pass = (bytes: Buffer): Buffer => bytes;
const method = {
  path: "/bench.Raw/Stream",
  requestStream: false,
  responseStream: true,
  requestSerialize: pass,
  requestDeserialize: pass,
  responseSerialize: pass,
  responseDeserialize: pass,
};

const server = new Server({ "grpc.enable_channelz": 0, "grpc.max_send_message_length": -1 });
server.addService(
  { stream: method },
  {
    stream: async (call: ServerWritableStream<Buffer, Buffer>) => {
      for (const message of messages) await new Promise((sent) => call.write(message, sent));
      call.end();
    },
  },
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (fault, port) => {
  if (fault !== null) throw fault;
  reportCpu(`127.0.0.1:${port}`);
});

function split(bytes: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}
