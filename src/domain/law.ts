/** The laws of judging (DESIGN §4), as they are told where a claim is explained. Each has a mutant that its test catches. */
export const JUDGING_LAWS = {
  V1: "without any one of the fields that a proof cites there is no proof",
  V2: "the same evidence gives the same finding, in any order, on any day",
  V3: "evidence of another UID, epoch or an older window counts as missing",
  V4: "a window that ended is no failure: neither the controller's deadline nor a failed readiness",
  V5: "an empty set proves nothing about what should be there; only a complete LIST proves absence",
  V6: "verdicts come from GET and LIST; a watch only says when to look again",
  V7: "an unknown kind, or a needed field that is missing or of another type, leaves it undetermined, and is named",
  V8: "a counter that is not there is 0 only while status is of this generation; identities overrule counters",
  V9: "what a layer does not tell is said; an answer proves only its path",
  O1: "status is judged only if it belongs to this generation and this UID",
  O2: "old, new and terminating Pods are three sets, told apart by the UIDs of their owners",
  O3: "failure is judged on Pods of the new revision alone; who serves is said separately",
  O4: "a condition counts if it names this rollout's ReplicaSet, or is dated after the rollout began; an older one is stale",
  O5: "an old Pod's answer never supports a claim about the new release",
  O6: "the statement for a person names counts, versions, reason and who serves",
  O7: "a rollout that completed stays complete for its generation; what is lost later is the claim capacity",
  R2: "a question that failed or was denied is no answer",
  Y1: "a recovery is judged by the declared commit and its tree, never by whichever commit came first",
  C1: "staleness is per container start, not per Pod and not per workload",
  C2: "env, volume, subPath and projected, init and sidecar containers are each judged by their own rule",
  C3: "content is what its digest says: of a key's exact bytes, and of an object as its keys' files, as stock tools make it",
  C4: "names are not content: what is made again under a name is another object",
} as const satisfies Readonly<Record<string, string>>;

export type JudgingLaw = keyof typeof JUDGING_LAWS;

/** These hold for every claim. */
export const LAWS_OF_EVERY_CLAIM = [
  "V1",
  "V2",
  "V3",
  "V4",
  "V7",
  "V9",
  "R2",
] as const satisfies readonly JudgingLaw[];
