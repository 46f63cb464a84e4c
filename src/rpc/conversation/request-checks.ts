import { utf8Length } from "../../domain/short-text.ts";
import type { Violation } from "../../domain/violation.ts";
import type { Document, Host } from "../../gen/fermata/conversation/v1/checkpoint_pb.ts";

/** The longest name, id or proof in a request, in bytes: it fits a refusal uncut. */
const maxNameBytes = 128;

/** The longest thread key: three values at their longest with everything in them escaped. */
const maxKeyBytes = 2048;

/** What is wrong with a document as a message, before anybody reads it. */
export function checkDocument(document: Document | undefined, maxBytes: number): readonly Violation[] {
  if (document === undefined) return [required("document")];
  return [...checkRequiredName("document.format", document.format), ...checkContent(document.content, maxBytes)];
}

/** A name that must be there. */
export function checkRequiredName(field: string, value: string): readonly Violation[] {
  return value === "" ? [required(field)] : checkName(field, value);
}

/** A name that may be left out, but is not empty when it is given: empty is not absent. */
export function checkOptionalName(field: string, value: string | undefined): readonly Violation[] {
  if (value === undefined) return [];
  return value === ""
    ? [{ field, rule: "EMPTY", description: "is given and empty; leave it out instead" }]
    : checkName(field, value);
}

/** A name, or nothing. */
export function checkName(field: string, value: string): readonly Violation[] {
  if (!value.isWellFormed()) return [notWellFormed(field)];
  const found = utf8Length(value);
  if (found > maxNameBytes) return [tooLong(field, found, maxNameBytes)];
  if (!/\p{Cc}/u.test(value)) return [];
  return [{ field, rule: "FORBIDDEN_CHARACTER", description: "holds a control character" }];
}

/** The exact key of a thread. It is looked up and never parsed, so nothing else of it is judged. */
export function checkThreadKey(field: string, key: string): readonly Violation[] {
  if (key === "") return [required(field)];
  if (!key.isWellFormed()) return [notWellFormed(field)];
  const found = utf8Length(key);
  return found > maxKeyBytes ? [tooLong(field, found, maxKeyBytes)] : [];
}

/** What a host says of itself. Every part may be left out. */
function checkHost(host: Host | undefined): readonly Violation[] {
  if (host === undefined) return [];
  return [
    ...checkName("host.runtime", host.runtime),
    ...checkName("host.version", host.version),
    ...checkName("host.model", host.model),
  ];
}

/** What every request that brings a document has beside it. */
interface Submission {
  readonly key: { readonly case: "identity" | "threadKey" | undefined; readonly value?: unknown };
  readonly document?: Document | undefined;
  readonly idempotencyKey: string;
  readonly host?: Host | undefined;
  readonly boundaryProof?: string | undefined;
}

/** What is wrong with a request that brings a document for a thread. */
export function checkSubmission(request: Submission, maxDocumentBytes: number): readonly Violation[] {
  const { key } = request;
  return [
    ...(key.case === undefined ? [required("key")] : []),
    ...(key.case === "threadKey" ? checkThreadKey("thread_key", String(key.value)) : []),
    ...checkBrought(request, maxDocumentBytes),
  ];
}

/** What is wrong with a document that is to be stored, and with what is said beside it. */
export function checkBrought(request: Omit<Submission, "key">, maxDocumentBytes: number): readonly Violation[] {
  return [
    ...checkDocument(request.document, maxDocumentBytes),
    ...checkName("idempotency_key", request.idempotencyKey),
    ...checkHost(request.host),
    ...checkOptionalName("boundary_proof", request.boundaryProof),
  ];
}

/** A oneof of which nothing is given. */
export function required(field: string): Violation {
  return { field, rule: "REQUIRED", description: "must be given" };
}

/** Text that can't be written as UTF-8 could not come back as it was. */
function checkContent(content: Document["content"], maxBytes: number): readonly Violation[] {
  if (content.case === undefined) return [required("document.content")];
  const found = content.case === "text" ? utf8Length(content.value) : content.value.length;
  if (found > maxBytes) {
    const description = `has ${found} bytes; limits.maxDocumentBytes allows ${maxBytes}`;
    return [{ field: "document", rule: "DOCUMENT_TOO_LARGE", description }];
  }
  return content.case === "text" && !content.value.isWellFormed() ? [notWellFormed("document.text")] : [];
}

function tooLong(field: string, found: number, allowed: number): Violation {
  return { field, rule: "TOO_LONG", description: `has ${found} bytes; at most ${allowed} are allowed` };
}

function notWellFormed(field: string): Violation {
  return { field, rule: "NOT_WELL_FORMED", description: "holds a lone surrogate, which no UTF-8 can say" };
}
