import { z } from "zod";
import { ADDRESS_EXPECTED, parseAddress } from "./address.ts";
import { derivations, formats, separator, supportRoute } from "./conversation-settings.ts";
import { limits } from "./limits.ts";
import { palette } from "./palette-settings.ts";
import { duration } from "./quantity.ts";
import { tokens } from "./tokens.ts";

const address = z
  .string({ error: ADDRESS_EXPECTED })
  .refine((text) => parseAddress(text) !== undefined, { error: ADDRESS_EXPECTED });

const OPERATOR = "unix:/absolute/path: who may reach an operator's socket is said by its folder";

const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected });

/** Every setting of the sidecar: its shape, its default and why that value. The JSON schema, the flags and the names of the environment derive from this. */
export const settings = z.strictObject({
  listen: z
    .array(address, { error: "a list of addresses" })
    .min(1, { error: "at least one address: a sidecar that nobody can call is of no use" })
    .default(["127.0.0.1:50551"])
    .meta({
      title: "address",
      description:
        "Addresses of the data listeners, host:port or unix:/path. Loopback by default: whoever reaches one may ask.",
      examples: [["127.0.0.1:50551", "unix:/run/fermata/fermata.sock"]],
    }),
  adminListen: z
    .union([z.literal("none"), address], { error: `none, or ${ADDRESS_EXPECTED}` })
    .default("127.0.0.1:50552")
    .meta({
      title: "address",
      description:
        "Address of the admin listener, or none. It serves probes and metrics and no data, so that a pod may give its own address.",
    }),
  operatorListen: z
    .string({ error: OPERATOR })
    .refine((text) => parseAddress(text)?.kind === "unix", { error: OPERATOR })
    .optional()
    .meta({
      title: "address",
      description:
        "Address of the operator listener, unix:/path. Not set by default: then the data listener serves the operator's calls (Freeze, Thaw, ListFreezes, Discard, Erase, Attribute), which suits a workstation.",
      examples: ["unix:/run/fermata/operator.sock"],
    }),
  tokens,
  dataDir: text("a folder")
    .optional()
    .meta({
      title: "folder",
      description:
        "Folder of the embedded store. By default $XDG_STATE_HOME/fermata or ~/.local/state/fermata: state that must survive a restart.",
      examples: ["/var/lib/fermata"],
    }),
  store: z
    .enum(["sqlite", "none"], { error: "sqlite or none (this version has no postgres engine yet)" })
    .default("sqlite")
    .meta({
      title: "engine",
      description:
        "Where conversations are kept, sqlite or none. The embedded store by default: it needs nothing to be installed.",
    }),
  allowNetworkFileSystem: z.boolean({ error: "true or false" }).default(false).meta({
    description:
      "Allow the embedded store on a network file system. Off by default: their locks let two writers in, which loses checkpoints.",
  }),
  allowRemote: z.boolean({ error: "true or false" }).default(false).meta({
    description:
      "Allow data listeners that other machines reach. Off by default: it needs a token or mTLS, and a slip of the address must not open a port.",
  }),
  allowedHosts: z
    .array(text("a host name"), { error: "a list of host names" })
    .default([])
    .meta({
      title: "host",
      description:
        "Host names accepted beside localhost, 127.0.0.1 and [::1]. None by default: a name that a web page chose must not reach the sidecar (DNS rebinding).",
      examples: [["fermata.internal"]],
    }),
  logLevel: z
    .enum(["debug", "info", "warn", "error", "silent"], { error: "debug, info, warn, error or silent" })
    .default("info")
    .meta({
      title: "level",
      description: "Least level that is logged: debug, info, warn, error or silent. One line per call by default.",
    }),
  testClock: text("a file that holds one RFC 3339 instant")
    .optional()
    .meta({
      title: "file",
      description:
        "File that the time is read from, for tests of horizons. Not set by default, and only on local listeners: who writes the file decides what has expired.",
      examples: ["/tmp/fermata-clock"],
    }),
  drainDelay: duration("10m").prefault("0s").meta({
    title: "duration",
    description:
      "How long to go on serving after SIGTERM with readiness down. Nothing by default: on a workstation there is no balancer that must notice.",
  }),
  drainTimeout: duration("1h").prefault("20s").meta({
    title: "duration",
    description:
      "How long calls may finish after that. 20 s by default: it fits into the 30 s that Kubernetes gives a pod.",
  }),
  limits,
  palette,
  supportRoute,
  formats,
  derivations,
  separator,
});
