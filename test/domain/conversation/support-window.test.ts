import { describe, expect, it } from "vitest";
import {
  acceptedBoundaries,
  pastHorizon,
  publishWindow,
  type WindowSettings,
} from "../../../src/domain/conversation/support-window.ts";

const end = Date.parse("2027-06-01T00:00:00Z");
const later = Date.parse("2027-12-01T00:00:00Z");

const windowOf = (settings: WindowSettings) => {
  const window = publishWindow(settings);
  if (window.kind === "invalid") throw new Error(JSON.stringify(window.violations));
  return window.value;
};

describe("the published support window", () => {
  it("holds the shipped adapters as current, each with its turn-complete proof", () => {
    const { formats } = windowOf({ formats: {} });
    expect([...formats.keys()]).toEqual(
      expect.arrayContaining(["openai-chat/1", "openai-responses/1", "pydantic-ai/1"]),
    );
    expect(formats.get("openai-chat/1")).toMatchObject({ status: "current", end: undefined, hasAdapter: true });
    expect([...(formats.get("openai-chat/1")?.boundaryProofs ?? [])]).toEqual(["openai-chat/turn-complete/1"]);
  });

  it("publishes what the configuration lists, in place of the defaults", () => {
    const { formats, listed } = windowOf({
      supportRoute: "https://common.example",
      formats: {
        "openai-chat/1": { boundaryProofs: ["openai-chat/calls-answered/1"] },
        "gemini-contents/1": { supportedUntil: end },
        "acme/2": { boundaryProofs: ["acme/turn-end/1"], supportRoute: "mailto:a@acme.example", status: "ours" },
      },
    });
    expect([...(formats.get("openai-chat/1")?.boundaryProofs ?? [])]).toEqual(["openai-chat/calls-answered/1"]);
    expect(formats.get("gemini-contents/1")).toMatchObject({
      end: { supportedUntil: end, replayUntil: end, supportRoute: "https://common.example" },
    });
    expect(formats.get("acme/2")).toMatchObject({
      status: "ours",
      hasAdapter: false,
      supportRoute: "mailto:a@acme.example",
    });
    expect(listed).toEqual(["openai-chat/1", "gemini-contents/1", "acme/2"]);
  });

  it("is refused for an end without a route, and for a replay that ends first: all of it at once", () => {
    const wrong = publishWindow({
      formats: {
        "a/1": { supportedUntil: end },
        "b/1": { supportedUntil: end, replayUntil: end - 1, supportRoute: "mailto:x@example" },
        "c/1": {},
      },
    });
    expect(wrong).toMatchObject({
      kind: "invalid",
      violations: [
        { field: "formats.a/1", rule: "REQUIRED" },
        { field: "formats.b/1", rule: "ORDER" },
      ],
    });
  });
});

describe("the horizon of a format", () => {
  const { formats } = windowOf({
    supportRoute: "https://support.example",
    formats: {
      "openai-chat/1": { supportedUntil: end, replayUntil: later },
      "acme/1": { supportedUntil: end, replayUntil: later },
    },
  });
  const stored = { checkpointId: "c", replayable: true };

  it.each([
    { format: "openai-chat/1", now: end - 1, passes: true },
    { format: "openai-chat/1", now: end, passes: false, replayPossible: true },
    { format: "openai-chat/1", now: later - 1, passes: false, replayPossible: true },
    { format: "openai-chat/1", now: later, passes: false, replayPossible: false },
    { format: "acme/1", now: end, passes: false, replayPossible: false },
    { format: "gemini-contents/1", now: later, passes: true },
  ])("$format at $now: passes $passes, replay $replayPossible", ({ format, now, passes, replayPossible }) => {
    const refusal = pastHorizon(formats.get(format), now, stored);
    if (passes) {
      expect(refusal).toBeUndefined();
      return;
    }
    expect(refusal).toMatchObject({
      leaf: {
        case: "horizonExpired",
        value: { checkpointId: "c", format, supportRoute: "https://support.example", replayPossible },
      },
    });
  });

  it("never promises the replay of what is not stored", () => {
    const refusal = pastHorizon(formats.get("openai-chat/1"), end, { ...stored, replayable: false });
    expect(refusal).toMatchObject({ leaf: { value: { replayPossible: false } } });
  });

  it("ends what Resume accepts", () => {
    const window = windowOf({ supportRoute: "r", formats: { "openai-chat/1": { supportedUntil: end } } });
    const accepts = (now: number) => acceptedBoundaries(window, now).some(({ format }) => format === "openai-chat/1");
    expect([accepts(end - 1), accepts(end)]).toEqual([true, false]);
  });
});
