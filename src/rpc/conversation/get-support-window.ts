import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { SupportedFormat, SupportWindow } from "../../domain/conversation/support-window.ts";
import { ok } from "../../domain/outcome.ts";
import {
  type GetSupportWindowRequest,
  type GetSupportWindowResponse,
  GetSupportWindowResponseSchema,
  type SupportedFormatSchema,
} from "../../gen/fermata/conversation/v1/conversation_service_pb.ts";
import type { Unary } from "../rpc.ts";

/** What GetSupportWindow needs. `storeId` is absent without a store. */
export interface GetSupportWindowDeps {
  readonly window: () => SupportWindow;
  /** Undefined without a store; throws StoreFault for one that cannot be reached. */
  readonly storeId: () => string | undefined;
  readonly serverVersion: string;
  readonly configDigest: () => string;
}

/** What is supported and until when, as it is published; and which server, store and configuration says so. */
export function getSupportWindow(deps: GetSupportWindowDeps): Unary<GetSupportWindowRequest, GetSupportWindowResponse> {
  return () => {
    const window = deps.window();
    return ok(
      create(GetSupportWindowResponseSchema, {
        formats: [...window.formats.values()].map(formatMessage),
        supportRoute: window.supportRoute ?? "",
        serverVersion: deps.serverVersion,
        storeId: deps.storeId() ?? "",
        configDigest: deps.configDigest(),
      }),
    );
  };
}

function formatMessage(supported: SupportedFormat): MessageInitShape<typeof SupportedFormatSchema> {
  const { format, status, end, boundaryProofs, supportRoute = "" } = supported;
  const published = { format, status, supportRoute, boundaryProofs: [...boundaryProofs].toSorted() };
  if (end === undefined) return published;
  return {
    ...published,
    supportedUntil: timestampFromMs(end.supportedUntil),
    replayUntil: timestampFromMs(end.replayUntil),
  };
}
