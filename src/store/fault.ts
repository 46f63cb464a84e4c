/** What kind of thing went wrong below a port. Closed: it is shown to callers and counted in metrics. */
export type FaultClass =
  | "busy"
  | "full"
  | "io"
  | "corrupt"
  | "read_only"
  | "memory"
  | "expired"
  | "closed"
  | "folder"
  | "schema"
  | "separator"
  | "network_file_system"
  | "sealed";

/**
 * The store could not answer. At the edge it becomes STORE_UNAVAILABLE with the class and nothing else; the message is
 * for the log. At a start `folder`, `schema`, `separator`, `sealed`, `network_file_system` and `corrupt` are definite wrongs.
 */
export class StoreFault extends Error {
  override readonly name = "StoreFault";
  readonly fault: FaultClass;

  constructor(fault: FaultClass, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
