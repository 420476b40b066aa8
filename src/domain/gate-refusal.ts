/**
 * The refusals that a gate is tested by (`gate test`): states that look like a release that works, and are none. Each is one
 * smallest change of a healthy state, so that the cause is single.
 */

export interface Refusal {
  /** What is so, as a clause. */
  readonly says: string;
  /** What a gate has to ask so that it is refused: what to write where it slips through. */
  readonly needs: string;
}

export const REFUSALS = {
  "old-commit": {
    says: "the old commit's 200: the Application is at another commit, Synced and Healthy, and all is well with that",
    needs: "expect.commit, with expect.application (or an Application as target)",
  },
  "old-pod": {
    says: "a Pod of the old release is left, and the 200 is its reply",
    needs: "the claim old-gone or rollout-complete, or expect.response.pod with answered-by-new-pod",
  },
  "synced-degraded": {
    says: "Synced and Degraded: the controller has applied the commit, and calls the result Degraded",
    needs: "expect.application, with the claim controller-health",
  },
  "no-endpoints": {
    says: "no endpoints: every Pod is there, and the Service sends to none of them",
    needs: "the claim endpoints-ready",
  },
  "other-body": {
    says: "200 with the body of another release",
    needs:
      "expect.response.expect with json, headers or bodySha256 that tell the release, and the claim response",
  },
  "missing-field": {
    says: "a field that a proven finding cites is not there",
    needs: "claims: what a kind asks for only where something is there vanishes with it, unless it is named",
  },
  "stale-health": {
    says: "Healthy, said before the sync ended",
    needs: "expect.application, with the claim controller-health",
  },
  "never-synced": {
    says: "an Application that was written and never synced",
    needs: "expect.application, with the claim synced-revision or controller-health",
  },
  "foreign-uid": {
    says: "Pods of the same names and labels, owned by another UID",
    needs: "the claim rollout-complete or old-gone",
  },
  "reused-pod-name": {
    says: "the Pod that answered bears the name of one that is gone",
    needs: "expect.response, with the claim answered-by-new-pod",
  },
  "inside-pod": {
    says: "a request made inside a Pod, offered as the Service's",
    needs: "expect.response with via: service or a path beyond it, and the claim response",
  },
  "no-evidence": {
    says: "all is well now, and no evidence of it is on record",
    needs: "nothing: it always asks for evidence",
  },
  "stored-alone": {
    says: "evidence that proves it, and nobody could look at what is there now",
    needs: "nothing: it always looks (E4)",
  },
  "changed-since": {
    says: "proven on record and proven now, of another incarnation",
    needs: "nothing: it always compares the two",
  },
  "edited-evidence": {
    says: "evidence that was edited after it was recorded",
    needs: "nothing: evidence is always checked",
  },
  "incomplete-evidence": {
    says: "evidence of which the last file was never written",
    needs: "nothing: evidence is always checked",
  },
  "old-evidence": {
    says: "evidence that is older than the gate allows",
    needs: "evidence.maxAge",
  },
  "replayed-evidence": {
    says: "old evidence that was judged and recorded again today",
    needs: "evidence.maxAge: age counts from when it was read",
  },
  "clock-backwards": {
    says: "evidence from a time that has not come yet",
    needs: "nothing: its times are always compared with the clock",
  },
  "lower-trust": {
    says: "evidence of a lower trust tier than is asked for",
    needs: "evidence.trust above T0",
  },
  "wrong-approver": {
    says: "approved by somebody who may not",
    needs: "approvals.by",
  },
  "approval-of-another": {
    says: "an approval of another verdict",
    needs: "approvals.by: an approval counts for the verdict that it names",
  },
  "old-approval": {
    says: "an approval that is older than the gate allows",
    needs: "approvals.by and evidence.maxAge",
  },
  "approved-twice-by-one": {
    says: "one person approved as often as several have to",
    needs: "approvals.count of 2 or more",
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type RefusalName = keyof typeof REFUSALS;

/** In the order in which they are told. */
export const REFUSAL_NAMES = Object.keys(REFUSALS) as readonly RefusalName[];
