import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { formatName } from "../formats/format-name.ts";
import { KNOWN } from "../formats/known.ts";
import { ok, type Refusal, refuse } from "../outcome.ts";
import { invalid, type Parsed, type Violation } from "../violation.ts";
import type { Instant } from "./stored.ts";

/** What the configuration says of one format. */
export interface FormatSettings {
  readonly status?: string | undefined;
  readonly supportedUntil?: Instant | undefined;
  readonly replayUntil?: Instant | undefined;
  readonly boundaryProofs?: readonly string[] | undefined;
  readonly supportRoute?: string | undefined;
}

/** What the configuration says of all formats, and where a person gets help unless a format says otherwise. */
export interface WindowSettings {
  readonly formats: Readonly<Record<string, FormatSettings>>;
  readonly supportRoute?: string | undefined;
}

/** A format that is declared, as GetSupportWindow publishes it. */
export interface SupportedFormat {
  readonly format: string;
  readonly status: string;
  readonly end: FormatEnd | undefined;
  /** Where a person gets help with it: its own route, or the common one. */
  readonly supportRoute: string | undefined;
  readonly boundaryProofs: ReadonlySet<string>;
  /** Only a format with an adapter can be replayed. */
  readonly hasAdapter: boolean;
}

/** The end of a format: exclusive, and never without the route to a human. */
export interface FormatEnd {
  readonly supportedUntil: Instant;
  readonly replayUntil: Instant;
  readonly supportRoute: string;
}

/** The published support window. A format that is not in it is not declared. */
export interface SupportWindow {
  readonly formats: ReadonlyMap<string, SupportedFormat>;
  /** The names of the configuration, for what tells a listed format from an unknown one. */
  readonly listed: readonly string[];
  readonly supportRoute: string | undefined;
}

/** Makes the window from the shipped adapters and the configuration. Answers all that is wrong at once. */
export function publishWindow(settings: WindowSettings): Parsed<SupportWindow> {
  const shipped = KNOWN.map(formatName);
  const listed = Object.keys(settings.formats);
  const violations = listed.flatMap((format) => violationsOf(format, settings));
  if (violations.length > 0) return invalid(violations);
  const formats = [...new Set([...shipped, ...listed])].toSorted();
  return ok({
    formats: new Map(formats.map((format) => [format, supported(format, settings, shipped)])),
    listed,
    supportRoute: settings.supportRoute,
  });
}

/** Refuses a format past its published end. Its caller can't recover it; the route leads to a human. */
export function pastHorizon(
  found: SupportedFormat | undefined,
  now: Instant,
  stored: { readonly checkpointId: string; readonly replayable: boolean },
): Refusal | undefined {
  if (found?.end === undefined || now < found.end.supportedUntil) return undefined;
  return refuse("horizonExpired", {
    checkpointId: stored.checkpointId,
    format: found.format,
    expireTime: timestampFromMs(found.end.supportedUntil),
    supportRoute: found.end.supportRoute,
    replayPossible: stored.replayable && found.hasAdapter && now < found.end.replayUntil,
  });
}

/** The pairs of format and proof that Resume accepts now. */
export function acceptedBoundaries(window: SupportWindow, now: Instant): readonly { format: string; proof: string }[] {
  const open = [...window.formats.values()].filter(({ end }) => end === undefined || now < end.supportedUntil);
  return open.flatMap(({ format, boundaryProofs }) => [...boundaryProofs].map((proof) => ({ format, proof })));
}

function violationsOf(format: string, settings: WindowSettings): readonly Violation[] {
  const found = settings.formats[format];
  const field = `formats.${format}`;
  if (found?.supportedUntil === undefined) return [];
  if ((found.supportRoute ?? settings.supportRoute) === undefined) {
    return [{ field, rule: "REQUIRED", description: "has an end, so supportRoute must say where a person gets help" }];
  }
  if ((found.replayUntil ?? found.supportedUntil) >= found.supportedUntil) return [];
  return [{ field, rule: "ORDER", description: "has replayUntil before supportedUntil" }];
}

function supported(format: string, settings: WindowSettings, shipped: readonly string[]): SupportedFormat {
  const found = settings.formats[format] ?? {};
  const hasAdapter = shipped.includes(format);
  const byDefault = hasAdapter ? [`${format.slice(0, format.lastIndexOf("/"))}/turn-complete/1`] : [];
  return {
    format,
    status: found.status ?? "current",
    end: endOf(found, settings.supportRoute),
    supportRoute: found.supportRoute ?? settings.supportRoute,
    boundaryProofs: new Set(found.boundaryProofs ?? byDefault),
    hasAdapter,
  };
}

function endOf({ supportedUntil, replayUntil, supportRoute }: FormatSettings, common?: string): FormatEnd | undefined {
  const route = supportRoute ?? common;
  if (supportedUntil === undefined || route === undefined) return undefined;
  return { supportedUntil, replayUntil: replayUntil ?? supportedUntil, supportRoute: route };
}
