import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const fermata = fileURLToPath(new URL("../../bin/fermata", import.meta.url));

it.each(["SIGTERM", "SIGINT"] as const)(
  "a sidecar whose log nobody reads any more ends at %s, with 0",
  async (signal) => {
    const flags = ["--listen", "127.0.0.1:0", "--admin-listen", "none", "--store", "none"];
    const child = spawn(fermata, ["serve", ...flags], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data"); // the line that says that it serves
    child.stdout.destroy();
    child.kill(signal);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  },
);
