import { openSqlite } from "../../src/store/sqlite/store.ts";

/** Freezes and thaws a tenant of nobody. The parent sends how often; the answer is how long each freeze took. */
const [, , folder = ""] = process.argv;
const options = { folder, separator: ":", diskReserveBytes: 0, allowNetworkFileSystem: false, clock: Date.now };
const { store } = await openSqlite(options);
const by = { actor: "bench", reason: "bench" };
const never = Number.MAX_SAFE_INTEGER;
let holds = 0;

process.on("message", async (count) => {
  const took: number[] = [];
  for (let at = 0; at < Number(count); at += 1) {
    holds += 1;
    const freezeId = `hold-${holds}`;
    const begun = performance.now();
    const scope = { kind: "tenant", tenantId: "nobody" } as const;
    await store.freeze({ kind: "freeze", freezeId, scope, now: Date.now(), ...by }, never);
    took.push(performance.now() - begun);
    await store.thaw({ kind: "thaw", freezeId, now: Date.now(), ...by }, never);
  }
  process.send?.({ took });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
