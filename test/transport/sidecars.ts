import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../src/config.ts";
import { readConfig } from "../../src/config.ts";
import { type Sidecar, startSidecar } from "../../src/sidecar.ts";
import { createRequestLog } from "../../src/transport/request-log.ts";

/** A folder of its own for one test, and how to remove it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "fermata-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A config of these settings, as a file would give them. Throws with all faults. */
export function configOf(settings: object): Config {
  const text = JSON.stringify({ listen: ["127.0.0.1:0"], adminListen: "none", logLevel: "silent", ...settings });
  const loaded = readConfig({ file: { name: "test", text }, env: {}, flags: {} });
  if (loaded.kind === "faulty") throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
}

/** A sidecar in this process that can be restarted on its store, and whose clock a test moves. */
export class TestSidecar {
  readonly folder = temporaryFolder();
  private readonly config: Config;
  private readonly clockFile = join(this.folder.path, "now");
  private sidecar: Sidecar | undefined;

  constructor(settings: object) {
    this.setClock("2027-01-01T00:00:00Z");
    this.config = configOf({ dataDir: join(this.folder.path, "data"), testClock: this.clockFile, ...settings });
  }

  get address(): string {
    const address = this.sidecar?.listening[0];
    if (address === undefined) throw new Error("not started");
    return address;
  }

  async start(): Promise<this> {
    this.sidecar = await startSidecar(this.config, createRequestLog("silent"));
    return this;
  }

  async stop(): Promise<void> {
    await this.sidecar?.stop();
    this.sidecar = undefined;
  }

  async end(): Promise<void> {
    await this.stop();
    this.folder.remove();
  }

  setClock(now: string): void {
    writeFileSync(this.clockFile, now);
  }
}
