import type { DiscardWrite } from "./discard.ts";
import type { EraseWrite } from "./erase.ts";
import type { FreezeWrite } from "./freeze.ts";
import type { ThawWrite } from "./thaw.ts";

/** An operator's write. Each has a transaction of its own, and no document. */
export type OperatorWrite = FreezeWrite | ThawWrite | DiscardWrite | EraseWrite;
