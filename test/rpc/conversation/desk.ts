import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drainTerms } from "../../../src/domain/conversation/drain-terms.ts";
import { symfonic9 } from "../../../src/domain/conversation/legacy-key.ts";
import { publishWindow, type WindowSettings } from "../../../src/domain/conversation/support-window.ts";
import { adopt } from "../../../src/rpc/conversation/adopt.ts";
import { attribute } from "../../../src/rpc/conversation/attribute.ts";
import { deriveThreadKey } from "../../../src/rpc/conversation/derive-thread-key.ts";
import { discard } from "../../../src/rpc/conversation/discard.ts";
import { erase } from "../../../src/rpc/conversation/erase.ts";
import { freeze } from "../../../src/rpc/conversation/freeze.ts";
import { getCheckpoint } from "../../../src/rpc/conversation/get-checkpoint.ts";
import { getDrain } from "../../../src/rpc/conversation/get-drain.ts";
import { getSupportWindow } from "../../../src/rpc/conversation/get-support-window.ts";
import { getTranscript } from "../../../src/rpc/conversation/get-transcript.ts";
import { issue } from "../../../src/rpc/conversation/issue.ts";
import { judge } from "../../../src/rpc/conversation/judge.ts";
import { listCheckpoints } from "../../../src/rpc/conversation/list-checkpoints.ts";
import { listFreezes } from "../../../src/rpc/conversation/list-freezes.ts";
import { registerReplay } from "../../../src/rpc/conversation/register-replay.ts";
import { replay } from "../../../src/rpc/conversation/replay.ts";
import { resume } from "../../../src/rpc/conversation/resume.ts";
import { thaw } from "../../../src/rpc/conversation/thaw.ts";
import { watchDrain } from "../../../src/rpc/conversation/watch-drain.ts";
import { type OpenStore, openStore } from "../../../src/store/open.ts";

/** What a desk is set up with; the rest is as a configuration leaves it. */
export interface DeskSettings {
  readonly window?: WindowSettings;
  readonly separator?: string;
  readonly folder?: string;
  readonly maxDocumentBytes?: number;
  readonly now?: () => number;
}

/** The RPCs of this service over a real embedded store, without a server in front of them. */
export async function openDesk(settings: DeskSettings = {}) {
  const folder = settings.folder ?? mkdtempSync(join(tmpdir(), "fermata-desk-"));
  const clock = settings.now ?? Date.now;
  const separator = settings.separator ?? ":";
  const opened = openStore({
    store: "sqlite",
    dataDir: folder,
    separator,
    diskReserveBytes: 0,
    allowNetworkFileSystem: false,
    clock,
    onOpen: () => undefined,
    onFault: () => undefined,
    onLost: () => undefined,
    onBack: () => undefined,
  });
  await opened.tried;
  return {
    ...rpcs(opened, settings, clock),
    folder,
    opened,
    close: () => opened.close(),
    drop: () => drop(opened, folder),
  };
}

/** The call that these tests are. */
export const call = { deadline: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };

function rpcs({ conversations, documents }: OpenStore, settings: DeskSettings, clock: () => number) {
  if (conversations === undefined) throw new Error("a desk needs a store");
  const window = publishWindow(settings.window ?? { formats: {} });
  if (window.kind === "invalid") throw new Error(JSON.stringify(window.violations));
  const deps = {
    store: conversations,
    documents,
    rules: { separator: settings.separator ?? ":", derivations: [symfonic9] },
    window: () => window.value,
    clock,
    maxDocumentBytes: settings.maxDocumentBytes ?? 32 * 1024 * 1024,
    storeId: () => conversations.storeId,
    serverVersion: "0.0.0-test",
    configDigest: () => "0",
  };
  return {
    store: conversations,
    issue: issue(deps),
    adopt: adopt(deps),
    resume: resume(deps),
    replay: replay(deps),
    registerReplay: registerReplay(deps),
    getTranscript: getTranscript(deps),
    attribute: attribute(deps),
    judge: judge(deps),
    getCheckpoint: getCheckpoint(deps),
    listCheckpoints: listCheckpoints(deps),
    freeze: freeze(deps),
    thaw: thaw(deps),
    listFreezes: listFreezes(deps),
    getDrain: getDrain(deps),
    watchDrain: watchDrain(deps),
    discard: discard(deps),
    erase: erase(deps),
    terms: () => drainTerms(window.value, clock()),
    deriveThreadKey: deriveThreadKey(deps),
    getSupportWindow: getSupportWindow(deps),
  };
}

async function drop(opened: OpenStore, folder: string): Promise<void> {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}
