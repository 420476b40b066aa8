/** What the claims about a GitOps controller rest on. */
import type { ClaimName } from "./claim.ts";
import type { Explanation, Source } from "./explanation-form.ts";

const APPLICATION: Source = {
  title: "Argo CD: Application specification",
  url: "https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/",
};
const TRACKING: Source = {
  title: "Argo CD: tracking and deployment strategies",
  url: "https://argo-cd.readthedocs.io/en/stable/user-guide/tracking_strategies/",
};
const HEALTH: Source = {
  title: "Argo CD: resource health",
  url: "https://argo-cd.readthedocs.io/en/stable/operator-manual/health/",
};
const AUTOMATED: Source = {
  title: "Argo CD: automated sync policy",
  url: "https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/",
};

/** What shows that the controller's comparison is of what is declared now. */
export const COMPARED = [
  "metadata.uid",
  "spec.source",
  "spec.source.repoURL",
  "spec.sources[]",
  "spec.sources[].repoURL",
  "spec.destination",
  "status.sync.comparedTo.source",
  "status.sync.comparedTo.sources",
  "status.sync.comparedTo.destination",
  "status.sync.status",
];
const REVISIONS = [
  "spec.source.targetRevision",
  "spec.sources[].targetRevision",
  "status.sync.revision",
  "status.sync.revisions[]",
];

const NOT_ITS =
  "of another kind: the Application that is named (--application) is not there, or does not declare the target";

export const GITOPS_EXPLANATIONS = {
  "intended-commit": {
    rule: {
      proven: [
        "spec.source.targetRevision is that whole commit",
        "it names a branch or tag, and the commit that the controller last found there, for what is declared now, is that one",
      ],
      refuted: [
        "it is pinned to another commit, which follows no branch",
        "none of its sources is the repository that is named (--repository)",
        NOT_ITS,
      ],
      progressing: ["it names a branch or tag, and the controller last found another commit there"],
      undetermined: [
        "it has several sources and which one is meant is not said, or its source is a Helm chart",
        "no commit is expected (--commit), or the controller has reported no comparison, or one that failed (Unknown), as without its repository",
        "a field that is needed is missing or of another type; the object has another UID than expected",
      ],
    },
    restsOn: { Application: [...COMPARED, ...REVISIONS, "status.resources"] },
    lists: [],
    laws: ["O1"],
    sources: [APPLICATION, TRACKING],
    limits: ["a branch may move on to another commit at any time"],
  },
  "synced-revision": {
    rule: {
      proven: [
        "status.sync.status is Synced, for what is declared now, at the expected commit; where none is expected, at the one that it is pinned to, or whichever its branch led to",
        "or at another commit of which a repository told (--git) that its tree is the expected one's, or, for plain manifests, that the same stands at the source's path: which of them is said",
      ],
      refuted: [
        "it is pinned to another commit, or its source is not what is expected to be made of the commit",
        "the cluster differs from what is declared, and its sync failed, or nothing syncs it by itself: not automated, synced to this before without selfHeal, or to be pruned without prune",
        "the expected commit has another tree than the one that is expected with it",
        NOT_ITS,
      ],
      progressing: [
        "the controller has not compared the cluster with what is declared now, or not with the expected commit",
        "the cluster differs from what is declared, and a sync is under way or comes by itself",
      ],
      undetermined: [
        "the controller has reported no comparison, or says that it cannot compare (Unknown)",
        "which source is meant is not said; a field that is needed is missing or of another type",
      ],
    },
    restsOn: {
      Application: [
        ...COMPARED,
        ...REVISIONS,
        "status.resources",
        "spec.source.path",
        "spec.sources[].path",
        "status.sourceType",
        "status.sourceTypes[]",
      ],
      GitCommit: ["commit", "tree", "paths[].path", "paths[].id", "paths[].selfContained"],
    },
    lists: [],
    laws: ["O1", "Y1"],
    sources: [APPLICATION, AUTOMATED],
    limits: [
      "a clone tells of its commits; nothing shows that it is the repository that the controller reads",
      "parameters beside Git (Helm values, Kustomize images) change what a commit deploys: where they stand is said, their values are not",
      "fields that are not declared are not compared: what somebody added to an object is still there",
      "operationState is of the last sync and not of this comparison: it explains, and decides nothing",
    ],
  },
  "controller-health": {
    rule: {
      proven: [
        "status.health.status is Healthy, each object of status.resources is there, and status.reconciledAt is after the end of the last sync",
      ],
      refuted: [
        "a declared object is not there, whatever the controller calls the rest",
        "the controller calls it Degraded or Missing, after the sync; or it is being deleted",
        NOT_ITS,
      ],
      progressing: [
        "the controller calls it Progressing, a sync is under way or was asked for, or what is declared now was not compared yet",
      ],
      undetermined: [
        "its health is older than the end of the sync, or of the same second",
        "the controller could not compare (Unknown): what it lists and calls healthy then is not what is declared",
        "it declares no object, or whether one is there is not told (not Synced, and without a health of its own)",
        "the controller calls it Suspended or Unknown",
        "a field that is needed is missing or of another type; the object has another UID than expected",
      ],
    },
    restsOn: {
      Application: [
        ...COMPARED,
        "status.resources",
        "status.health.status",
        "status.reconciledAt",
        "status.operationState.phase",
        "status.operationState.finishedAt",
      ],
    },
    lists: [],
    laws: ["O1", "V5"],
    sources: [APPLICATION, HEALTH],
    limits: [
      "kinds for which Argo CD has no rule count as Healthy",
      "it is the controller's word, by its rules for each kind",
    ],
  },
} satisfies Readonly<Partial<Record<ClaimName, Explanation>>>;
