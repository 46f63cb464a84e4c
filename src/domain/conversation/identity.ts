import { SessionIdentity_Cause } from "../../gen/fermata/refusal/v1/refusal_pb.ts";
import { type Refusal, refuse } from "../outcome.ts";
import { utf8Length } from "../short-text.ts";

/** A usable identity. Absent values are `""`, as in the store's columns: NULL would void its unique rules. */
export interface Identity {
  readonly tenantId: string;
  readonly subTenantId: string;
  readonly sessionId: string;
}

/** The longest value of an identity, in bytes of UTF-8: it fits a refusal uncut. */
const maxIdentityBytes = 128;

/**
 * Refuses a value that no identity may hold. Look-alikes are different values; what two writings of one value could be
 * (not NFC, blanks around it) is refused rather than folded, since a fold would be a guess.
 */
export function unusableValue(field: string, value: string): Refusal | undefined {
  if (value === "") return refuse("sessionIdentity", { cause: SessionIdentity_Cause.EMPTY, field });
  if (utf8Length(value) > maxIdentityBytes) {
    return refuse("sessionIdentity", { cause: SessionIdentity_Cause.TOO_LONG, field });
  }
  if (isPlain(value)) return undefined;
  return refuse("sessionIdentity", { cause: SessionIdentity_Cause.FORBIDDEN_CHARACTER, field });
}

function isPlain(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value) && value.trim() === value && value.normalize("NFC") === value;
}
