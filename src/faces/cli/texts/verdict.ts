/** Words of the verdict's page, and what to do next. */
export const VERDICT = {
  missing: "Missing:",
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
  needsWatch: (flag: string) => `${flag} needs --watch`,
  notAgain: {
    command: "deploying the same again",
    why: "it would hide the cause, or overlap with what is still under way",
  },
} as const;
