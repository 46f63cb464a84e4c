import fc from "fast-check";
import { expiredFormat, opaqueFormat, type Scope } from "./model.ts";

/** One thing that hosts, operators or a crash do. Which thread is meant is a number, taken modulo those that are there. */
export type Move =
  | { readonly kind: "issue"; readonly thread: number; readonly format: string }
  | {
      readonly kind: "adopt";
      readonly thread: number;
      readonly format: string;
      readonly proved: boolean;
      readonly old: boolean;
    }
  | { readonly kind: "replay"; readonly thread: number; readonly format: string }
  | { readonly kind: "attribute"; readonly thread: number; readonly tenant: string }
  | { readonly kind: "discard" | "erase"; readonly thread: number }
  | { readonly kind: "eraseTenant"; readonly tenant: string }
  | { readonly kind: "crash" };

/** The formats that a replay may end in. */
export const outputs = ["openai-chat/1", "anthropic-messages/1"] as const;
const tenants = ["acme", "umbrella"] as const;

const thread = fc.nat(5);
const tenant = fc.constantFrom(...tenants);
const format = fc.constantFrom<string>(...outputs, opaqueFormat);
const stored = fc.constantFrom<string>(...outputs, opaqueFormat, expiredFormat);

/** Any order of them. */
export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("issue" as const), thread, format }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("adopt" as const),
        thread,
        format: stored,
        proved: fc.boolean(),
        old: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("replay" as const), thread, format: fc.constantFrom(...outputs) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("attribute" as const), thread, tenant }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("discard" as const, "erase" as const), thread }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("eraseTenant" as const), tenant }) },
    { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  ),
  { maxLength: 10 },
);

/** A hold on anything. */
export const scopes: fc.Arbitrary<Scope> = fc.oneof(
  fc.constant({ kind: "store" as const }),
  fc.record({
    kind: fc.constant("format" as const),
    format: fc.constantFrom("openai-chat/1", opaqueFormat, expiredFormat),
  }),
  fc.record({ kind: fc.constant("tenant" as const), tenant }),
  fc.record({
    kind: fc.constant("tenant_format" as const),
    tenant,
    format: fc.constantFrom("openai-chat/1", expiredFormat),
  }),
);
