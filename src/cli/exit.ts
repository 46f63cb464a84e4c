/** What a command ends with when it is not 0. A refusal ends with 8 plus its gRPC code. */
export const exitCodes = {
  usage: 64,
  unreachable: 69,
  bug: 70,
  listener: 71,
  store: 74,
  config: 78,
} as const;

/** Ends a command: what main prints on stderr, and the code. Thrown, since it ends whatever was under way. */
export class CommandEnd extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The codes as `fermata --help` shows them: the one place that documents them. */
export const exitCodesHelp = `
Exit codes:
  0   done
  64  the command line cannot be understood, or a file that it names cannot be used
  69  the sidecar does not answer, or is not ready
  70  a bug
  71  an address cannot be listened on (--listen, --operator-listen, --admin-listen)
  74  the store is damaged or cannot be opened, or the output cannot be written
  78  the config is wrong, or Node is too old
  8 + gRPC code for a refusal: 11 is INVALID_ARGUMENT (3), 17 is FAILED_PRECONDITION (9)
`;
