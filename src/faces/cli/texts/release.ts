/** Words of the release verbs' pages. */

export const RELEASE = {
  recorded: (id: string, name: string | null, place: string): string =>
    `Recorded as ${name === null ? id : `${name} (${id})`} in ${place}.`,
  already: (id: string, name: string | null, place: string): string =>
    `It is already recorded as ${name === null ? id : `${name} (${id})`} in ${place}: the same template, images and config. Nothing was written.`,
  notProven: (target: string, verdict: string, statement: string): string =>
    `nothing was recorded: ${target} is ${verdict}, and only what is proven is a release. ${statement}`,
  treeNeedsCommit: "--tree goes with --commit SHA (with --commit HEAD the tree is the working folder's)",
  windowIsLive: "--window waits for a cluster; saved files do not change",
  images: "Images:",
  config: "Config:",
  removed: "Not kept (a keyed digest stands in its place):",
  irreversible: "What no rollback brings back:",
  limits: "What it does not tell:",
  altered: "Not as recorded:",
  unfinished: "Never finished (no releases):",
  none: (place: string): string => `No release is recorded in ${place}.`,
  unheld: {
    "not-asked": "named only: --secrets was not given",
    absent: "was not there (optional)",
  },
  keyed: (digest: string): string => `${digest} (keyed)`,
  keys: (count: number): string => `${count} ${count === 1 ? "key" : "keys"}`,
  immutable: "immutable",
  mutable: "can be edited in place",
  source: (commit: string, tree: string | null): string =>
    `commit ${commit}${tree === null ? "" : `, tree ${tree}`}`,
  template: "Template:",
  around: "Around them:",
  notText: "its content is no text",
  moreLines: (count: number): string => `${count} more lines differ`,
  moreFields: (count: number): string => `${count} more fields differ (-o wide)`,
  recreated: "made again",
  noDifference: "-",
  notThere: "not there",
  proposed: "unnamed",
  kept: "kept",
  nextToGo: "Goes next:",
  goes: (
    one: {
      readonly of: string;
      readonly kind: string;
      readonly name: string;
      readonly number: number;
      readonly kept: number;
      readonly limit: number;
    },
    only: string,
  ): string =>
    `${one.kind} ${one.name} (revision ${one.number} of ${one.of}) when the next template has rolled out: ${one.kept} earlier ones are kept, and revisionHistoryLimit is ${one.limit}${only === "" ? "; no config is named by it alone" : `; only it names ${only}`}`,
  gone: "Gone already:",
  goneOf: (object: string, release: string): string =>
    `${object} of release ${release} is not there any more; its content is in the release, if it is a ConfigMap`,
  unread: "Not read, so nothing is proposed:",
  lookedIn: (count: number, place: string): string =>
    `${count} recorded ${count === 1 ? "release" : "releases"} of this namespace in ${place}.`,
  deletesNothing: "Nothing was deleted, and asfound has no verb that deletes config.",
  show: (command: string) => ({ command, why: "shows it whole" }),
  diff: (command: string) => ({ command, why: "shows what differs between two of them" }),
  verify: (command: string) => ({ command, why: "says why it is not proven" }),
  expect: (command: string) => ({
    command,
    why: "writes the file by which verify -f expects exactly this release",
  }),
  record: (command: string) => ({ command, why: "records a workload that is proven" }),
} as const;
