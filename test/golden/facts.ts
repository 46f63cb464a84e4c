import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Facts, Leaf, LeafCase } from "../../src/domain/outcome.ts";
import {
  AmbiguousThreadKey_Direction as Direction,
  ForcedToolUnavailable_Cause as ForcedCause,
  CheckpointFormat_Cause as FormatCause,
  IssuanceFrozen_Cause as FrozenCause,
  SessionIdentity_Cause as IdentityCause,
} from "../../src/gen/fermata/refusal/v1/refusal_pb.ts";

/** What a golden status is made from: ordinary facts, and the largest that the comments of the proto allow. */
interface GoldenFacts<C extends LeafCase> {
  readonly plain: Facts<C>;
  readonly worst: Facts<C>;
}

/** The enum that tells the causes of a leaf apart. */
type CauseOf<C extends LeafCase> = Extract<Leaf, { case: C }>["value"] extends infer V
  ? V extends { readonly cause: infer Cause }
    ? Cause
    : V extends { readonly direction: infer Direction }
      ? Direction
      : 0
  : never;

/** The facts of each leaf, by the number of its cause (0 for a leaf without causes). Written by hand: what a caller could meet. */
export const goldenFacts: { readonly [C in LeafCase]: (cause: CauseOf<C>) => GoldenFacts<C> } = {
  forcedToolUnavailable: (cause) => ({
    plain: {
      cause,
      forcedTool: "send_mail",
      ...(cause === ForcedCause.NOT_REGISTERED
        ? { registered: { names: ["calendar", "mail", "search"], total: 3 } }
        : { palette: { names: ["calendar", "search"], total: 2 }, excludingStage: "no-mail" }),
    },
    worst: {
      cause,
      forcedTool: foreignText,
      ...(cause === ForcedCause.NOT_REGISTERED
        ? { registered: { names: longNames, total: 10_000 } }
        : { palette: { names: longNames, total: 9_999 }, excludingStage: widest(64) }),
    },
  }),
  unsafeBoundary: (cause) => ({
    plain: {
      cause,
      checkpointId,
      position: 3,
      openCalls: { names: ["call_2"], total: 1 },
      completedCalls: { names: ["call_1"], total: 1 },
      lastSafePosition: 2,
      lastSafeCheckpointId: otherId,
      replayPossible: true,
    },
    worst: {
      cause,
      checkpointId,
      position: largest32,
      openCalls: { names: longNames, total: largest32 },
      completedCalls: { names: longNames, total: largest32 },
      otherCauses: largest32,
      lastSafePosition: largest32,
      lastSafeCheckpointId: otherId,
      replayPossible: false,
    },
  }),
  horizonExpired: () => ({
    plain: {
      checkpointId,
      format: "openai-chat/1",
      expireTime: timestampFromDate(new Date("2027-06-01T00:00:00Z")),
      supportRoute: "https://support.example/agents",
      replayPossible: true,
    },
    worst: {
      checkpointId,
      format: foreignText,
      expireTime: timestampFromDate(new Date("9999-12-31T23:59:59.999Z")),
      supportRoute: `mailto:${widest(108)}@help.example`,
      replayPossible: false,
    },
  }),
  issuanceFrozen: (cause) => ({
    plain: {
      cause,
      freezeId: "retire-langgraph-3",
      scope: cause === FrozenCause.OUTPUT_FORMAT_FROZEN ? "format langgraph/3" : "store",
      freezeTime: timestampFromDate(new Date("2027-01-15T08:30:00.250Z")),
      epoch: 4n,
    },
    worst: {
      cause,
      freezeId: foreignText,
      scope: `tenant ${widest(128)} format langgraph/3`,
      freezeTime: timestampFromDate(new Date("9999-12-31T23:59:59.999Z")),
      epoch: largest64,
    },
  }),
  checkpointFormat: (cause) => ({
    plain: { cause, ...plainFormat(cause) },
    worst: {
      cause,
      checkpointId,
      format: foreignText,
      ...(cause === FormatCause.FUTURE_VERSION ? { foundVersion: largest32, maxVersion: largest32 } : {}),
      ...(cause === FormatCause.RESERVED_KEY_OCCUPIED ? { reservedKey: widest(128) } : {}),
      ...(cause === FormatCause.UNDECLARED ? { candidates: longNames } : {}),
      ...(cause === FormatCause.UNRECOGNISED ? { foundVersion: largest32 } : {}),
    },
  }),
  sessionIdentity: (cause) => ({
    plain: { cause, field: plainIdentityField(cause) },
    worst: { cause, field: longestIdentityField(cause) },
  }),
  ambiguousThreadKey: (direction) => ({
    plain:
      direction === Direction.MINT
        ? { direction, field: "tenant_id", separatorsFound: 1 }
        : { direction, field: "thread_key", separatorsFound: 4, separatorsExpected: 2, resumable: true },
    worst:
      direction === Direction.MINT
        ? { direction, field: "sub_tenant_id", separatorsFound: 128 }
        : {
            direction,
            field: "thread_key",
            separatorsFound: largest32,
            separatorsExpected: largest32,
            resumable: true,
          },
  }),
  transcriptUnavailable: (cause) => ({
    plain: { cause, threadKey: "acme:_:session-1", firstPosition: 12n },
    worst: { cause, threadKey: foreignText, firstPosition: largest64 },
  }),
  headConflict: () => ({
    plain: { actualHead: otherId, actualSequence: 1n },
    worst: { expectedHead: checkpointId, actualHead: otherId, actualSequence: largest64 },
  }),
  forceUnsupportedByTarget: (cause) => ({
    plain: {
      cause,
      forcedTool: "send_mail",
      dialect: "ANTHROPIC_MESSAGES",
      model: "claude-opus-5-5",
      feature: "tool_choice",
      alternatives: ["OTHER_TARGET", "ADVISE"],
    },
    worst: { cause, forcedTool: foreignText, ...worstTarget },
  }),
  offerUnsupportedByTarget: (cause) => ({
    plain: {
      cause,
      dialect: "BEDROCK_CONVERSE",
      model: "",
      feature: "toolConfig",
      alternatives: ["OTHER_TARGET", "FLATTEN_HISTORY"],
    },
    worst: { cause, ...worstTarget },
  }),
  invalidRequest: () => ({
    plain: {
      violations: [
        { field: "registry.tools[2].name", rule: "DUPLICATE", description: "stands at registry.tools[0] as well" },
      ],
      field: "registry.tools[2].name",
      rule: "DUPLICATE",
    },
    worst: {
      violations: Array.from({ length: 4 }, () => ({
        field: widest(128),
        rule: "DOCUMENT_TOO_LARGE",
        description: widest(200),
      })),
      field: widest(128),
      rule: "DOCUMENT_TOO_LARGE",
    },
  }),
  threadNotFound: () => ({ plain: {}, worst: {} }),
  checkpointNotFound: () => ({ plain: { checkpointId }, worst: { checkpointId: foreignText } }),
  freezeNotFound: () => ({ plain: { freezeId: "retire-langgraph-3" }, worst: { freezeId: foreignText } }),
  registryUnknown: () => ({ plain: {}, worst: {} }),
  idempotencyKeyReused: () => ({
    plain: { idempotencyKey: "turn-17" },
    worst: { idempotencyKey: foreignText },
  }),
  unauthenticated: () => ({ plain: {}, worst: {} }),
  callerDenied: () => ({ plain: { needed: "operator" }, worst: { needed: "operator" } }),
  overloaded: () => ({
    plain: { limit: "in_flight", retryDelay: durationFromMs(500) },
    worst: { limit: "event_loop", retryDelay: durationFromMs(86_399_999) },
  }),
  deadlineExceeded: () => ({ plain: {}, worst: {} }),
  freezePending: () => ({
    plain: {
      freezeId: "retire-langgraph-3",
      holders: 2,
      oldestHolderAge: durationFromMs(2_250),
      retryDelay: durationFromMs(1_000),
    },
    worst: {
      freezeId: foreignText,
      holders: largest32,
      oldestHolderAge: durationFromMs(86_399_999),
      retryDelay: durationFromMs(86_399_999),
    },
  }),
  storeUnavailable: () => ({
    plain: { fault: "SQLITE_BUSY", retryDelay: durationFromMs(1_000) },
    worst: { fault: widest(128), retryDelay: durationFromMs(86_399_999) },
  }),
  storeNotConfigured: () => ({ plain: {}, worst: {} }),
  shuttingDown: () => ({
    plain: { retryDelay: durationFromMs(1_000) },
    worst: { retryDelay: durationFromMs(86_399_999) },
  }),
  internal: () => ({
    plain: { requestId: "0197f3a2b4c05d6e" },
    worst: { requestId: widest(128) },
  }),
};

function plainFormat(cause: FormatCause): Facts<"checkpointFormat"> {
  switch (cause) {
    case FormatCause.FUTURE_VERSION:
      return { format: "openai-chat/99", foundVersion: 99, maxVersion: 1 };
    case FormatCause.RESERVED_KEY_OCCUPIED:
      return { checkpointId, reservedKey: "fermata" };
    case FormatCause.UNRECOGNISED:
      return { checkpointId, format: "openai-chat/1" };
    case FormatCause.UNDECLARED:
      return { format: "acme-agent/2", candidates: ["gemini-contents/1", "openai-chat/1"] };
    default:
      return { checkpointId };
  }
}

function plainIdentityField(cause: IdentityCause): string {
  switch (cause) {
    case IdentityCause.RESERVED_VALUE:
      return "sub_tenant_id";
    case IdentityCause.NOT_DERIVABLE:
      return "thread_key";
    case IdentityCause.TENANT_MISMATCH:
      return "claimed_tenant_id";
    default:
      return "session_id";
  }
}

function longestIdentityField(cause: IdentityCause): string {
  switch (cause) {
    case IdentityCause.NOT_DERIVABLE:
      return "thread_key";
    case IdentityCause.TENANT_MISMATCH:
      return "claimed_tenant_id";
    default:
      return "sub_tenant_id";
  }
}

const checkpointId = "0197f3a2-b4c0-7d6e-8f01-23456789abcd";
const otherId = "0197f3a2-b4bf-7d6e-8f01-23456789abcd";
const largest32 = 2 ** 32 - 1;
const largest64 = 2n ** 64n - 1n;

/** What a caller may send where nothing is validated: far too long, four bytes a code point, a control character and a lone surrogate in it. */
const foreignText = `𝄐\u0000\ud800${widest(400)}`;

/** Sixteen different names that fill a sample to its last byte. */
const longNames = Array.from({ length: 16 }, (_, index) => `${widest(60)}${String(index).padStart(4, "0")}`);

const worstTarget = {
  dialect: "ANTHROPIC_MESSAGES",
  model: foreignText,
  feature: "toolConfig.functionCallingConfig",
  alternatives: ["OTHER_TARGET", "THINKING_OFF", "THINKING_ADAPTIVE", "ADVISE"],
};

/** Text of this many bytes, four to a code point: the most that percent-encoding can make of it. */
function widest(bytes: number): string {
  return "𝄐".repeat(bytes / 4);
}
