import type { IncomingHttpHeaders } from "node:http";

/** Why a request is turned away before any adapter sees it. */
export interface Rejection {
  readonly status: 400 | 403 | 404 | 405 | 421 | 431;
  readonly reason: string;
}

/** What the guard looks at: a request's method, path and headers, HTTP/1.1 and HTTP/2 alike. */
export interface GuardedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders & { readonly ":authority"?: string | undefined };
}

/** Looks at a request before an adapter does; undefined lets it through. Never throws. */
export type Guard = (request: GuardedRequest) => Rejection | undefined;

const localHosts = ["localhost", "127.0.0.1", "[::1]"];
const rpcPath = /^\/[\w.]{1,200}\/\w{1,100}$/;
const authorityForm = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/i;
const maxPort = 65_535;

/**
 * Turns away what a browser could be made to send (DNS rebinding: a foreign Host, an Origin, a GET) and what the Connect adapter cannot bear:
 * one malformed Host or :authority makes it throw outside any promise, which would end the process.
 */
export function createGuard(allowedHosts: readonly string[], headerBytes: number): Guard {
  const allowed = new Set([...localHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
  return ({ method, path, headers }) => {
    const authority = headers[":authority"] ?? headers.host;
    const host = hostOf(authority);
    if (host === undefined) return { status: 400, reason: "the Host (:authority) is missing or malformed" };
    if (headers[":authority"] !== undefined && headers.host !== undefined && headers.host !== headers[":authority"]) {
      return { status: 400, reason: "Host and :authority differ" };
    }
    if (!allowed.has(host)) return { status: 421, reason: "this Host is not served here; --allowed-hosts adds one" };
    if (headers.origin !== undefined) return { status: 403, reason: "requests of browsers (Origin) are not served" };
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "none") return { status: 403, reason: "requests of browsers are not served" };
    if (method !== "POST") return { status: 405, reason: "an RPC is called by POST" };
    if (path === undefined || !rpcPath.test(path)) return { status: 404, reason: "no RPC has this path" };
    if (sizeOf(headers) > headerBytes) return { status: 431, reason: `headers are at most ${headerBytes} bytes` };
    return undefined;
  };
}

/** The host of a well-formed authority. */
function hostOf(authority: unknown): string | undefined {
  const [, host, port] = (typeof authority === "string" && authorityForm.exec(authority)) || [];
  return Number(port ?? 0) > maxPort ? undefined : host?.toLowerCase();
}

function sizeOf(headers: GuardedRequest["headers"]): number {
  let bytes = 0;
  for (const name in headers) bytes += name.length + String(headers[name]).length + 32;
  return bytes;
}
