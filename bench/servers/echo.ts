import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { reportCpu } from "./cpu.ts";

/** The floor: grpc-js with nothing behind it. It takes any bytes and answers those that the first byte of the environment's list names. */
const answer = Buffer.from(process.argv[2] ?? "", "base64");
const pass = (bytes: Buffer): Buffer => bytes;
const method = {
  path: "/bench.Echo/Call",
  requestStream: false,
  responseStream: false,
  requestSerialize: pass,
  requestDeserialize: pass,
  responseSerialize: pass,
  responseDeserialize: pass,
};

const server = new Server({ "grpc.enable_channelz": 0 });
server.addService(
  { call: method },
  { call: (_call: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>) => respond(null, answer) },
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (fault, port) => {
  if (fault !== null) throw fault;
  reportCpu(`127.0.0.1:${port}`);
});
