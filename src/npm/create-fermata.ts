import { create } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import {
  PaletteService,
  VerifyCallsRequestSchema,
  type VerifyCallsResponse,
} from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { SkillService } from "../gen/fermata/skill/v1/skill_service_pb.ts";
import { openConnection, type Protocol } from "./connection.ts";
import { type ConversationCalls, conversationCalls } from "./conversation.ts";
import { SidecarUnreachable } from "./fermata-error.ts";
import { createPermission } from "./permission.ts";
import { createRegisteredCall } from "./registered-call.ts";
import { type Resolution, resolutionOf } from "./resolution.ts";
import { type Deadlines, defaultDeadlines, ownTransport } from "./transport.ts";
import { requestOf, type Turn } from "./turn.ts";
import { offeredOnly, verifiedHere } from "./verify.ts";

/** A sidecar, for one host. Every call ends with an answer or a FermataError. Whoever makes it closes it. */
export interface Fermata extends ConversationCalls {
  /**
   * The palette of one model call. While the sidecar does not answer every tool is offered, with a warning once, but only if no hard filter
   * can be meant: the turn has none, nor had the last answer for the same labels. Else it rejects with PermissionUndecided.
   */
  resolve(turn: Turn): Promise<Resolution>;
  /** What the model's calls are worth. Rejects with CallNotOffered if one may not run; while the sidecar does not answer, by the same rule. */
  verify(resolution: Resolution, calls: readonly string[]): Promise<VerifyCallsResponse>;
  /** Every RPC of the contract, with the same errors, deadlines and retries. */
  readonly palette: Client<typeof PaletteService>;
  readonly conversation: Client<typeof ConversationService>;
  readonly skills: Client<typeof SkillService>;
  close(): void;
}

/** What differs from the defaults. */
export interface FermataOptions {
  /** Both are served at the same address. Default: gRPC. */
  readonly protocol?: Protocol;
  /** Whose sessions are meant, and whose skills a query asks for. There is no default. */
  readonly tenant?: string;
  /** Sent with every call, for a listener that asks for one. */
  readonly token?: string;
  /** In milliseconds. */
  readonly deadlines?: Partial<Deadlines>;
  /** `offer-all`: every tool, also where a hard filter may apply. Only for a host whose tools are harmless. Default: `refuse`. */
  readonly onUnreachable?: "refuse" | "offer-all";
}

/** A client of the sidecar at `127.0.0.1:50551` or `unix:/run/fermata/data.sock`. The first call connects. */
export function createFermata(target: string, options: FermataOptions = {}): Fermata {
  const { protocol = "grpc", tenant = "", token, deadlines, onUnreachable } = options;
  const { transport, close } = openConnection(target, protocol);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const own = ownTransport(transport, { ...defaultDeadlines, ...deadlines }, headers);
  const palette = createClient(PaletteService, own);
  const conversation = createClient(ConversationService, own);
  return {
    ...paletteCalls(palette, tenant, onUnreachable === "offer-all"),
    ...conversationCalls(conversation, tenant),
    palette,
    conversation,
    skills: createClient(SkillService, own),
    close,
  };
}

function paletteCalls(palette: Client<typeof PaletteService>, tenant: string, offerAll: boolean) {
  const permission = createPermission(offerAll);
  const withRegistry = createRegisteredCall(palette);
  const resolve = async (turn: Turn): Promise<Resolution> => {
    const request = await requestOf(turn, tenant);
    try {
      const response = await withRegistry(turn.tools, (registered) => palette.resolve({ ...request, registered }));
      const resolution = resolutionOf(turn, response, true);
      permission.saw(turn, response.decision);
      return resolution;
    } catch (thrown) {
      return permission.withoutAnswer(turn, thrown);
    }
  };
  const verify = async (resolution: Resolution, calls: readonly string[]): Promise<VerifyCallsResponse> => {
    const { palette: offer } = resolution.response;
    const request = create(VerifyCallsRequestSchema, { ...(offer && { palette: offer }), calls: [...calls] });
    try {
      const { registered: tools } = resolution;
      return offeredOnly(await withRegistry(tools, (registered) => palette.verifyCalls({ ...request, registered })));
    } catch (thrown) {
      if (!(thrown instanceof SidecarUnreachable)) throw thrown;
      return offeredOnly(verifiedHere(resolution, calls));
    }
  };
  return { resolve, verify };
}
