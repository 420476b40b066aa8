/** The exit codes as one table (DESIGN §7). They are an API: scripts branch on them. */
export const EXIT = {
  proven: 0,
  broken: 1,
  usage: 2,
  refuted: 10,
  undetermined: 20,
  unresolved: 21,
  notDurable: 22,
  refused: 23,
  progressing: 30,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANING: Readonly<Record<ExitCode, string>> = {
  0: "proven; complete; for status, nothing in doubt",
  1: "asfound itself failed, or the ledger cannot be read",
  2: "usage, or an invalid file (with line and column)",
  10: "refuted, or the operation failed and every effect is known",
  20: "undetermined",
  21: "unresolved: something may be alive",
  22: "a record could not be made durable before a call: that step was not called",
  23: "refused, nothing more was called: lease held by another, approval, permission or precondition missing",
  30: "still progressing when the observation window ended",
  130: "interrupted by SIGINT, record in place",
  143: "terminated by SIGTERM, record in place",
};

/** When several hold, the first of these does. */
const PRECEDENCE: readonly ExitCode[] = [1, 2, 130, 143, 21, 22, 23, 10, 20, 30, 0];

export const worstExit = (codes: Iterable<ExitCode>): ExitCode => {
  const seen = new Set(codes);
  return PRECEDENCE.find((code) => seen.has(code)) ?? EXIT.proven;
};
