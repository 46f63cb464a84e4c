import { open, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { StoreFault } from "../fault.ts";

const block = Buffer.alloc(4096);

/**
 * Proves that the folder of a store takes writes again: a block is written beside the store and synced, and the reserve is free. Throws
 * StoreFault with what stands against it. It is asked only while the store does not serve.
 */
export async function proveWritable(folder: string, diskReserveBytes: number): Promise<void> {
  const probe = join(folder, "probe.sqlite");
  try {
    const file = await open(probe, "w", 0o600);
    try {
      await file.write(block, 0, block.length, 0);
      await file.sync();
    } finally {
      await file.close();
      await unlink(probe);
    }
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < diskReserveBytes) throw new StoreFault("full", "less is free than is kept in reserve");
  } catch (thrown) {
    if (thrown instanceof StoreFault || !(thrown instanceof Error)) throw thrown;
    throw new StoreFault("io", thrown.message, { cause: thrown });
  }
}
