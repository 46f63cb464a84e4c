import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import type { z } from "zod";
import { resolveTokens, type Token } from "./config/credentials.ts";
import { type Fault, toFaults, wordsOf } from "./config/faults.ts";
import { type Layers, type Merged, merge, type SourceFile, type Unreadable } from "./config/layers.ts";
import { environmentName, type Leaf, leaves } from "./config/leaves.ts";
import { nearest } from "./config/nearest.ts";
import { crossFaults } from "./config/rules.ts";
import { settings } from "./config/settings.ts";
import { deepest } from "./config/yaml-text.ts";
import { type OperatorStages, parseOperatorStages } from "./domain/palette/operator-stages.ts";

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What the sidecar runs with: durations in milliseconds, sizes in bytes, instants in milliseconds since 1970. */
export type Config = Omit<DeepReadonly<z.output<typeof settings>>, "dataDir" | "adminListen" | "palette" | "tokens"> & {
  /** Empty only where nothing is stored and no home is known. */
  readonly dataDir: string;
  /** Undefined: no admin listener (`none`). */
  readonly adminListen: string | undefined;
  /** The credentials that callers may bring, by their digests. */
  readonly tokens: readonly Token[];
  /** The operator's stages, proved and ready to run. */
  readonly palette: OperatorStages;
  /** SHA-256 of all effective settings, in hex: two sidecars with the same digest decide alike. */
  readonly digest: string;
};

/** One setting as it is in effect, in the words of a file. */
export interface Effective {
  readonly leaf: Leaf;
  readonly value: unknown;
  /** File and line, variable or flag; `default` if nobody wrote it. */
  readonly from: string;
}

/** A config, or everything that is wrong with it. */
export type Loaded =
  | {
      readonly kind: "loaded";
      readonly config: Config;
      readonly effective: readonly Effective[];
      /** Variables that look like a misspelt setting. No fault: Kubernetes makes FERMATA_* variables of a service of that name. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "faulty"; readonly faults: readonly Fault[] };

/**
 * Loads what a process runs with: the file that the flag or FERMATA_CONFIG names, this process's environment, the flags.
 * The one place that reads the environment.
 */
export function loadConfig(configFile: string | undefined, flags: Layers["flags"]): Loaded {
  const name = configFile ?? (process.env["FERMATA_CONFIG"] || undefined);
  const file = name === undefined ? undefined : readSource(name);
  if (file?.kind === "faulty") return file;
  return readConfig({ file: file?.source, env: process.env, home: accountHome(), flags });
}

/** Reads a config from its layers. Every fault is told, not only the first. */
export function readConfig(layers: Layers): Loaded {
  const merged = merge(layers);
  const parsed = settings.safeParse(merged.value, { error: wordsOf });
  const credentials = resolveTokens(parsed.data?.tokens ?? [], layers.env, merged);
  const faults = [
    ...merged.unreadable.map(unreadableFault),
    ...(parsed.error?.issues ?? []).flatMap((issue) => toFaults(issue, merged)),
    ...crossFaults(merged),
    ...homelessFaults(parsed.data, layers),
    ...credentials.faults,
  ];
  if (!parsed.success || faults.length > 0) return { kind: "faulty", faults };
  const palette = parseOperatorStages(parsed.data.palette.stages);
  if (palette.kind === "invalid") throw new Error("stages without a fault did not parse");
  const effective = leaves.map((leaf) => toEffective(leaf, merged, layers));
  const config = { ...toConfig(parsed.data, effective), palette: palette.value, tokens: credentials.tokens };
  return { kind: "loaded", config, effective, warnings: misspelt(layers.env) };
}

function readSource(
  name: string,
): { readonly kind: "source"; readonly source: SourceFile } | Extract<Loaded, { kind: "faulty" }> {
  try {
    return { kind: "source", source: { name, text: readFileSync(name, "utf8") } };
  } catch (thrown) {
    if (!(thrown instanceof Error) || !("code" in thrown)) throw thrown;
    const fault = { path: "", got: String(thrown.code), expected: "a config file that can be read", from: name };
    return { kind: "faulty", faults: [fault] };
  }
}

/** The home folder by the user database. A number that a container was started with has no entry there. */
function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return undefined;
    throw thrown;
  }
}

function unreadableFault(one: Unreadable): Fault {
  return { path: "", got: one.message, expected: `YAML or JSON, at most ${deepest} levels deep`, from: one.from };
}

/** A folder below the current one would be another store from every place. */
function homelessFaults(parsed: z.output<typeof settings> | undefined, layers: Layers): readonly Fault[] {
  if (parsed === undefined || parsed.store === "none" || parsed.dataDir !== undefined) return [];
  if (defaultDataDir(layers) !== undefined) return [];
  const got = "nothing, and neither XDG_STATE_HOME, HOME nor the account names a home";
  return [{ path: "dataDir", got, expected: "a folder: give --data-dir or FERMATA_DATA_DIR", from: undefined }];
}

function toConfig(
  parsed: z.output<typeof settings>,
  effective: readonly Effective[],
): Omit<Config, "palette" | "tokens"> {
  const { adminListen, ...rest } = parsed;
  return {
    ...rest,
    dataDir: String(effective.find((one) => one.leaf.path[0] === "dataDir")?.value ?? ""),
    adminListen: adminListen === "none" ? undefined : adminListen,
    digest: digestOf(effective),
  };
}

function toEffective(leaf: Leaf, merged: Merged, layers: Layers): Effective {
  const written = leaf.path.reduce<unknown>(
    (at, key) => Object.entries(at ?? {}).find(([name]) => name === key)?.[1],
    merged.value,
  );
  if (written !== undefined) return { leaf, value: written, from: merged.from(leaf.path) ?? "default" };
  return { leaf, value: leaf.path[0] === "dataDir" ? defaultDataDir(layers) : leaf.fallback, from: "default" };
}

function defaultDataDir({ env, home }: Layers): string | undefined {
  const state = folderOf(env["XDG_STATE_HOME"]);
  const account = folderOf(env["HOME"]) ?? folderOf(home);
  const parent = state ?? (account && join(account, ".local", "state"));
  return parent && join(parent, "fermata");
}

/** What is empty or relative counts as not set: that is how shells unset, and the rule of XDG_*. */
function folderOf(text: string | undefined): string | undefined {
  return text !== undefined && isAbsolute(text) ? text : undefined;
}

function digestOf(effective: readonly Effective[]): string {
  const text = JSON.stringify(effective.map((one) => [one.leaf.path, one.value ?? null]));
  return createHash("sha256").update(text).digest("hex");
}

const prefix = "FERMATA_";

/** Variables that are no setting: of this file, of the clients' test fixtures, of the examples. */
const otherNames = ["FERMATA_CONFIG", "FERMATA_BIN", "FERMATA_TARGET"];

function misspelt(env: Layers["env"]): readonly string[] {
  const known = [...leaves.map((leaf) => environmentName(leaf.path)), ...otherNames];
  const shorts = known.map(withoutPrefix);
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(withoutPrefix(name), shorts); // The prefix, which all share, would make all alike.
      return meant === undefined ? [] : [`${name} is no setting and has no effect; did you mean ${prefix}${meant}?`];
    });
}

function withoutPrefix(name: string): string {
  return name.slice(prefix.length);
}
