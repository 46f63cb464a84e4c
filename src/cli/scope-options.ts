import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Command } from "commander";
import type { FreezeScope, FreezeScopeSchema } from "../gen/fermata/conversation/v1/freeze_pb.ts";
import { CommandEnd, exitCodes } from "./exit.ts";
import { printable } from "./style.ts";

/** How a command line names a scope. */
export interface ScopeOptions {
  readonly wholeStore?: boolean;
  readonly format?: string;
  readonly tenant?: string;
}

/** Adds what names a scope: it is always explicit. */
export function withScope(command: Command): Command {
  return command
    .option("--whole-store", "everything in the store")
    .option("--format <name/version>", "one format; with --tenant, of that tenant only")
    .option("--tenant <id>", "one tenant");
}

/** The scope that a command line names; undefined if it names none. */
export function scopeOf({
  wholeStore,
  format,
  tenant,
}: ScopeOptions): MessageInitShape<typeof FreezeScopeSchema> | undefined {
  if (wholeStore === true) {
    if (format === undefined && tenant === undefined) return { scope: { case: "wholeStore", value: {} } };
    throw new CommandEnd(exitCodes.usage, "name either --whole-store or a part of it");
  }
  if (format !== undefined && tenant !== undefined) {
    return { scope: { case: "tenantFormat", value: { tenantId: tenant, format } } };
  }
  if (format !== undefined) return { scope: { case: "format", value: format } };
  return tenant === undefined ? undefined : { scope: { case: "tenantId", value: tenant } };
}

/** A scope in words. */
export function scopeText(message: FreezeScope | undefined): string {
  const scope = message?.scope;
  switch (scope?.case) {
    case "wholeStore":
      return "the whole store";
    case "format":
      return `format ${printable(scope.value)}`;
    case "tenantId":
      return `tenant ${printable(scope.value)}`;
    case "tenantFormat":
      return `tenant ${printable(scope.value.tenantId)}, format ${printable(scope.value.format)}`;
    case undefined:
      return "nothing";
  }
}
