/** What the claim about a recorded release rests on. */
import type { ClaimName } from "./claim.ts";
import type { Explanation } from "./explanation-form.ts";

/** `target`: the object that is judged, whatever its kind. */
export const releaseExplanations = (target: string) =>
  ({
    "as-released": {
      rule: {
        proven: [
          "it has the UID that the release was recorded of, and its spec.template is the recorded one, field by field",
          "where values of the template are not kept in a release (literals of env): all others are the same, and it is the very template that the recorded ReplicaSet or ControllerRevision (by UID) still holds",
        ],
        refuted: [
          "it has another UID: it was deleted and made again since",
          "a field of the template is another one than was recorded, or a literal is another one than the recorded ReplicaSet or ControllerRevision holds",
        ],
        progressing: [],
        undetermined: [
          "no release is expected (--release), or it is not a Deployment, StatefulSet or DaemonSet",
          "values of the template are not kept in the release, and what held them is gone, was changed, or was not read",
          "a field that is needed is missing or of another type; the object has another UID than expected",
        ],
      },
      restsOn: {
        [target]: ["metadata.uid", "spec.template"],
        ReplicaSet: [
          "metadata.uid",
          "metadata.ownerReferences",
          "metadata.annotations.deployment.kubernetes.io/revision",
          "spec.template",
        ],
        ControllerRevision: ["metadata.uid", "metadata.ownerReferences", "revision", "data.spec.template"],
      },
      lists: ["replicasets", "controllerrevisions"],
      laws: ["C4", "V5"],
      sources: [
        {
          title: "Kubernetes documentation: Deployments, rolling back",
          url: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-back-a-deployment",
        },
        {
          title: "Kubernetes API reference: ControllerRevision v1 apps",
          url: "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/controller-revision-v1/",
        },
      ],
      limits: [
        "which release it is, and that its files are as they were recorded, is the word of the folder that holds them (asfound release show)",
        "an absent field, a null and an empty list are one, as they are in Go",
      ],
    },
  }) satisfies Readonly<Partial<Record<ClaimName, Explanation>>>;
