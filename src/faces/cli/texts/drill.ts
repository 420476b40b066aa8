/** Words of drill. */
export const DRILL = {
  noScope: (namespace: string | undefined) =>
    `a drill removes a Pod, and says where it may: give --allow-namespace ${namespace ?? "NAMESPACE"}; there is no default`,
  outOfScope: (namespace: string, allowed: readonly string[]) =>
    `the namespace ${namespace} is not among those in which a Pod may be removed (--allow-namespace ${allowed.join(", ")}); nothing was called`,
  whoAnswers:
    "an answer counts only if it is the new Pod's: say where the app names its Pod (--pod $.PATH or header:NAME), or ask the Pods themselves (--via pod)",
  refused: (sentence: string) => `${sentence}; nothing was called`,
  other: (before: string, now: string) =>
    `it is decided otherwise now than when you were asked (Pod ${before} then, now ${now}); run it again; nothing was called`,
  question: (pod: string, workload: string, server: string, by: "evict" | "delete") =>
    `${by === "evict" ? "Evict" : "Delete"} Pod ${pod} of ${workload} at ${server}?`,
  by: { evict: "by the eviction API", delete: "by a delete, which asks no disruption budget" },
  chosen: (workload: string, pod: string, uid: string) =>
    `${workload}: Pod ${pod} (UID ${uid}) would be replaced`,
  drilled: (workload: string, pod: string, uid: string) =>
    `${workload}: Pod ${pod} (UID ${uid}) was to be replaced`,
  why: "Why this one:",
  lookedAt: "Looked at before:",
  rehearsed: {
    remove: "the server would take it (rehearsed, nothing was changed)",
    refused: (why: string) => `the server would refuse it: ${why}`,
    unknown: (why: string) => `whether the server would take it is not known: ${why}`,
  },
  outcome: "Outcome:",
  disturbed: "Somebody came between:",
  go: (command: string) => ({ command, why: "asks, then does it" }),
  look: (command: string) => ({ command, why: "shows how it stands; changes nothing" }),
  recorded: (command: string) => ({ command, why: "tells what was recorded of it, from the ledger alone" }),
  settle: (command: string) => ({
    command,
    why: "asks whether that Pod is gone, and settles what is in doubt; it changes nothing outside",
  }),
  notAgain: {
    command: "asfound drill",
    why: "another Pod would be taken away while the one that came is not shown to be right",
  },
} as const;
