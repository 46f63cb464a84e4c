import { isIPv4, isIPv6 } from "node:net";

/** Where a listener listens. `loopback` says that no other machine can reach it. */
export type Address =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly loopback: boolean }
  | { readonly kind: "unix"; readonly path: string };

const SUN_PATH_BYTES = 107; // what the kernel's sockaddr_un holds, less the final zero

/** What `parseAddress` accepts, for a person who wrote something else. */
export const ADDRESS_EXPECTED = `host:port with an IP address or localhost (IPv6 in brackets, port 0 is any free one), or unix:/absolute/path of at most ${SUN_PATH_BYTES} bytes`;

/** Reads a listener's address. Names other than localhost are refused: what they resolve to may change after the check for loopback. */
export function parseAddress(text: string): Address | undefined {
  return text.startsWith("unix:") ? parseUnix(text.slice("unix:".length)) : parseTcp(text);
}

/** Whether only this machine can reach the address. */
export function isLocal(address: Address): boolean {
  return address.kind === "unix" || address.loopback;
}

function parseUnix(path: string): Address | undefined {
  if (!path.startsWith("/") || path.includes("\0") || Buffer.byteLength(path) > SUN_PATH_BYTES) return undefined;
  return { kind: "unix", path };
}

function parseTcp(text: string): Address | undefined {
  const match = /^(?:\[([^\]%]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return undefined;
  const host = match[1] ?? match[2] ?? "";
  const known = match[1] === undefined ? host === "localhost" || isIPv4(host) : isIPv6(host);
  return known ? { kind: "tcp", host, port, loopback: isLoopback(host) } : undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || (isIPv4(host) && host.startsWith("127.")) || isIPv6Loopback(host);
}

function isIPv6Loopback(host: string): boolean {
  return isIPv6(host) && new URL(`http://[${host}]`).hostname === "[::1]";
}
