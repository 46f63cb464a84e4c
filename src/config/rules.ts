import { parseOperatorStages } from "../domain/palette/operator-stages.ts";
import { isLocal, parseAddress } from "./address.ts";
import { type Context, type Fault, faultAt } from "./faults.ts";
import { settings } from "./settings.ts";

type Settings = typeof settings.shape;

/** What must hold between settings. Each is checked as soon as those that it is about can be read, whatever else is wrong. */
export function crossFaults(context: Context): readonly Fault[] {
  const rules = [remoteListeners, sameListeners, endsWithoutRoute, remoteClock, stagesFaults];
  return rules.flatMap((rule) => rule(context));
}

function remoteListeners(context: Context): readonly Fault[] {
  const allowed = read(context, "allowRemote") ?? false;
  const expected = allowed
    ? "a loopback address or unix:/path: allowRemote also needs a token or mTLS, and this version has neither. Put the caller into the same pod, or a proxy that checks who asks in front of a Unix socket"
    : "a loopback address or unix:/path: other machines may reach the data only with allowRemote and a token or mTLS";
  return listeners(context)
    .filter((one) => !isLocalText(one.text))
    .map((one) => faultAt(["listen", one.index], expected, context));
}

function sameListeners(context: Context): readonly Fault[] {
  const all = listeners(context);
  return all
    .filter((one) => !one.text.endsWith(":0") && all.findIndex((other) => other.text === one.text) < one.index)
    .map((one) => faultAt(["listen", one.index], "each address once", context));
}

/** A format past its end sends its callers to a person, and the refusal cannot be built without saying where. */
function endsWithoutRoute(context: Context): readonly Fault[] {
  if (read(context, "supportRoute") !== undefined) return [];
  const ending = Object.entries(read(context, "formats") ?? {}).filter(
    ([, format]) => format.supportedUntil !== undefined && format.supportRoute === undefined,
  );
  if (ending.length === 0) return [];
  const names = ending.map(([name]) => name).join(", ");
  return [faultAt(["supportRoute"], `where a person gets help: ${names} has an end`, context)];
}

function remoteClock(context: Context): readonly Fault[] {
  const admin = read(context, "adminListen") ?? "none";
  if (read(context, "testClock") === undefined || admin === "none" || isLocalText(admin)) return [];
  return [
    faultAt(
      ["adminListen"],
      "a loopback address while testClock is set: a test clock is for this machine only",
      context,
    ),
  ];
}

function stagesFaults(context: Context): readonly Fault[] {
  const parsed = parseOperatorStages(read(context, "palette")?.stages ?? []);
  if (parsed.kind === "ok") return [];
  return parsed.violations.map(({ field, description }) => {
    const [got = "", expected = got] = description.split("; ");
    return { ...faultAt(["palette", ...pathOf(field)], expected, context), got };
  });
}

/** The path of a violation's field: stages[0].deny.globs[1]. */
function pathOf(field: string): readonly PropertyKey[] {
  return (field.match(/[^.[\]]+/g) ?? []).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** The listeners that can be read, even while others cannot. */
function listeners(context: Context): readonly { readonly text: string; readonly index: number }[] {
  const list = rawValue(context, "listen");
  if (!Array.isArray(list)) return [];
  return list.flatMap((text: unknown, index) =>
    typeof text === "string" && parseAddress(text) ? [{ text, index }] : [],
  );
}

function isLocalText(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isLocal(address);
}

/** A setting by itself, or undefined if it is not there or not readable (which is told by its own fault). */
function read<K extends keyof Settings>(context: Context, key: K): ReturnType<Settings[K]["parse"]> | undefined {
  const parsed = settings.shape[key].safeParse(rawValue(context, key));
  // The schema of a key gives the type of that key; the compiler cannot follow the index.
  return parsed.success ? (parsed.data as ReturnType<Settings[K]["parse"]>) : undefined;
}

function rawValue(context: Context, key: keyof Settings): unknown {
  return Object.entries(context.value ?? {}).find(([name]) => name === key)?.[1];
}
