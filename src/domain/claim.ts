/**
 * Claims: sentences that can be judged of one target, each with the layers that it looks at and what it does not tell
 * (DESIGN §7, V9). A claim is required or not per kind (`judge/kinds`), or as the person asked.
 */

/** Where in a deployment a claim looks. Findings of different layers never stand for each other. */
export type Layer = "intent" | "sync" | "controller" | "pods" | "config" | "route" | "response" | "recovery";

export interface Claim {
  /** The one under which its finding is listed. */
  readonly layer: Layer;
  readonly says: string;
  /** V9: what a proof of it leaves open. */
  readonly doesNotTell: string;
}

export const CLAIMS = {
  "spec-observed": {
    layer: "controller",
    says: "the controller has processed this generation of this object",
    doesNotTell: "that anything has come of it yet",
  },
  "as-released": {
    layer: "intent",
    says: "the workload is the one that the release was recorded of, and declares the template that was recorded",
    doesNotTell: "that anything runs by it, or what its config holds",
  },
  "intended-commit": {
    layer: "intent",
    says: "the Application aims at the expected commit",
    doesNotTell: "that it was applied, or that anything runs by it",
  },
  "synced-revision": {
    layer: "sync",
    says: "what was last synced is that commit",
    doesNotTell: "that what was applied works, or that the images behind its tags are the same",
  },
  "controller-health": {
    layer: "controller",
    says: "the GitOps controller calls it healthy, and said so after the sync",
    doesNotTell: "that a request is answered rightly",
  },
  "rollout-complete": {
    layer: "controller",
    says: "every Pod that should run the new template exists and became available in this rollout",
    doesNotTell: "that they are available now, or that what they answer is right",
  },
  "reported-ready": {
    layer: "controller",
    says: "its controller reports it done, by the fields that its kind has for that",
    doesNotTell: "that anything which uses it works",
  },
  "old-gone": {
    layer: "pods",
    says: "no Pod of another template runs, terminating ones included",
    doesNotTell: "that the new Pods work, or that no client still holds a connection elsewhere",
  },
  capacity: {
    layer: "pods",
    says: "as many Pods are available now as are wanted",
    doesNotTell: "which release they run: old Pods count too",
  },
  "endpoints-ready": {
    layer: "route",
    says: "the Service has ready endpoints",
    doesNotTell: "that a request to it succeeds, or which release would answer it",
  },
  artifact: {
    layer: "pods",
    says: "the running images are the expected digests, with no surplus container",
    doesNotTell: "what the processes read besides their images",
  },
  "config-loaded": {
    layer: "config",
    says: "every container's last start was given what its ConfigMaps and Secrets are expected to hold, else hold now",
    doesNotTell: "that the process uses what it was given, or that the content is right",
  },
  "config-bound": {
    layer: "config",
    says: "the next container would be given what the running ones were, and what is expected",
    doesNotTell: "that the content is right, or that nobody deletes an object and makes it again",
  },
  response: {
    layer: "response",
    says: "the expected reply came by that path",
    doesNotTell: "which release answered, or what other paths answer",
  },
  "answered-by-new-pod": {
    layer: "response",
    says: "the replies came from Pods of this release",
    doesNotTell: "that no old Pod answers by another path, or another time",
  },
  "pod-replaced": {
    layer: "recovery",
    says: "the Pod that was removed is gone, and what came in its place is this workload's, Ready and with its config",
    doesNotTell: "that the Pods beside it would be replaced as well as this one",
  },
  "bystanders-unchanged": {
    layer: "recovery",
    says: "each named bystander is the same object, with the same template and Pods, as ready as before, and answers as expected where it is asked",
    doesNotTell: "what changed and was changed back in between, or what those answer that were not asked",
  },
  absent: {
    layer: "recovery",
    says: "the object is not there",
    doesNotTell: "that what it made is gone as well",
  },
} as const satisfies Readonly<Record<string, Claim>>;

export type ClaimName = keyof typeof CLAIMS;

/** In the order in which they are told. */
export const CLAIM_NAMES = Object.keys(CLAIMS) as readonly ClaimName[];

export const isClaimName = (text: string): text is ClaimName => Object.hasOwn(CLAIMS, text);

/** Of a GitOps controller, about whatever it brings about. */
const GITOPS_CLAIMS = ["intended-commit", "synced-revision", "controller-health"] as const;
export type GitOpsClaim = (typeof GITOPS_CLAIMS)[number];

export const isGitOpsClaim = (claim: ClaimName): claim is GitOpsClaim =>
  (GITOPS_CLAIMS as readonly ClaimName[]).includes(claim);
