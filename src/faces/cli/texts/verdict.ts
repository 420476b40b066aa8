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
  notAgain: {
    command: "deploying the same again",
    why: "it would hide the cause, or overlap with what is still under way",
  },
} as const;
