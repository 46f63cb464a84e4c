// The arrows of the house: who may see whom, by files. What no line allows is a violation. test/direction.test.ts enforces them; if it
// complains, move the code and do not widen a line.

const port = "^src/store/(ports|registries|fault)[.]ts$";
const nouns = "^src/gen/(?!.*_service_pb[.]ts$)";
const gen = "^src/gen/";
const domain = "^src/domain/";
const rpc = "^src/rpc/";
const transport = "^src/transport/";
const config = "^src/config([.]ts$|/)";
const version = "^src/version[.]ts$";
const protobuf = "^node_modules/@bufbuild/protobuf/";
const anyPackage = "^node_modules/";
const ofNode = { dependencyTypes: ["core"] };

/** Each layer and what it sees beside its own files. */
const arrows = [
  { from: "^src/cli/", sees: ["^src/serve[.]ts$", "^src/client[.]ts$", config, transport, rpc, port, domain, gen] },
  { from: "^src/(cli/|sidecar[.]ts$)", sees: [version] },
  // The commands on the files of a store (backup, restore, verify-store, export) compose one as the sidecar does.
  { from: "^src/cli/", sees: ["^src/store/open[.]ts$"] },
  { from: "^src/serve[.]ts$", sees: ["^src/sidecar[.]ts$", config, transport, port] },
  { from: "^src/(serve|sidecar)[.]ts$", sees: ["^src/(clock|within)[.]ts$"] },
  { from: version, sees: ["^package[.]json$"] },
  { from: "^src/sidecar[.]ts$", sees: [config, transport, rpc, port, "^src/store/open[.]ts$", domain, nouns] },
  { from: "^src/client[.]ts$", sees: [gen] },
  // The library of the npm package: a client knows the contract only.
  { from: "^src/npm/", sees: [gen] },
  { from: config, sees: [config, domain, nouns] },
  { from: transport, sees: [rpc, port, domain, gen] },
  { from: rpc, sees: [port, domain, gen] },
  { from: "^src/store/[^/]+$", sees: ["^src/store/[^/]+$", domain, nouns] },
  { from: "^src/store/(sqlite|postgres)/", sees: ["^src/store/[^/]+$", domain, nouns] },
  { from: "^src/store/open[.]ts$", sees: ["^src/store/(sqlite|postgres)/"] },
  { from: domain, sees: [nouns] },
];

/** Files of one layer see each other; an engine does not see the other one. */
const layers = ["^src/(cli|npm|transport|rpc|domain|gen|store/sqlite|store/postgres)/"];

/** What comes from outside. The domain is pure: messages only, and of Node the one hash. The rpcs know no server; they may draw an id. */
const foreign = [
  { from: { path: "^src/(cli|npm|serve|sidecar|within|client|clock|transport|store|config)" }, to: ofNode },
  {
    from: { path: "^src/(cli|npm|serve|sidecar|within|client|clock|transport|store|config)" },
    to: { path: anyPackage },
  },
  { from: { path: `${domain}|${rpc}|${gen}` }, to: { path: protobuf } },
  { from: { path: `${domain}|${rpc}` }, to: { path: "^(node:)?crypto$", dependencyTypes: ["core"] } },
];

module.exports = {
  allowed: [
    ...arrows.map(({ from, sees }) => ({ from: { path: from }, to: { path: sees } })),
    ...layers.map((layer) => ({ from: { path: layer }, to: { path: "^src/$1/" } })),
    ...foreign,
  ],
  allowedSeverity: "error",
  forbidden: [
    // Imports of types count, too: whoever reads one file of a circle has to read them all.
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "^src/gen/", "^package[.]json$"] },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
