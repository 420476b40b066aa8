/** The frame of every help page. */
export const HELP = {
  usage: "Usage:",
  mapUsage: "COMMAND [flags]",
  flagsUsage: "[flags]",
  arguments: "Arguments:",
  flags: "Flags:",
  common: "Common flags:",
  commands: "Commands:",
  /** The order in which a person meets them. */
  groups: {
    "Change, and find out:": [
      "init",
      "plan",
      "apply",
      "status",
      "reconcile",
      "resume",
      "destroy",
      "compensate",
    ],
    "Decide, on record:": ["resolve", "retain", "forget", "import", "approve"],
    "Verify:": ["verify", "snapshot", "watch", "config", "release"],
    "Recover:": ["recover", "recover report", "rollback", "drill"],
    "Learn:": ["lab"],
    "Keep evidence:": ["evidence", "gate", "key"],
    "Look back:": ["history", "show", "graph", "ledger", "doctor", "completion"],
  } as Readonly<Record<string, readonly string[]>>,
  help: "Print this help",
  required: "(required)",
  usual: (value: string) => `(${value})`,
  more: (path: string) =>
    `asfound ${path === "" ? "" : `${path} `}COMMAND --help tells more of one command; asfound --version tells the version.`,
} as const;
