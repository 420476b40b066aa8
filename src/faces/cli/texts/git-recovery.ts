/** Words of recover report. */
export const GIT_RECOVERY = {
  roles: { normal: "normal", failure: "failure", recovery: "recovery" },
  unread: (why: string | null) => (why === null ? "not read" : `not read: ${why}`),
  signature: { none: "none", good: "good", bad: "bad", "not-checked": "there, not checked" },
  headers: {
    commits: ["", "Commit", "Tree", "Parents", "Committed", "Author", "Subject", "Signature"],
    findings: ["Claim", "Finding", "Why"],
    git: ["At", "Commit", "", "Author", "Subject"],
    cluster: ["At", "What", "By"],
  },
  parts: {
    commits: "The three commits",
    failing: "What the failing commit changed, against the normal one",
    recovering: "What the recovery commit changed, against the failing one",
    findings: "Judged",
    identity: "The same objects",
    firstAid: "First aid, in the cluster",
    permanent: "The fix",
    git: "Git's timeline",
    cluster: "The cluster's timeline",
    limits: "What this does not show",
  },
  change: {
    none: "nothing that is declared",
    "config-only": "only what ConfigMaps and Secrets hold: no Pod is replaced by that alone",
    template: "Pod templates",
    "config-and-template": "Pod templates, and what ConfigMaps and Secrets hold",
    other: "no Pod template, and more than what ConfigMaps and Secrets hold",
    unknown: "not known",
  },
  failureIs: (what: string) => `the failing commit, seen from the normal one: ${what}`,
  recoveryIs: (what: string) => `the recovery commit, seen from the failing one: ${what}`,
  reverts: (says: boolean | null) =>
    says === null
      ? "what its message says was not read"
      : says
        ? "its message says that it reverts the failing commit"
        : "its message does not say that it reverts the failing commit",
  content: (equal: "tree" | "path" | "no" | "unknown", path: string) =>
    ({
      tree: "the recovery's tree is that of the normal commit: all content is the same",
      path: `the same stands at ${path} as in the normal commit; other files of the repository differ`,
      no: `the recovery is no return to the normal commit: at ${path} these differ`,
      unknown: `whether the recovery has the normal commit's content at ${path} is not known`,
    })[equal],
  wrote: (file: string) => `the report was written to ${file}`,
  verify: (command: string) => ({ command, why: "judges it again" }),
  notDone: (command: string) => ({ command, why: "it says nothing of which commit that is" }),
} as const;
