import { create } from "@bufbuild/protobuf";
import type { HoldScope } from "../../domain/conversation/hold.ts";
import { unusableValue } from "../../domain/conversation/identity.ts";
import { parseFormat } from "../../domain/formats/format-name.ts";
import { type Outcome, ok } from "../../domain/outcome.ts";
import { invalidRequest, type Violation } from "../../domain/violation.ts";
import { type FreezeScope, FreezeScopeSchema } from "../../gen/fermata/conversation/v1/freeze_pb.ts";
import { checkRequiredName, required } from "./request-checks.ts";

/** What is wrong with a scope as a message. It is always explicit: none is not the whole store. */
export function checkScope(message: FreezeScope | undefined): readonly Violation[] {
  const scope = message?.scope;
  switch (scope?.case) {
    case "format":
      return checkFormatName("scope.format", scope.value);
    case "tenantFormat":
      return checkFormatName("scope.tenant_format.format", scope.value.format);
    case "wholeStore":
    case "tenantId":
      return [];
    case undefined:
      return [required("scope")];
  }
}

/** A scope of a mistyped format would freeze nothing and say that it did. */
function checkFormatName(field: string, format: string): readonly Violation[] {
  const missing = checkRequiredName(field, format);
  if (missing.length > 0 || parseFormat(format) !== undefined) return missing;
  return [
    { field, rule: "FORMAT_NAME", description: "is no format's name; name/version is one, such as openai-chat/1" },
  ];
}

/** The scope that a checked message names. Its tenant is compared and never minted, so it may carry the separator. */
export function scopeOf(message: FreezeScope | undefined): Outcome<HoldScope> {
  const scope = message?.scope;
  switch (scope?.case) {
    case "wholeStore":
      return ok({ kind: "store" });
    case "format":
      return ok({ kind: "format", format: scope.value });
    case "tenantId":
      return unusableValue("tenant_id", scope.value) ?? ok({ kind: "tenant", tenantId: scope.value });
    case "tenantFormat": {
      const { tenantId, format } = scope.value;
      return unusableValue("tenant_id", tenantId) ?? ok({ kind: "tenant_format", tenantId, format });
    }
    case undefined:
      return invalidRequest([required("scope")]);
  }
}

/** A scope as callers see it. */
export function scopeMessage(scope: HoldScope): FreezeScope {
  switch (scope.kind) {
    case "store":
      return create(FreezeScopeSchema, { scope: { case: "wholeStore", value: {} } });
    case "format":
      return create(FreezeScopeSchema, { scope: { case: "format", value: scope.format } });
    case "tenant":
      return create(FreezeScopeSchema, { scope: { case: "tenantId", value: scope.tenantId } });
    case "tenant_format": {
      const { tenantId, format } = scope;
      return create(FreezeScopeSchema, { scope: { case: "tenantFormat", value: { tenantId, format } } });
    }
  }
}
