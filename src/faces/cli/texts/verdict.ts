/** Words of the verdict's page, and what to do next. */
export const VERDICT = {
  missing: "Missing:",
  changed: "Changed:",
  notThere: "(not there)",
  recreated: (was: string, is: string) => `its UID was ${was}, and is ${is}`,
  moreChanges: (count: number) => `and ${count} more`,
  notCompared: (path: string) => `cannot be compared: ${path}`,
  writer: (manager: string, how: string, at: string | null) =>
    `${manager} (${how})${at === null ? "" : `, at ${at} or before`}`,
  writerUnknown: "by whom is not known",
  changeHeaders: ["Field", "From, to", "Written by"],
  evidence: "Evidence:",
  limits: "Limits:",
  notLookedAt: "Not looked at:",
  trust: (tier: string) => `Trust (${tier}):`,
  noTarget: (typed: string) =>
    `${JSON.stringify(typed)} does not name what to verify: write KIND/NAME, as in deployment/web`,
  save: (namespace: string, kind: string, name: string, folder: string) => ({
    command: `for r in ${kind}s replicasets pods events services endpointslices horizontalpodautoscalers; do kubectl -n ${namespace} get $r -o json > ${folder}/$r.json; done`,
    why: `reads again what a verdict about ${name} needs; then verify again`,
  }),
  watch: (command: string) => ({
    command: `${command} --watch`,
    why: "looks again until it is proven, cannot be any more, or five minutes are over",
  }),
  look: (command: string) => ({ command, why: "looks again; it changes nothing" }),
  saved: (files: number, folder: string) => `${files} files were written to ${folder}`,
  judge: (command: string) => `to judge them: ${command}`,
  asksNone: (flag: string) =>
    `${flag} is about asking a cluster, and --from judges files; leave one of them out`,
  isNow: "--at is for saved files (--from); a cluster is judged as it is now",
  needsVia: (flag: string) => `${flag} needs --via, which says by which path a reply is expected`,
  oneHealth: "--expect grpc is given twice; one gRPC service is asked for at a time",
  besideHealth: (why: string) => `--expect grpc ${why}`,
  needsBefore:
    "--bystander and --bystander-via name what to compare, and nothing says what it was: name a state before (--bystanders PATH), or tell uid and generation in a Verification file (-f)",
  needsCommit: "--repository needs --commit: it says of which source the commit is",
  needsWatch: (flag: string) => `${flag} needs --watch`,
  targets: (count: number) => `${count} ${count === 1 ? "target" : "targets"}`,
  notRead: "Not read:",
  unread: (why: string) => `not read: ${why}`,
  zero: "Scaled to zero, not counted",
  left: (count: number) =>
    `${count} ${count === 1 ? "object is" : "objects are"} judged with what controls ${count === 1 ? "it" : "them"}`,
  claimHeaders: ["Claim", "Finding", "Why"],
  targetHeaders: ["Target", "Verdict", "Statement"],
  wholeRule: "all that was asked for was read and judged, and is proven",
  each: (command: string) => ({ command, why: "tells it claim by claim" }),
  noSelection:
    "say what to verify: KIND/NAME, as in deployment/web; -l SELECTOR, --all or -A, with kinds or without; or -f FILE",
  kindsAlone: (typed: string) =>
    `${JSON.stringify(typed)} does not name what to verify: write KIND/NAME, or say which of that kind: -l SELECTOR, --all of the namespace, or -A`,
  oneTarget: (flag: string, typed: string) =>
    `${flag} takes all of a kind, and ${JSON.stringify(typed)} is one object; leave one of them out`,
  notForMany: (flag: string) =>
    `${flag} is about one target; for several say it of each in a Verification file (-f)`,
  twoPlaces: "-n names one namespace and -A is for all of them; leave one of them out",
  absentOfMany: "the claim absent is about one named object: verify KIND/NAME --claims absent",
  fileAndTarget: (typed: string) =>
    `${JSON.stringify(typed)} and the target in the file cannot both be meant; leave one of them out`,
  fileAndSelection: (flag: string) => `${flag} selects targets, and -f names one; leave one of them out`,
  releaseAndSelection: (flag: string) =>
    `${flag} selects targets, and --release is of one workload; leave one of them out`,
  inRelease: (flag: string) => `${flag} says what the release says; leave one of them out`,
  needsRelease: "--releases says where the release of --release is; name one",
  otherNamespaceOfRelease: (release: string, theirs: string, ours: string) =>
    `${release} is of namespace ${theirs}, and -n says ${ours}; leave -n out, or name a release of that one`,
  inFile: (flag: string) => `${flag} says what the Verification file says; write it there, or leave -f out`,
  otherNamespace: (file: string, theirs: string, ours: string) =>
    `${file} is about namespace ${theirs}, and -n says ${ours}; leave one of them out`,
  noSummary: "--step-summary writes to the file that GITHUB_STEP_SUMMARY names, and it names none here",
  needsRecord: (flag: string) => `${flag} signs a run of evidence; give --record too`,
  recorded: (run: string, sequence: number, place: string) => `Recorded as ${run} (${sequence}) in ${place}:`,
  digest: (sha256: string) => `SHA-256 of its statement: ${sha256}`,
  tier: (tier: string, limit: string) => `${tier}: ${limit}`,
  notRecorded: "Not recorded as evidence:",
  notKept: (fault: string) =>
    `the verdict was not recorded as evidence: ${fault}; it stands, and the exit is 22`,
  summaryFailed: (why: string) => `the step summary could not be written: ${why}`,
  notAgain: {
    command: "deploying the same again",
    why: "it would hide the cause, or overlap with what is still under way",
  },
} as const;
