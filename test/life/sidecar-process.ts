import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../transport/sidecars.ts";

/** One `bin/fermata serve` of the checkout in a process of its own, with a folder of its own. */
export class SidecarProcess {
  readonly process: ChildProcess;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  private readonly folder = temporaryFolder();
  private readonly out: string[] = [];
  private readonly err: string[] = [];

  constructor(flags: readonly string[]) {
    this.process = spawn(binary, ["serve", ...flags, "--data-dir", join(this.folder.path, "data")], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] },
    });
    this.process.stdout?.on("data", (part) => this.out.push(String(part)));
    this.process.stderr?.on("data", (part) => this.err.push(String(part)));
    this.ended = once(this.process, "exit").then(([code, signal]) => code ?? signal);
  }

  /** Starts one on free ports and waits until it serves. */
  static async serving(...flags: readonly string[]): Promise<SidecarProcess> {
    const started = new SidecarProcess(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", ...flags]);
    await started.line("serving");
    return started;
  }

  /** The first log line with this message; rejects if the process ends without it. */
  async line(message: string): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const found = this.lines().find(({ msg }) => msg === message);
      if (found !== undefined) return found;
      if (this.hasEnded) throw new Error(`ended without "${message}": ${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Every log line so far. */
  lines(): readonly Readonly<Record<string, unknown>>[] {
    const whole = this.out.join("").split("\n").slice(0, -1);
    return whole.map((line) => JSON.parse(line));
  }

  /** Everything on both outputs so far. */
  get output(): string {
    return `${this.out.join("")}${this.errors}`;
  }

  get errors(): string {
    return this.err.join("");
  }

  async address(): Promise<string> {
    const { listening } = await this.line("serving");
    return String((listening as readonly string[])[0]); // the log's own field
  }

  async adminAddress(): Promise<string> {
    return String((await this.line("serving"))["admin"]);
  }

  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void {
    this.process.kill(name);
  }

  private get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Ends it whatever it does, and removes its folder: for the end of a test. */
  async kill(): Promise<void> {
    if (!this.hasEnded) this.signal("SIGKILL");
    await this.ended;
    this.folder.remove();
  }
}

const binary = fileURLToPath(new URL("../../bin/fermata", import.meta.url));
