import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { parseOfferedPalette, verifyCalls } from "../../../src/domain/palette/verify.ts";
import { PaletteSchema } from "../../../src/gen/fermata/palette/v1/palette_pb.ts";
import { proved, registry } from "./turns.ts";

const registered = registry("search", "mail", "calendar");
const full = { case: "full", value: {} } as const;
const of = (...names: string[]) => ({ case: "explicit", value: { names } }) as const;

describe("the calls that a model made", () => {
  it.each([
    { offer: full, calls: ["mail", "fax"], verdicts: ["offered", "unregistered"], satisfied: false, ok: false },
    { offer: full, calls: ["mail", "mail"], verdicts: ["offered", "offered"], satisfied: false, ok: true },
    { offer: full, calls: [], verdicts: [], satisfied: false, ok: true },
    { offer: full, forcedTool: "mail", calls: [], verdicts: [], satisfied: false, ok: false },
    { offer: full, forcedTool: "mail", calls: ["mail"], verdicts: ["offered"], satisfied: true, ok: true },
    { offer: of("mail"), calls: ["search"], verdicts: ["excluded"], satisfied: false, ok: false },
    { offer: of(), calls: ["mail"], verdicts: ["excluded"], satisfied: false, ok: false },
    { offer: of("fax"), calls: ["fax"], verdicts: ["unregistered"], satisfied: false, ok: false },
    {
      offer: of("mail"),
      forcedTool: "mail",
      calls: ["mail", "search"],
      verdicts: ["offered", "excluded"],
      satisfied: true,
      ok: false,
    },
    { offer: of("mail"), forcedTool: "search", calls: ["search"], verdicts: ["excluded"], satisfied: true, ok: false },
    { offer: full, calls: ["Mail", " mail"], verdicts: ["unregistered", "unregistered"], satisfied: false, ok: false },
    { offer: full, calls: ["toString", ""], verdicts: ["unregistered", "unregistered"], satisfied: false, ok: false },
  ])(
    "$calls against $offer.case $offer.value.names, forced $forcedTool: $verdicts",
    ({ calls, verdicts, satisfied, ...rest }) => {
      const { ok, ...init } = rest;
      const palette = proved(parseOfferedPalette(create(PaletteSchema, init)));
      const verification = verifyCalls(registered, palette, calls);
      expect(verification.verdicts.map(({ verdict }) => verdict)).toEqual(verdicts);
      expect(verification.verdicts.map(({ name }) => name)).toEqual(calls);
      expect(verification).toMatchObject({ forceSatisfied: satisfied, ok });
    },
  );

  it.each([
    { palette: undefined, field: "palette" },
    { palette: create(PaletteSchema, {}), field: "palette.offer" },
    { palette: create(PaletteSchema, { forcedTool: "mail" }), field: "palette.offer" },
  ])("are not judged against a palette that says nothing ($field)", ({ palette, field }) => {
    expect(parseOfferedPalette(palette)).toMatchObject({ kind: "invalid", violations: [{ field, rule: "REQUIRED" }] });
  });
});
