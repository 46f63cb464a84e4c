import { setTimeout } from "node:timers/promises";
import { type Clock, openClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { symfonic9 } from "./domain/conversation/legacy-key.ts";
import { publishWindow } from "./domain/conversation/support-window.ts";
import type { KeyRules } from "./domain/conversation/thread-key.ts";
import { type OpenStore, openStore } from "./store/open.ts";
import { openRegistries } from "./store/registries.ts";
import { type AdminListener, startAdmin } from "./transport/admin.ts";
import { Calls } from "./transport/call.ts";
import { createGuard } from "./transport/guard.ts";
import { HealthState, healthRoutes } from "./transport/health.ts";
import { createReflection } from "./transport/reflection.ts";
import type { RequestLog } from "./transport/request-log.ts";
import { everybodyMay, operatorsOnly, type Rights } from "./transport/rights.ts";
import { type RouteDeps, routes } from "./transport/routes.ts";
import { createServer, type Server, type ServerParts } from "./transport/server.ts";
import { conversationService, describedFiles, fermataServices, listedServices } from "./transport/services.ts";
import { fermataVersion } from "./version.ts";
import { within } from "./within.ts";

/** A sidecar that serves. */
export interface Sidecar {
  /** Its data listeners, as a client names them. */
  readonly listening: readonly string[];
  /** Its admin listener, if it has one. */
  readonly admin: string | undefined;
  /** Readiness down, the drain delay, GOAWAY, calls in flight to their end or the drain timeout. */
  stop(): Promise<void>;
}

/** Only the user that runs the sidecar reaches the operator's socket. */
const operatorMode = 0o600;

/** How long statuses may take to leave once the drain timeout has ended their calls, in milliseconds. */
const endingTime = 500;

/**
 * Composes a sidecar from its config and starts it: the listeners, then the store. Throws ListenFault for an address that cannot be had, and
 * StoreFault for a store that no later attempt opens.
 */
export async function startSidecar(config: Config, log: RequestLog): Promise<Sidecar> {
  const calls = new Calls(config.limits, log, rightsOf(config));
  const health = new HealthState(fermataServices);
  const clock = openClock(config.testClock);
  if (config.testClock !== undefined) log.warn("the time is read from a file (--test-clock): for tests only");
  health.set(conversationService, config.store === "none");
  const store = openStore({
    ...config,
    diskReserveBytes: config.limits.diskReserveBytes,
    clock,
    onOpen: (warnings) => {
      health.set(conversationService, true);
      for (const warning of warnings) log.warn(warning);
    },
    onFault: ({ fault, message }) => log.warn("the store cannot be opened yet", { fault, why: message }),
    onLost: ({ fault, message }) => {
      health.set(conversationService, false);
      log.warn("the store takes no writes", { fault, why: message });
    },
    onBack: () => {
      health.set(conversationService, true);
      log.note("the store takes writes again");
    },
  });
  const parts: ServerParts = {
    routes: [...routes(depsOf(config, store, clock)), ...healthRoutes(health)],
    calls,
    guard: createGuard(config.allowedHosts, config.limits.headerBytes),
    reflection: createReflection(describedFiles, listedServices),
    limits: { ...config.limits, messageBytes: messageBytes(config.limits.maxDocumentBytes) },
  };
  const server = createServer(parts);
  const operators = createServer({ ...parts, operator: true, limits: { ...parts.limits, socketMode: operatorMode } });
  const running: Running = { config, calls, health, servers: [server, operators], store, admin: undefined };
  try {
    const listening: string[] = [];
    for (const address of config.listen) listening.push((await server.listen(address)).address);
    if (config.operatorListen !== undefined) await operators.listen(config.operatorListen);
    const admin =
      config.adminListen === undefined ? undefined : await startAdmin(adminParts(config.adminListen, running));
    await store.tried;
    return { listening, admin: admin?.address, stop: () => stop({ ...running, admin }) };
  } catch (thrown) {
    for (const one of running.servers) one.destroy();
    await store.close();
    throw thrown;
  }
}

interface Running {
  readonly config: Config;
  readonly calls: Calls;
  readonly health: HealthState;
  readonly servers: readonly Server[];
  readonly store: OpenStore;
  readonly admin: AdminListener | undefined;
}

function depsOf(config: Config, store: OpenStore, clock: Clock): RouteDeps {
  const window = publishWindow(config);
  if (window.kind === "invalid") throw new Error("a config with a wrong support window was loaded");
  return {
    registries: openRegistries(),
    operatorStages: () => config.palette,
    store: store.conversations,
    documents: store.documents,
    rules: keyRules(config),
    window: () => window.value,
    clock,
    maxDocumentBytes: config.limits.maxDocumentBytes,
    serverVersion: fermataVersion,
    configDigest: () => config.digest,
  };
}

/** On a workstation whoever reaches the data listener is the operator; once operators are told apart, only they are. */
function rightsOf({ operatorListen, tokens }: Config): Rights {
  const apart = operatorListen !== undefined || tokens.some(({ operator }) => operator);
  return apart ? operatorsOnly(tokens) : everybodyMay;
}

function keyRules({ separator, derivations }: Config): KeyRules {
  const declared = Object.entries(derivations).map(([name, derivation]) => ({ name, ...derivation }));
  return { separator, derivations: [symfonic9, ...declared] };
}

function adminParts(address: string, { config, calls, health }: Running) {
  return { address, calls, health, limits: config.limits };
}

/** The message limit of every call, both ways and after decompression: the largest document as base64, and room for the rest of a message. */
function messageBytes(maxDocumentBytes: number): number {
  return Math.ceil(maxDocumentBytes / 3) * 4 + 256 * 1024;
}

async function stop({ config, calls, health, servers, store, admin }: Running): Promise<void> {
  health.stop();
  await setTimeout(config.drainDelay);
  calls.stopAccepting();
  const drained = Promise.all(servers.map((server) => server.drain()));
  if (!(await within(config.drainTimeout, drained))) {
    calls.endAll();
    await within(endingTime, drained);
  }
  for (const server of servers) server.destroy();
  await store.close();
  await admin?.close();
}
