import { openForWriting, stopWaiting } from "../../src/store/sqlite/connection.ts";
import { freezeRound } from "../../src/store/sqlite/operate.ts";

/** Sets a hold on the whole store of a file, and is killed right before its n-th step on the database. Prints how many steps there are if it gets there. */
const [, , file = "", step = "0", freezeId = "f"] = process.argv;
const { db, statement } = openForWriting(file);
stopWaiting({ db, statement });

let steps = 0;
function dying<T extends object>(on: T, names: readonly string[]): T {
  return new Proxy(on, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (names.includes(String(name))) steps += 1;
        if (steps === Number(step)) process.kill(process.pid, "SIGKILL");
        return member.apply(target, values);
      };
    },
  });
}

const write = { kind: "freeze", freezeId, scope: { kind: "store" }, actor: "op", reason: "r", now: 1 } as const;
const connection = {
  db: dying(db, ["exec"]),
  statement: (sql: string) => dying(statement(sql), ["run", "get", "all"]),
};
while (freezeRound(connection, write, Number.MAX_SAFE_INTEGER).kind === "more");
console.log(steps);
