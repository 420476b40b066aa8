/** Words of the gate verbs. */
export const GATE = {
  headers: { side: "By", reason: "Reason", why: "Why" },
  testHeaders: ["Refusal", "Outcome", "Why"],
  caseHeaders: ["Case", "Outcome", "Why"],
  side: { evidence: "evidence", live: "what is there", approval: "approvals" },
  decision: { promote: "promote", refuse: "refuse" },
  outcome: {
    refused: "refused",
    "slips-through": "SLIPS THROUGH",
    accepted: "accepted",
    "not-asked": "not asked",
  },
  held: (held: boolean) => (held ? "as expected" : "NOT AS EXPECTED"),
  healthy: "the healthy twin",
  promoted: (promoted: boolean) => (promoted ? "promoted" : "REFUSED"),
  builtIn: "the built-in gate",
  evidence: "Evidence:",
  approvals: "Approvals:",
  notes: "To be known:",
  limits: "It does not tell:",
  notTested: "Not tested:",
  needs: (needs: string) => `it needs ${needs}`,
  run: (run: string, verdict: string, trust: string, age: string) => `${run}: ${verdict}, ${trust}, ${age}`,
  approval: (actor: string, at: string, reason: string) => `${actor}, ${at}: ${reason}`,
  record: (command: string) => ({ command, why: "records evidence of what is there now" }),
  again: (command: string) => ({ command, why: "looks again; it changes nothing" }),
  test: (command: string) => ({ command, why: "shows this gate what it has to refuse" }),
  approve: (command: string) => ({
    command,
    why: "looks again, and records an approval of this very verdict",
  }),
  unsafe: {
    command: "promoting all the same",
    why: "nothing shows that what would go on is what was verified",
  },
  needsFile: "gate check needs a gate: -f gate.yaml",
  needsGate: "--run is about a gate; say which one (--gate gate.yaml)",
  noStep: (typed: string) =>
    `${JSON.stringify(typed)} is a step, and --gate is about a verdict; leave one of them out`,
  notWithGate: (flag: string) =>
    `${flag} is about a step of a stack, and --gate about a verdict; leave one of them out`,
  claimed:
    "who approved is what they said of themselves (--actor, or the environment): a claim, and no proof of who it was; a signature tells whose key it was, and no more",
  approved: (actor: string, run: string) => `${actor} approved ${run}`,
  counts: (given: number, wanted: number) => `${given} of ${wanted} approvals are given`,
  countsNot: (why: string) => `it is recorded and does not count: ${why}`,
} as const;
