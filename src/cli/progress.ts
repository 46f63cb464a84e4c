/** How far a command has come, for a person at a terminal. */
export interface Progress {
  /** So much more of the whole is done. */
  advance(amount: number, note: string): void;
  /** Takes the bar away. */
  end(): void;
}

const width = 40;
const redrawEvery = 100;

/** Draws a bar on stderr; nothing where that is no terminal, or where there is nothing to wait for. */
export function openProgress(whole: number): Progress {
  if (!process.stderr.isTTY || whole === 0) return { advance: () => undefined, end: () => undefined };
  let done = 0;
  let drawn = 0;
  return {
    advance(amount, note) {
      done += amount;
      const now = Date.now();
      if (now - drawn < redrawEvery) return;
      drawn = now;
      process.stderr.write(`\r\u001b[2K${bar(Math.min(1, done / whole))} ${note}`);
    },
    end: () => {
      process.stderr.write("\r\u001b[2K");
    },
  };
}

/** A bar that is full at 1. */
function bar(share: number): string {
  const full = Math.round(share * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${String(Math.floor(share * 100)).padStart(3)} %`;
}
