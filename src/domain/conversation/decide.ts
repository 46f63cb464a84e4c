import type { Outcome } from "../outcome.ts";
import { type AdoptWrite, decideAdopt } from "./adopt.ts";
import { type AttributeWrite, decideAttribute } from "./attribute.ts";
import { decideIssue, type IssueWrite } from "./issue.ts";
import { decideRegisterReplay, type RegisterReplayWrite } from "./register-replay.ts";
import type { Change } from "./write.ts";
import type { Facts } from "./write-facts.ts";

/** A write as data. It goes to the engine, which reads the facts and asks `decide` in its transaction. */
export type Write = IssueWrite | AdoptWrite | RegisterReplayWrite | AttributeWrite;

/** The one decision of every write. Pure: no engine holds a rule. */
export function decide(write: Write, facts: Facts): Outcome<Change> {
  switch (write.kind) {
    case "issue":
      return decideIssue(write, facts);
    case "adopt":
      return decideAdopt(write, facts);
    case "registerReplay":
      return decideRegisterReplay(write, facts);
    case "attribute":
      return decideAttribute(write, facts);
  }
}
