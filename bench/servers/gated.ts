import { openIssuing } from "../issuing-store.ts";

/** Issues on an embedded store with so many callers. The parent sends how many in all; the answer is what each took in CPU time, and in time. */
const [, , dataDir = "", callers = "1"] = process.argv;
const store = await openIssuing(dataDir, Date.now);
let round = 0;

process.on("message", async (count) => {
  round += 1;
  const took: number[] = [];
  let left = Number(count);
  const host = async (name: number): Promise<void> => {
    for (let turn = 0; left > 0; turn += 1) {
      left -= 1;
      const begun = performance.now();
      await store.issue(`${process.pid}-${round}-${name}`, [
        { role: "user", content: `What is asked in turn ${turn}?` },
        { role: "assistant", content: "This is the answer." },
      ]);
      took.push(performance.now() - begun);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: Number(callers) }, (_, name) => host(name)));
  const { user, system } = process.cpuUsage(before); // of all threads: the writer's, too
  process.send?.({ cpu: (user + system) / took.length, took });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
