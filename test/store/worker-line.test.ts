import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { openLine } from "../../src/store/worker-line.ts";

const folder = mkdtempSync(join(tmpdir(), "fermata-line-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Adds up what it is told since its start; dies, throws or faults when it is asked to. */
const program = `
  import { StoreFault } from ${JSON.stringify(new URL("../../src/store/fault.ts", import.meta.url).href)};
  import { answered, onAsk, post, threw } from ${JSON.stringify(new URL("../../src/store/worker-post.ts", import.meta.url).href)};
  let sum = 0;
  onAsk(({ id, ask }) => {
    if (ask === "die") throw new Error("dead");
    if (ask === "fault") return post([threw(id, new StoreFault("full", "no room"))]);
    if (ask === "bug") return post([threw(id, new TypeError("a slip"))]);
    sum += ask instanceof Uint8Array ? ask.length : ask;
    post([answered(id, sum)]);
  });`;
const url = pathToFileURL(join(folder, "adder.ts"));
writeFileSync(url, program);

describe("a line to a worker", () => {
  it("answers each ask, also many at once, and moves what is handed over", async () => {
    const line = openLine<number | Uint8Array, number>(url, undefined);
    expect(await Promise.all([line.ask(1), line.ask(2), line.ask(3)])).toEqual([1, 3, 6]);
    const bytes = new Uint8Array(10);
    expect(await line.ask(bytes, [bytes.buffer])).toBe(16);
    expect(bytes.length).toBe(0);
    await line.end();
    await expect(line.ask(1)).rejects.toMatchObject({ fault: "closed" });
  });

  it("tells a fault by its class and a bug by its words, and goes on", async () => {
    const line = openLine<number | string, number>(url, undefined);
    await expect(line.ask("fault")).rejects.toMatchObject({ fault: "full", message: "no room" });
    await expect(line.ask("bug")).rejects.toThrow(/a slip/);
    expect(await line.ask(1)).toBe(1);
    await line.end();
  });

  it("starts again after its worker has died, tells the new one what the old one knew, and faults those who waited", async () => {
    const line = openLine<number | string, number>(url, 100);
    expect(await line.ask(1)).toBe(1);
    const waiting = [line.ask("die"), line.ask(1)];
    for (const lost of await Promise.allSettled(waiting))
      expect(lost).toMatchObject({ status: "rejected", reason: { fault: "io" } });
    expect(await line.ask(1)).toBe(101);
    await line.end();
  });
});
