import type { DescFile, DescService } from "@bufbuild/protobuf";
import { ConversationService } from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
import { PaletteService } from "../gen/fermata/palette/v1/palette_service_pb.ts";
import { file_fermata_refusal_v1_refusal } from "../gen/fermata/refusal/v1/refusal_pb.ts";
import { SkillService } from "../gen/fermata/skill/v1/skill_service_pb.ts";
import { file_google_rpc_error_details } from "../gen/google/rpc/error_details_pb.ts";
import { file_google_rpc_status } from "../gen/google/rpc/status_pb.ts";
import { ServerReflection } from "../gen/grpc/reflection/v1/reflection_pb.ts";
import { Health } from "../gen/health/v1/health_pb.ts";

const own: readonly DescService[] = [PaletteService, ConversationService, SkillService];
const common: readonly DescService[] = [Health, ServerReflection];

/** The service that is NOT_SERVING while its store cannot be reached. */
export const conversationService: string = ConversationService.typeName;

/** The services of Fermata, each with a health entry of its own. */
export const fermataServices: readonly string[] = own.map(({ typeName }) => typeName);

/** Every service of the data listener, as reflection lists them. */
export const listedServices: readonly string[] = [...own, ...common].map(({ typeName }) => typeName);

/** What reflection describes: the services, and what a client needs to decode the details of a refusal. */
export const describedFiles: readonly DescFile[] = [
  ...[...own, ...common].map(({ file }) => file),
  file_fermata_refusal_v1_refusal,
  file_google_rpc_status,
  file_google_rpc_error_details,
];
