// What the npm package exports: the client, its errors, and every message and service of the contract.
export * from "../gen/fermata/conversation/v1/checkpoint_pb.ts";
export * from "../gen/fermata/conversation/v1/conversation_service_pb.ts";
export * from "../gen/fermata/conversation/v1/freeze_pb.ts";
export * from "../gen/fermata/conversation/v1/transcript_pb.ts";
export * from "../gen/fermata/palette/v1/palette_pb.ts";
export * from "../gen/fermata/palette/v1/palette_service_pb.ts";
export * from "../gen/fermata/refusal/v1/refusal_pb.ts";
export * from "../gen/fermata/skill/v1/skill_service_pb.ts";
export type { Protocol } from "./connection.ts";
export { createFermata, type Fermata, type FermataOptions } from "./create-fermata.ts";
export { contentOf, documentOf, jsonOf } from "./document.ts";
export {
  BrokenPalette,
  CallNotOffered,
  type Ending,
  type FactsOf,
  FermataError,
  ForeignStatus,
  factsOf,
  IncompleteReplay,
  type Leaf,
  type LeafCase,
  PermissionUndecided,
  SidecarUnreachable,
  StatusMismatch,
} from "./fermata-error.ts";
export type { Recovery, Replayed, Resumed } from "./recovery.ts";
export type { Entries, Replay } from "./replay.ts";
export { applyPalette, type Resolution } from "./resolution.ts";
export type { Session, Thread, ThreadKey } from "./thread.ts";
export type { Deadlines } from "./transport.ts";
export type { RegisteredTool, SkillRows, Skills, Turn } from "./turn.ts";
export type { IssueOptions, NewDocument, WriteOptions } from "./write-options.ts";
