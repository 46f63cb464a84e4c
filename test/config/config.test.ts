import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { environmentName, leaves } from "../../src/config/leaves.ts";
import { readConfig } from "../../src/config.ts";

const HOME = { HOME: "/home/someone" };

function fromFile(
  text: string,
  env: Readonly<Record<string, string>> = {},
  flags: Readonly<Record<string, unknown>> = {},
) {
  return readConfig({ file: { name: "f.yaml", text }, env: { ...HOME, ...env }, flags });
}

function faultsOf(
  text: string,
  env: Readonly<Record<string, string>> = {},
  flags: Readonly<Record<string, unknown>> = {},
) {
  const loaded = fromFile(text, env, flags);
  return loaded.kind === "faulty" ? loaded.faults : [];
}

function configOf(
  text: string,
  env: Readonly<Record<string, string>> = {},
  flags: Readonly<Record<string, unknown>> = {},
) {
  const loaded = fromFile(text, env, flags);
  if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
}

const MiB = 1_048_576;

describe("defaults", () => {
  it("are those of operations.md", () => {
    expect(configOf("")).toMatchObject({
      listen: ["127.0.0.1:50551"],
      adminListen: "127.0.0.1:50552",
      dataDir: "/home/someone/.local/state/fermata",
      store: "sqlite",
      allowRemote: false,
      allowedHosts: [],
      drainTimeout: 20_000,
      separator: ":",
      formats: {},
      derivations: {},
      limits: {
        maxDocumentBytes: 8 * MiB,
        documentsInFlightBytes: 64 * MiB,
        headerBytes: 16_384,
        connections: 64,
        streamsPerConnection: 128,
        callsInFlight: 256,
        replaysInFlight: 32,
        prefaceTimeout: 5_000,
        headersTimeout: 10_000,
        bodyTimeout: 30_000,
        resetsPer10s: 200,
        resolveDeadline: 2_000,
        callDeadline: 15_000,
        replayDeadline: 300_000,
      },
    });
  });

  it("keeps the store where the desktop says, else below HOME", () => {
    expect(configOf("", { XDG_STATE_HOME: "/state" }).dataDir).toBe("/state/fermata");
    expect(configOf("", { XDG_STATE_HOME: "" }).dataDir).toBe("/home/someone/.local/state/fermata");
    expect(configOf("dataDir: /there", { XDG_STATE_HOME: "/state" }).dataDir).toBe("/there");
  });

  it.each(leaves)("gives a reason for $path", ({ description }) => {
    expect(description).toMatch(/\. /);
  });
});

describe("layers", () => {
  const level = fc.option(fc.constantFrom("debug", "info", "warn", "error", "silent"), { nil: undefined });

  it("lets a flag win over the environment, that over the file, that over the default", () => {
    fc.assert(
      fc.property(level, level, level, (file, env, flag) => {
        const text = file === undefined ? "" : `logLevel: ${file}`;
        const config = configOf(text, env === undefined ? {} : { FERMATA_LOG_LEVEL: env }, { logLevel: flag });
        expect(config.logLevel).toBe(flag ?? env ?? file ?? "info");
      }),
    );
  });

  it("says where each setting came from", () => {
    const loaded = fromFile(
      "drainDelay: 1s\nlimits:\n  connections: 2\n",
      { FERMATA_STORE: "none" },
      { logLevel: "warn" },
    );
    const from = loaded.kind === "loaded" ? loaded.effective.map((one) => [one.leaf.path.join("."), one.from]) : [];
    expect(Object.fromEntries(from)).toMatchObject({
      drainDelay: "f.yaml:1",
      "limits.connections": "f.yaml:3",
      "limits.callsInFlight": "default",
      store: "FERMATA_STORE",
      logLevel: "--log-level",
    });
  });

  it.each([
    {
      name: "FERMATA_LISTEN",
      text: "127.0.0.1:1, unix:/run/f.sock",
      found: { listen: ["127.0.0.1:1", "unix:/run/f.sock"] },
    },
    { name: "FERMATA_ADMIN_LISTEN", text: "none", found: { adminListen: undefined } },
    { name: "FERMATA_ALLOW_REMOTE", text: "true", found: { allowRemote: true } },
    { name: "FERMATA_LIMITS_MAX_DOCUMENT_BYTES", text: "2097152", found: { limits: { maxDocumentBytes: 2 * MiB } } },
    { name: "FERMATA_LIMITS_CALLS_IN_FLIGHT", text: "40", found: { limits: { callsInFlight: 40 } } },
    {
      name: "FERMATA_FORMATS",
      text: "{acme/2: {boundaryProofs: [a/b/1]}}",
      found: { formats: { "acme/2": { boundaryProofs: ["a/b/1"] } } },
    },
    { name: "FERMATA_LOG_LEVEL", text: "", found: { logLevel: "info" } },
  ])("reads $name=$text", ({ name, text, found }) => {
    expect(configOf("", { [name]: text })).toMatchObject(found);
  });

  it("derives a variable of its own for each setting", () => {
    const names = leaves.map((leaf) => environmentName(leaf.path));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("FERMATA_LIMITS_MAX_DOCUMENT_BYTES");
  });

  it("warns of a variable that looks misspelt, and leaves what Kubernetes makes of a service alone", () => {
    const loaded = fromFile("", {
      FERMATA_LISTN: "x",
      FERMATA_SERVICE_HOST: "10.0.0.1",
      FERMATA_PORT_50551_TCP: "tcp://10.0.0.1",
    });
    expect(loaded.kind === "loaded" && loaded.warnings).toEqual([expect.stringContaining("FERMATA_LISTEN?")]);
  });

  it("reads JSON, with tabs too", () => {
    expect(configOf('{\n\t"limits": {\n\t\t"connections": 3\n\t}\n}').limits.connections).toBe(3);
  });
});

describe("values", () => {
  it.each([
    { text: "250ms", ms: 250 },
    { text: "2s", ms: 2_000 },
    { text: "5m", ms: 300_000 },
  ])("reads the duration $text", ({ text, ms }) => {
    expect(configOf(`drainDelay: ${text}`).drainDelay).toBe(ms);
  });

  it.each([
    { text: "8388608", bytes: 8 * MiB },
    { text: '"8388608"', bytes: 8 * MiB },
    { text: "8MiB", bytes: 8 * MiB },
    { text: "512KiB", bytes: 524_288 },
    { text: "32MiB", bytes: 32 * MiB },
  ])("reads the size $text", ({ text, bytes }) => {
    expect(configOf(`limits: {maxDocumentBytes: ${text}}`).limits.maxDocumentBytes).toBe(bytes);
  });

  it("reads instants to milliseconds", () => {
    const text = "formats: {a/1: {supportedUntil: 2027-06-01T00:00:00Z, supportRoute: x}}";
    expect(configOf(text).formats["a/1"]?.supportedUntil).toBe(Date.UTC(2027, 5, 1));
  });

  it("has one digest for the same settings, whoever wrote them, and another for others", () => {
    const digest = configOf("logLevel: warn").digest;
    expect(configOf("", { FERMATA_LOG_LEVEL: "warn" }).digest).toBe(digest);
    expect(configOf("", {}, { logLevel: "warn" }).digest).toBe(digest);
    expect(configOf("logLevel: error").digest).not.toBe(digest);
  });

  it("proves the operator's stages", () => {
    const { palette } = configOf("palette: {stages: [{name: a, protectsForced: false, deny: {names: [x]}}]}");
    expect(palette.stages).toMatchObject([{ name: "a", protectsForced: false, rule: { kind: "deny" } }]);
  });
});

describe("faults", () => {
  const route = "supportRoute: https://s.example";

  it.each([
    // unknown keys, with the nearest known one
    { text: "listn: [127.0.0.1:1]", path: "listn", from: "f.yaml:1", expected: "listen?" },
    { text: "limits:\n  conections: 3", path: "limits.conections", from: "f.yaml:2", expected: "limits.connections?" },
    { text: "callsInFlight: 3", path: "callsInFlight", from: "f.yaml:1", expected: "limits.callsInFlight?" },
    { text: "zzz: 3", path: "zzz", from: "f.yaml:1", expected: "no setting" },
    {
      text: "palette: {stages: [{name: x, protectsForced: true, deny: {name: [x]}}]}",
      path: "palette.stages[0].deny.name",
      from: "f.yaml:1",
      expected: "names?",
    },
    // wrong kinds
    { text: "limits: 5", path: "limits", from: "f.yaml:1", expected: "section" },
    { text: "limits:", path: "limits", from: "f.yaml:1", expected: "section" },
    { text: "listen: 127.0.0.1:1", path: "listen", from: "f.yaml:1", expected: "list" },
    { text: "allowRemote: 'yes'", path: "allowRemote", from: "f.yaml:1", expected: "true or false" },
    // addresses
    { text: "listen: []", path: "listen", from: "f.yaml:1", expected: "at least one" },
    { text: "listen:\n- 127.0.0.1:70000", path: "listen[0]", from: "f.yaml:2", expected: "host:port" },
    { text: "listen: ['example.com:1']", path: "listen[0]", from: "f.yaml:1", expected: "host:port" },
    { text: "listen: ['unix:relative']", path: "listen[0]", from: "f.yaml:1", expected: "unix:" },
    { text: `listen: ['unix:/${"x".repeat(107)}']`, path: "listen[0]", from: "f.yaml:1", expected: "107 bytes" },
    { text: "listen: ['127.0.0.1:1', '127.0.0.1:1']", path: "listen[1]", from: "f.yaml:1", expected: "once" },
    { text: "listen: ['0.0.0.0:50551']", path: "listen[0]", from: "f.yaml:1", expected: "allowRemote" },
    {
      text: "listen: ['[::]:50551']\nallowRemote: true",
      path: "listen[0]",
      from: "f.yaml:1",
      expected: "token or mTLS",
    },
    { text: "listen: ['[::ffff:10.0.0.1]:1']", path: "listen[0]", from: "f.yaml:1", expected: "loopback" },
    { text: "testClock: /c\nadminListen: 10.0.0.1:1", path: "adminListen", from: "f.yaml:2", expected: "loopback" },
    // stores that do not exist yet
    { text: "store: postgres", path: "store", from: "f.yaml:1", expected: "no postgres" },
    // durations and sizes
    { text: "drainDelay: 20", path: "drainDelay", from: "f.yaml:1", expected: "duration" },
    { text: "drainDelay: 2 s", path: "drainDelay", from: "f.yaml:1", expected: "duration" },
    { text: "drainDelay: 999h", path: "drainDelay", from: "f.yaml:1", expected: "at most" },
    { text: "limits: {maxDocumentBytes: 33MiB}", path: "limits.maxDocumentBytes", from: "f.yaml:1", expected: "32MiB" },
    { text: "limits: {maxDocumentBytes: 8MB}", path: "limits.maxDocumentBytes", from: "f.yaml:1", expected: "size" },
    {
      text: "limits: {maxDocumentBytes: 0}",
      path: "limits.maxDocumentBytes",
      from: "f.yaml:1",
      expected: "from 1 byte",
    },
    { text: "limits: {headerBytes: 1.5}", path: "limits.headerBytes", from: "f.yaml:1", expected: "size" },
    { text: "limits: {connections: 0}", path: "limits.connections", from: "f.yaml:1", expected: "from 1" },
    // between settings
    { text: "limits: {callsInFlight: 8}", path: "limits.replaysInFlight", from: "f.yaml:1", expected: "callsInFlight" },
    {
      text: "limits: {documentsInFlightBytes: 1MiB}",
      path: "limits.documentsInFlightBytes",
      from: "f.yaml:1",
      expected: "maxDocumentBytes",
    },
    // stages
    {
      text: "palette: {stages: [{name: x, deny: {names: [x]}}]}",
      path: "palette.stages[0].protectsForced",
      from: "f.yaml:1",
      expected: "true or false",
    },
    {
      text: "palette: {stages: [{name: x, protectsForced: true, deny: {}}]}",
      path: "palette.stages[0].deny",
      from: "f.yaml:1",
      expected: "needed",
    },
    {
      text: "palette: {stages: [{name: x, protectsForced: true}]}",
      path: "palette.stages[0].rule",
      from: "f.yaml:1",
      expected: "needed",
    },
    // the support window
    {
      text: "formats: {a/1: {supportedUntil: 2027-06-01T00:00:00Z}}",
      path: "supportRoute",
      from: undefined,
      expected: "a/1",
    },
    {
      text: `${route}\nformats: {a/1: {supportedUntil: 2027-06-01}}`,
      path: "formats.a/1.supportedUntil",
      from: "f.yaml:2",
      expected: "UTC",
    },
    {
      text: `${route}\nformats: {a/1: {supportedUntil: "2027-02-30T00:00:00Z"}}`,
      path: "formats.a/1.supportedUntil",
      from: "f.yaml:2",
      expected: "UTC",
    },
    {
      text: `${route}\nformats: {a/1: {supportedUntil: "2027-06-01T00:00:00+02:00"}}`,
      path: "formats.a/1.supportedUntil",
      from: "f.yaml:2",
      expected: "UTC",
    },
    {
      text: "formats: {a/1: {replayUntil: 2027-06-01T00:00:00Z}}",
      path: "formats.a/1.replayUntil",
      from: "f.yaml:1",
      expected: "supportedUntil",
    },
    {
      text: `${route}\nformats: {a/1: {supportedUntil: 2027-06-01T00:00:00Z, replayUntil: 2027-05-01T00:00:00Z}}`,
      path: "formats.a/1.replayUntil",
      from: "f.yaml:2",
      expected: "not before",
    },
    { text: "formats: {Acme: {}}", path: "formats.Acme", from: "f.yaml:1", expected: "name/version" },
    { text: `supportRoute: "${"x".repeat(129)}"`, path: "supportRoute", from: "f.yaml:1", expected: "128 bytes" },
    { text: 'supportRoute: "a\\nb"', path: "supportRoute", from: "f.yaml:1", expected: "printable" },
    {
      text: "derivations: {old: {segments: [tenant, session], separators: 0}}",
      path: "derivations.old.separators",
      from: "f.yaml:1",
      expected: "at least",
    },
    { text: "separator: '%'", path: "separator", from: "f.yaml:1", expected: "character" },
    { text: "separator: '::'", path: "separator", from: "f.yaml:1", expected: "character" },
    { text: "separator: _", path: "separator", from: "f.yaml:1", expected: "character" },
    // text that is no YAML
    { text: "a: 1\na: 2", path: "", from: "f.yaml:2", expected: "YAML" },
    { text: "listen: [", path: "", from: "f.yaml:1", expected: "YAML" },
  ])("tells of $path in $text", ({ text, path, from, expected }) => {
    expect(faultsOf(text)).toEqual([
      { path, from, got: expect.any(String), expected: expect.stringContaining(expected) },
    ]);
  });

  it.each([
    { env: { FERMATA_DRAIN_DELAY: "20" }, flags: {}, path: "drainDelay", from: "FERMATA_DRAIN_DELAY" },
    {
      env: { FERMATA_LIMITS_CONNECTIONS: "many" },
      flags: {},
      path: "limits.connections",
      from: "FERMATA_LIMITS_CONNECTIONS",
    },
    { env: { FERMATA_FORMATS: "{a" }, flags: {}, path: "", from: "FERMATA_FORMATS" },
    { env: { FERMATA_DRAIN_DELAY: "1s" }, flags: { drainDelay: "x" }, path: "drainDelay", from: "--drain-delay" },
    { env: {}, flags: { listen: ["127.0.0.1:1", "nowhere"] }, path: "listen[1]", from: "--listen" },
  ])("names the source $from", ({ env, flags, path, from }) => {
    expect(faultsOf("", env, flags)).toMatchObject([{ path, from }]);
  });

  it("tells all of them at once", () => {
    const text = "store: x\nlimits: {connections: -1}\nlisten: ['0.0.0.0:1']\nlogLvel: info\n";
    const paths = faultsOf(text, { FERMATA_SEPARATOR: "ab" }).map((fault) => fault.path);
    expect(paths.sort()).toEqual(["limits.connections", "listen[0]", "logLvel", "separator", "store"]);
  });

  it("accepts loopback in every form, sockets and any address for the admin listener", () => {
    const listen = ["127.0.0.1:0", "127.8.8.8:1", "localhost:2", "[::1]:3", "[0:0:0:0:0:0:0:1]:4", "unix:/run/f.sock"];
    expect(configOf(JSON.stringify({ listen, adminListen: "0.0.0.0:50552" })).listen).toEqual(listen);
  });

  it("lets no text through that is neither a config nor a fault", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(["loaded", "faulty"]).toContain(fromFile(text).kind);
      }),
    );
  });
});

describe("the folder of the store where nobody names one", () => {
  const dataDir = (env: Readonly<Record<string, string>>, home?: string) => {
    const loaded = readConfig({ env, home, flags: {} });
    return loaded.kind === "loaded" ? loaded.config.dataDir : loaded.faults;
  };

  it.each([
    { env: { HOME: "" }, found: "/account/.local/state/fermata" },
    { env: { HOME: "", XDG_STATE_HOME: "" }, found: "/account/.local/state/fermata" },
    { env: { HOME: "relative", XDG_STATE_HOME: "relative" }, found: "/account/.local/state/fermata" },
    { env: { XDG_STATE_HOME: "/state" }, found: "/state/fermata" },
    { env: { HOME: "/h", XDG_STATE_HOME: "" }, found: "/h/.local/state/fermata" },
    { env: { HOME: "/h", XDG_STATE_HOME: "state" }, found: "/h/.local/state/fermata" },
  ])("is never below the current one: $env", ({ env, found }) => {
    expect(dataDir(env, "/account")).toBe(found);
  });

  it("is asked for where there is no home at all, unless nothing is stored", () => {
    for (const home of [undefined, ""]) {
      expect(dataDir({ HOME: "" }, home)).toMatchObject([
        { path: "dataDir", expected: expect.stringContaining("--data-dir") },
      ]);
    }
    expect(dataDir({ FERMATA_DATA_DIR: "/there" })).toBe("/there");
    expect(readConfig({ env: { FERMATA_STORE: "none" }, flags: {} })).toMatchObject({ kind: "loaded" });
  });
});

describe("text that nests too deep, or stands for too much", () => {
  const nested = (levels: number) => [
    "[".repeat(levels) + "]".repeat(levels),
    `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    `${"- ".repeat(levels)}x`,
    "[".repeat(levels),
    Array.from({ length: Math.min(levels, 2_000) }, (_, level) => `${" ".repeat(level)}a:`).join("\n"),
  ];
  const doubled = (levels: number) =>
    Array.from({ length: levels }, (_, level) =>
      level === 0 ? "a0: &a0 [x, x]" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
    ).join("\n");

  it.each([...nested(100_000), ...nested(66), ...nested(65)])(
    "is told with its place and the limit, from a file and from a variable (%#)",
    (text) => {
      for (const [faults, from] of [
        [faultsOf(text), /^f\.yaml:\d+$/],
        [faultsOf("", { FERMATA_FORMATS: text }), /^FERMATA_FORMATS$/],
      ] as const) {
        expect(faults).toContainEqual({
          path: "",
          got: expect.stringContaining("deeper than 64 levels"),
          expected: expect.stringContaining("at most 64 levels"),
          from: expect.stringMatching(from),
        });
      }
    },
  );

  it.each([
    { name: "an alias of itself", text: "a: &a [*a]" },
    { name: "an alias of what is around it", text: "a: &a {b: {c: *a}}" },
    { name: "many of many", text: doubled(30) },
    {
      name: "a chain of them",
      text: `a0: &a0 [x]\n${Array.from({ length: 70 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]`).join("\n")}`,
    },
    { name: "an alias of nothing", text: "formats: *nowhere" },
  ])("by aliases: $name", ({ text }) => {
    expect(faultsOf(text)).toMatchObject(
      [{ path: "", got: expect.stringContaining("alias"), from: /^f\.yaml/ }].map(({ from, ...rest }) => ({
        ...rest,
        from: expect.stringMatching(from),
      })),
    );
  });

  it("is read where it is within the limits", () => {
    expect(configOf("limits: {connections: 3}\nformats: {a/1: &f {status: old}, b/1: *f}").formats).toMatchObject({
      "b/1": { status: "old" },
    });
    const levels = nested(64).flatMap((text) => faultsOf(text).map(({ got }) => got));
    expect(levels.filter((got) => got.includes("deeper"))).toEqual([]);
  });
});

describe("variables that are no setting", () => {
  const warnings = (name: string) => {
    const loaded = fromFile("", { [name]: "x" });
    return loaded.kind === "loaded" ? loaded.warnings : [];
  };

  it.each(["FERMATA_BIN", "FERMATA_TARGET", "FERMATA_CONFIG", "FERMATA_SERVICE_HOST", "FERMATA_PORT", "FERMATA_RUNS"])(
    "warn not for %s",
    (name) => expect(warnings(name)).toEqual([]),
  );

  it.each([
    { name: "FERMATA_LISTN", meant: "FERMATA_LISTEN" },
    { name: "FERMATA_DATADIR", meant: "FERMATA_DATA_DIR" },
    { name: "FERMATA_LIMITS_CALLS_INFLIGHT", meant: "FERMATA_LIMITS_CALLS_IN_FLIGHT" },
  ])("warn for $name", ({ name, meant }) =>
    expect(warnings(name)).toEqual([expect.stringContaining(`did you mean ${meant}?`)]),
  );
});
