import { expect, it } from "vitest";
import { oneHeadTrial } from "./one-head-trial.ts";

it("lets exactly one of eight hosts at two sidecars win a head, and takes a duplicate key for no conflict", async () => {
  const { won, wrong, conflicts, repeated } = await oneHeadTrial(50);
  expect(wrong).toEqual([]);
  expect(won).toBe(50);
  expect(conflicts + won + repeated).toBe(50 * 9); // Eight calls and one retry a round.
});
