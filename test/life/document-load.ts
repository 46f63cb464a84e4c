import { Agent, request as httpRequest } from "node:http";
import { create, fromBinary, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import {
  ConversationService,
  IssueRequestSchema,
  IssueResponseSchema,
  ResumeRequestSchema,
  ResumeResponseSchema,
} from "../../src/gen/fermata/conversation/v1/conversation_service_pb.ts";

/** How a call ended: with the document as it was written, refused as OVERLOADED with its details, or anything else. */
export type Ending = "right" | "overloaded" | `wrong: ${string}`;

/** Reads and writes one large document by one protocol, without more work than it must. */
export interface DocumentClient {
  readonly name: string;
  read(session: string): Promise<Ending>;
  write(session: string): Promise<Ending>;
  close(): void;
}

const resourceExhausted = 8;

/** A document of whole turns, of about so many bytes, with as many quotes and escapes as conversations have. */
export function largeDocument(bytes: number): string {
  const content = 'The tool said: {"rows": [1, 2, 3], "note": "none"}\n'.repeat(50);
  const turn = [
    { role: "user", content },
    { role: "assistant", content },
  ];
  const turns = Math.floor(bytes / JSON.stringify(turn).length);
  return JSON.stringify(Array.from({ length: turns }, () => turn).flat());
}

/** The path of a method of ConversationService. */
export function pathOf(method: { readonly name: string }): string {
  return `/${ConversationService.typeName}/${method.name}`;
}

/** One client for each protocol that is there. */
export function documentClients(address: string, document: string): readonly DocumentClient[] {
  return [
    grpcClient(address, document),
    httpClient(address, document, "gRPC-Web"),
    httpClient(address, document, "JSON"),
  ];
}

function identityOf(session: string) {
  return { case: "identity", value: { tenantId: "acme", sessionId: session } } as const;
}

function resumeOf(session: string) {
  return create(ResumeRequestSchema, { thread: { by: identityOf(session) } });
}

/** The first write makes the thread; all later ones are its repetition, which is read and judged like any other. */
function issueOf(session: string, document: string) {
  return create(IssueRequestSchema, {
    key: identityOf(session),
    document: { format: "openai-chat/1", content: { case: "text", value: document } },
    idempotencyKey: session,
  });
}

function judgeRead(text: unknown, document: string): Ending {
  return text === document ? "right" : "wrong: another document";
}

function grpcClient(address: string, document: string): DocumentClient {
  const client = new Client(address, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    "grpc.enable_retries": 0,
    "grpc.max_receive_message_length": -1,
  });
  const call = (method: { readonly name: string }, request: Uint8Array) =>
    new Promise<Buffer | ServiceError>((resolve) => {
      const same = (bytes: Buffer) => bytes;
      client.makeUnaryRequest(pathOf(method), same, same, Buffer.from(request), new Metadata(), (fault, answer) =>
        resolve(fault ?? answer ?? Buffer.alloc(0)),
      );
    });
  const endingOf = (answer: Buffer | ServiceError, judge: (bytes: Buffer) => Ending): Ending => {
    if (Buffer.isBuffer(answer)) return judge(answer);
    const details = answer.metadata.get("grpc-status-details-bin")[0];
    return answer.code === resourceExhausted && String(details).includes("OVERLOADED")
      ? "overloaded"
      : `wrong: ${answer.message}`;
  };
  return {
    name: "gRPC",
    async read(session) {
      const answer = await call(ConversationService.method.resume, toBinary(ResumeRequestSchema, resumeOf(session)));
      return endingOf(answer, (bytes) =>
        judgeRead(fromBinary(ResumeResponseSchema, bytes).document?.content.value, document),
      );
    },
    async write(session) {
      const request = toBinary(IssueRequestSchema, issueOf(session, document));
      return endingOf(await call(ConversationService.method.issue, request), judgeWritten);
    },
    close: () => client.close(),
  };
}

function judgeWritten(bytes: Uint8Array): Ending {
  const { checkpoint } = fromBinary(IssueResponseSchema, bytes);
  return checkpoint?.ref?.checkpointId ? "right" : "wrong: no checkpoint";
}

function httpClient(address: string, document: string, name: "gRPC-Web" | "JSON"): DocumentClient {
  const agent = new Agent({ keepAlive: true });
  const [host, port] = address.split(":");
  const type = name === "JSON" ? "application/json" : "application/grpc-web+proto";
  const call = (method: { readonly name: string }, body: Buffer) =>
    new Promise<{ readonly status: number; readonly headers: object; readonly body: Buffer }>((resolve, reject) => {
      const sent = httpRequest(
        {
          agent,
          host,
          port,
          method: "POST",
          path: pathOf(method),
          headers: { "content-type": type, "content-length": body.length },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part) => parts.push(part));
          response.on("error", reject);
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  const ask = async (
    method: { readonly name: string },
    body: Buffer,
    judge: (message: Buffer) => Ending,
  ): Promise<Ending> => {
    const answer = await call(method, body).catch((thrown: unknown) => String(thrown));
    if (typeof answer === "string") return `wrong: ${answer}`;
    if (name === "JSON" && answer.status === 200) return judge(answer.body);
    if (name === "gRPC-Web" && answer.body[0] === 0)
      return judge(answer.body.subarray(5, 5 + answer.body.readUInt32BE(1)));
    const told = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body.toString("latin1").slice(0, 2_000)}`;
    return isOverloaded(told) ? "overloaded" : `wrong: ${told}`;
  };
  return {
    name,
    read(session) {
      if (name === "JSON") {
        const body = Buffer.from(toJsonString(ResumeRequestSchema, resumeOf(session)));
        return ask(ConversationService.method.resume, body, (bytes) =>
          judgeRead(JSON.parse(bytes.toString("utf8")).document.text, document),
        );
      }
      const body = enveloped(toBinary(ResumeRequestSchema, resumeOf(session)));
      return ask(ConversationService.method.resume, body, (bytes) =>
        judgeRead(fromBinary(ResumeResponseSchema, bytes).document?.content.value, document),
      );
    },
    write(session) {
      if (name === "JSON") {
        const body = Buffer.from(toJsonString(IssueRequestSchema, issueOf(session, document)));
        return ask(ConversationService.method.issue, body, (bytes) =>
          JSON.parse(bytes.toString("utf8")).checkpoint?.ref?.checkpointId ? "right" : "wrong: no checkpoint",
        );
      }
      return ask(
        ConversationService.method.issue,
        enveloped(toBinary(IssueRequestSchema, issueOf(session, document))),
        judgeWritten,
      );
    },
    close: () => agent.destroy(),
  };
}

/** By the text of the Connect status, or by the trailers that gRPC-Web sends as its last envelope. */
function isOverloaded(told: string): boolean {
  return /"code":"resource_exhausted"/.test(told) || /grpc-status: 8\b/.test(told);
}

/** A message as gRPC sends it. */
export function enveloped(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
