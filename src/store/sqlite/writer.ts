import { type Outcome } from "../../domain/outcome.ts";
import { StoreFault } from "../fault.ts";
import { answered, onAsk, post, type Posted, type Sent, threw } from "../worker-post.ts";
import { commitBatch, type Result, type Waiting } from "./batch.ts";
import { type Connection, openForWriting, stopWaiting } from "./connection.ts";
import { guarded } from "./faults.ts";
import { freeBytes, markedStore, markStore, prepareFolder, storeFiles, type StoreFiles } from "./folder.ts";
import { migrate } from "./migrate.ts";
import { pruneThreads } from "./prune.ts";
