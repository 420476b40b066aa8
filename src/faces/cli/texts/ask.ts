/** Questions, and what is said where nobody can be asked. */
export const ASK = {
  goOn: {
    apply: (stack: string) => `Apply this to ${stack}?`,
    destroy: (stack: string) => `Destroy this of ${stack}?`,
    compensate: (stack: string) => `Run these compensations of ${stack}?`,
  },
  noTerminal: (verb: string) =>
    `${verb} changes things outside, and there is no terminal to ask on; look at it with --dry-run, then give --yes`,
  declined: "nothing was called",
  reason: "Why? (it is recorded)",
  noReason: (verb: string) => `${verb} is recorded with its reason; give --reason TEXT`,
  resuming: (verb: string, id: string) => `resumes ${verb} ${id}`,
  madeByVerb: (stack: string) =>
    `${stack} was made by a verb (rollback, drill or recover), not from a file: run that verb again, it looks first at what the last one left; asfound reconcile --stack ${stack} settles what is in doubt`,
  compensations: (steps: string) => `would run the compensation of ${steps}`,
} as const;
