import type { DrainQuery, DrainVerdict, Unjudged } from "../../domain/conversation/drain-query.ts";
import { drainTerms } from "../../domain/conversation/drain-terms.ts";
import { drainVerdict } from "../../domain/conversation/drain-verdict.ts";
import { acceptedBoundaries, type SupportWindow } from "../../domain/conversation/support-window.ts";
import { StoreFault } from "../../store/fault.ts";
import type { ConversationStore, Documents } from "../../store/ports.ts";
import { termsOf } from "./judged.ts";

/** What judging the artifacts of a drain needs. */
export interface JudgingDeps {
  readonly store: Pick<ConversationStore, "find" | "unjudged" | "keepVerdicts">;
  readonly documents: Pick<Documents, "replay">;
  readonly window: () => SupportWindow;
  readonly clock: () => number;
}

/** How long one read of a drain spends on what nobody has judged, in milliseconds, and how many it takes at a time. */
const patience = 200;
const atOnce = 50;

/**
 * Judges artifacts that nobody has judged, for a short while: off the write lock, and only when somebody asks how far the
 * drain is. What is left stays unscanned.
 */
export async function judgeSome(deps: JudgingDeps, of: DrainQuery["of"]): Promise<void> {
  const window = deps.window();
  const { terms } = drainTerms(window, deps.clock());
  const until = performance.now() + patience;
  while (performance.now() < until) {
    const unjudged = await deps.store.unjudged({ of, terms }, atOnce);
    if (unjudged.length === 0) return;
    const verdicts: DrainVerdict[] = [];
    for (const artifact of unjudged) {
      if (performance.now() < until) verdicts.push(await judgeOne(deps, artifact, window));
    }
    if (!(await kept(deps, verdicts, terms))) return;
  }
}

/** On a full disk a drain can still be read: what can't be kept stays unscanned. */
async function kept({ store }: JudgingDeps, verdicts: readonly DrainVerdict[], terms: string): Promise<boolean> {
  try {
    await store.keepVerdicts(verdicts, terms);
    return true;
  } catch (thrown) {
    if (thrown instanceof StoreFault) return false;
    throw thrown;
  }
}

async function judgeOne(
  { store, documents, clock }: JudgingDeps,
  { threadKey, checkpointId }: Unjudged,
  window: SupportWindow,
): Promise<DrainVerdict> {
  const accepted = acceptedBoundaries(window, clock());
  const found = await store.find({ thread: { by: "key", key: threadKey }, checkpointId, accepted });
  if (found.kind !== "checkpoint") return { checkpointId, leaf: "" }; // Erased meanwhile: there is no row to keep it.
  const { format, claimedProof, payload } = found.checkpoint.header;
  const stored = found.payload && {
    kind: payload.kind,
    bytes: found.payload,
    format,
    claimedProof,
    ...termsOf(format, window),
  };
  const examined = stored && (await documents.replay(stored));
  const leaf = drainVerdict({ found, examined, layout: examined?.layout, format: window.formats.get(format) });
  return { checkpointId, leaf };
}
