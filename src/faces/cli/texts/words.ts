/** Words and sentences of the pages. Numbers come in, a whole sentence goes out, so that another language can follow. */

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const WORDS = {
  next: "Next:",
  notOffered: "Not offered:",
  notes: "Notes:",
  nothingRecorded: "nothing was applied yet, as far as the ledger knows",
  working: (who: string) => `at work now: ${who}`,
  counted: (count: number, status: string) => `${count} ${status}`,
  noSteps: "no steps",
  headers: {
    step: "STEP",
    status: "STATUS",
    provider: "PROVIDER",
    id: "ID",
    why: "WHY",
    confirmed: "CONFIRMED",
    operation: "OPERATION",
    updated: "UPDATED",
    action: "ACTION",
    verb: "VERB",
    started: "STARTED",
    took: "TOOK",
    actor: "ACTOR",
    exit: "EXIT",
    outcome: "OUTCOME",
    reason: "REASON",
    needs: "NEEDS",
    check: "CHECK",
    finding: "FINDING",
    layer: "LAYER",
    claim: "CLAIM",
    required: "REQUIRED",
    references: "REFERENCES",
    keys: "KEYS",
    pods: "PODS",
    host: "HOST",
    time: "TIME",
    what: "WHAT",
    verdict: "VERDICT",
    target: "TARGET",
    statement: "STATEMENT",
    uid: "UID",
    state: "STATE",
    pod: "POD",
    container: "CONTAINER",
    object: "OBJECT",
    delivery: "DELIVERY",
    source: "SOURCE",
    file: "FILE",
    process: "PROCESS",
  },
  trouble: {
    why: "why",
    failedCommand: "failed command",
    lastError: "last error",
    effect: "effect of it",
    waitsFor: "waits for",
    surplus: "second object",
    owes: "still owes",
    survivor: "still alive",
    previous: "an earlier one",
    rerun: "run again with",
    resolved: "resolved inputs",
    retained: "retained",
    confirmed: "confirm",
    operation: "operation",
  },
  effect: {
    none: "none",
    known: "known",
    possible: "possible: something may be alive",
  } as Readonly<Record<string, string | undefined>>,
  retained: (owner: string, reason: string, reviewBy: string) =>
    `for ${owner}: ${reason}; to be reviewed by ${reviewBy}`,
  surplus: (id: string, why: string) => `${id}: ${why}`,
  previous: (id: string | null, endedBy: string) => `${id ?? "without an id"}, ended by ${endedBy}`,
  waits: (step: string, why: string) => (why.startsWith(step) ? why : `${step}: ${why}`),

  /** What the plan would do, as a word of the table. */
  change: {
    create: "create",
    update: "update",
    replace: "replace",
    destroy: "destroy",
    "observe-first": "look first",
    leave: "leave",
    decide: "decide",
  } as Readonly<Record<string, string | undefined>>,
  planNothing: "nothing to do: every step is as the file says, as far as the ledger knows",
  destroyNothing: "nothing to destroy: nothing of it exists, as far as the ledger knows",
  planSummary: (counts: ReadonlyMap<string, number>): string => {
    const of = (kind: string) => counts.get(kind) ?? 0;
    const first = [`${of("create")} to create`, `${of("update")} to update`];
    if (of("replace") > 0) first.push(`${of("replace")} to replace`);
    first.push(`${of("destroy")} to destroy`);
    const second: string[] = [];
    if (of("observe-first") > 0) second.push(`${of("observe-first")} to be looked at first`);
    if (of("decide") > 0) second.push(`${of("decide")} to be decided by a person`);
    second.push(`${of("leave")} left`);
    return `${first.join(", ")}; ${second.join(", ")}`;
  },
  changed: (pointers: readonly string[]) => `changes ${pointers.join(", ")}`,
  preview: {
    create: "would be created",
    change: "would be changed",
    remove: "would be removed",
    leave: "would stay",
    refused: "would be refused",
    unknown: "not known",
  } as Readonly<Record<string, string | undefined>>,
  cannotKnow: (limit: string) => `limit: ${limit}`,
  planRetained: (how: string) => `retained for ${how}`,
  needsApproval: (why: string) => `waits for an approval: ${why}`,
  needsPermission: "needs --allow-destroy, or a saved plan",
  savedPlan: (file: string) => `the plan is in ${file}`,
  looksFirst: "plan asks nothing: apply looks at what is recorded before it changes it",

  exitIs: (code: number, meaning: string) => `exit ${code}: ${meaning}`,
  operation: (verb: string, id: string) => `${verb} ${id}`,
  running: "still running",
  cutOff: "cut off: its process is gone",
  noHistory: "nothing was attempted yet",
  moreHistory: (limit: number) => `the ${limit} newest are shown; -n shows more`,
  records: (count: number) => plural(count, "record", "records"),
  finding: {
    fine: "fine",
    wrong: "wrong",
    "not-checked": "not checked",
  } as Readonly<Record<string, string | undefined>>,
} as const;
