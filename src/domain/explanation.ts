/**
 * What each claim rests on: its rule, the fields that a proof cites, the laws and sources behind it, and what it does not
 * show. `verify --explain`, its page and its JSON are made from this alone. A claim without an explanation does not
 * compile, and a test holds rule and fields to what the judges really come to and cite.
 */
import type { ClaimName } from "./claim.ts";
import type { Explanation, Source } from "./explanation-form.ts";
import { COMPARED, GITOPS_EXPLANATIONS } from "./explanation-gitops.ts";
import { releaseExplanations } from "./explanation-release.ts";

export type { Explanation } from "./explanation-form.ts";

/** In `restsOn`: the object that is judged, whatever its kind. */
export const TARGET = "the target";
/** In `restsOn` and `lists`: each object that was to be as before, whatever its kind. */
export const BYSTANDER = "each bystander";

const reference = (title: string, path: string): Source => ({
  title: `Kubernetes API reference: ${title}`,
  url: `https://kubernetes.io/docs/reference/kubernetes-api/${path}/`,
});
const page = (title: string, path: string): Source => ({
  title: `Kubernetes documentation: ${title}`,
  url: `https://kubernetes.io/docs/${path}`,
});
const convention = (title: string, anchor: string): Source => ({
  title: `Kubernetes API conventions: ${title}`,
  url: `https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#${anchor}`,
});

const DEPLOYMENT = reference("Deployment v1 apps", "workload-resources/deployment-v1");
const STATEFUL_SET = reference("StatefulSet v1 apps", "workload-resources/stateful-set-v1");
const DAEMON_SET = reference("DaemonSet v1 apps", "workload-resources/daemon-set-v1");
const POD = reference("Pod v1", "workload-resources/pod-v1");
const ROLLOUT: Source = {
  title: "Argo Rollouts: Rollout specification",
  url: "https://argo-rollouts.readthedocs.io/en/stable/features/specification/",
};
const OWNERS = page("Owners and dependents", "concepts/overview/working-with-objects/owners-dependents/");
const STATUS = convention("typical status properties", "typical-status-properties");

const CONFIG_MAPS = page("ConfigMaps", "concepts/configuration/configmap/");
const MANAGED_FIELDS = page("Server-side apply, field management", "reference/using-api/server-side-apply/");

const GATEWAY_STATUS: Source = {
  title: "Gateway API reference: status of Gateways, listeners and routes",
  url: "https://gateway-api.sigs.k8s.io/reference/spec/",
};

/** Conditions that name their generation. */
const conditionsAt = (at: string): readonly string[] =>
  ["type", "status", "observedGeneration"].map((field) => `${at}[].${field}`);
const CONDITIONS = ["metadata.generation", ...conditionsAt("status.conditions")];
const PARENTS = [
  "spec.parentRefs",
  "status.parents[].controllerName",
  "status.parents[].parentRef.name",
  ...conditionsAt("status.parents[].conditions"),
];

/** What tells which config a container start was given, beside the object. */
const STARTS: Explanation["restsOn"] = {
  Pod: [
    "metadata.uid",
    "metadata.creationTimestamp",
    "spec.nodeName",
    "status.containerStatuses[].containerID",
    "status.initContainerStatuses[].containerID",
    "status.containerStatuses[].state.running.startedAt",
    "status.initContainerStatuses[].state.running.startedAt",
    "status.initContainerStatuses[].state.terminated.startedAt",
  ],
  ReadFile: ["pod.uid", "containerId", "sha256", "at"],
  HeldConfig: ["uid", "resourceVersion", "from", "to", "sha256", "keys.*"],
};

/** Where the claims that count Pods by `status` begin. */
const OF_THIS_GENERATION = ["metadata.uid", "metadata.generation", "status.observedGeneration"];

export const EXPLANATIONS: Readonly<Record<ClaimName, Explanation>> = {
  "spec-observed": {
    rule: {
      proven: [
        "metadata.generation and status.observedGeneration are equal",
        "a kind with a declared rule: the field that the rule names, or that of every condition that counts",
        "Application: status.sync.comparedTo holds the sources and the destination of its spec, and the comparison came to something (Synced, OutOfSync)",
        "Gateway, HTTPRoute, GRPCRoute: the condition Accepted names this generation (its observedGeneration), whatever it says; of a route, for each of its parents, by the controller of that parent's GatewayClass",
      ],
      refuted: ["there is no such object: it is not among all that were listed, or the server answered 404"],
      progressing: ["the controller has processed an older generation than the object's"],
      undetermined: [
        "no controller has said which generation its status speaks of; a condition as the API server made it (Pending) is no controller's word",
        "the object has another UID than expected, or is of before the change that is verified (--since)",
        "status is ahead of metadata: the two are not of one reading",
        "the object could not be read, or was not asked for",
      ],
    },
    restsOn: {
      [TARGET]: OF_THIS_GENERATION,
      Gateway: ["spec.gatewayClassName", ...CONDITIONS],
      GatewayClass: ["spec.controllerName"],
      HTTPRoute: PARENTS,
      GRPCRoute: PARENTS,
      Application: COMPARED,
    },
    lists: [],
    laws: ["O1", "V5"],
    sources: [STATUS, convention("metadata", "metadata"), GATEWAY_STATUS],
    limits: ["observedGeneration is the controller's own word; asfound cannot see what it really read"],
  },
  ...releaseExplanations(TARGET),
  ...GITOPS_EXPLANATIONS,
  "rollout-complete": {
    rule: {
      proven: [
        "Deployment: status.replicas, updatedReplicas and availableReplicas all equal spec.replicas, and no Pod, ReplicaSet or condition that was read says otherwise",
        "Deployment that lost Pods since: its controller recorded the completion of this ReplicaSet (NewReplicaSetAvailable) after the last write of spec, or after every Pod that is there was created",
        "StatefulSet: the Pods from the partition on carry status.updateRevision as their revision label (by the controller's count where not all Pods were read), and all Pods are available; without a partition status.currentRevision is that revision too",
        "DaemonSet: updatedNumberScheduled and numberAvailable both equal desiredNumberScheduled",
        "ReplicaSet: status.replicas and availableReplicas both equal spec.replicas",
        "Job: its condition Complete is True; CronJob: that of the Job that was scheduled last, if it is of this template",
        "Pod: it runs and its condition Ready is True, or its phase is Succeeded",
        "a kind with a declared rule (Argo Rollouts have one): the counters that it names all equal the number that is wanted, and no Pod that was read says otherwise",
      ],
      refuted: [
        "the progress deadline of this very rollout is over",
        "a Pod of the new revision crashes again and again (a Job's may, up to its backoff limit), cannot pull its image, or its container cannot be made",
        "a Pod that is verified itself has failed",
        "a quota, a LimitRange, admission or a missing service account refuses more Pods",
        "it is paused or suspended, or its strategy is OnDelete, with Pods left to replace",
        "the Job failed, or the object is being deleted",
      ],
      progressing: [
        "none of these, and old Pods are still counted, or new ones are created, wait for a node, start, are not ready, or have to stay ready for minReadySeconds",
        "the controller has not processed this generation yet, or the CronJob waits for its schedule",
      ],
      undetermined: [
        "no Pod is wanted: 0 of 0 proves nothing, unless --replicas 0 says that none are expected",
        "counters say that it is complete, and Pods or a condition of this rollout say that it is not",
        "a condition says that the deadline is over, and when this rollout began is not known",
        "a field that is needed is missing or of another type; the object has another UID than expected",
      ],
    },
    restsOn: {
      [TARGET]: OF_THIS_GENERATION,
      Deployment: [
        "spec.replicas",
        "status.replicas",
        "status.updatedReplicas",
        "status.availableReplicas",
        "status.unavailableReplicas",
        "status.conditions[].status",
        "status.conditions[].reason",
        "status.conditions[].message",
        "status.conditions[].lastUpdateTime",
      ],
      StatefulSet: [
        "spec.replicas",
        "spec.updateStrategy.type",
        "status.replicas",
        "status.availableReplicas",
        "status.updateRevision",
        "status.currentRevision",
      ],
      DaemonSet: [
        "spec.updateStrategy.type",
        "status.desiredNumberScheduled",
        "status.updatedNumberScheduled",
        "status.numberAvailable",
      ],
      ReplicaSet: ["spec.replicas", "status.replicas", "status.availableReplicas"],
      Rollout: ["spec.replicas", "status.replicas", "status.updatedReplicas", "status.availableReplicas"],
      CronJob: ["spec.jobTemplate.spec.template.spec", "status.lastScheduleTime"],
      Job: [
        "metadata.creationTimestamp",
        "metadata.ownerReferences[].uid",
        "spec.template.spec",
        "status.conditions[].type",
        "status.conditions[].status",
      ],
      Pod: [
        "metadata.labels.controller-revision-hash",
        "metadata.ownerReferences[].uid",
        "status.phase",
        "status.conditions[].type",
        "status.conditions[].status",
      ],
    },
    lists: ["jobs"],
    laws: ["O1", "O2", "O3", "O4", "O7", "V5", "V8"],
    sources: [
      page(
        "Deployments, status of a rollout",
        "concepts/workloads/controllers/deployment/#deployment-status",
      ),
      page(
        "StatefulSets, partitioned rolling updates",
        "concepts/workloads/controllers/statefulset/#partitions",
      ),
      page("Jobs, termination and cleanup", "concepts/workloads/controllers/job/"),
      DEPLOYMENT,
      STATEFUL_SET,
      DAEMON_SET,
      ROLLOUT,
      reference("ReplicaSet v1 apps", "workload-resources/replica-set-v1"),
      reference("Job v1 batch", "workload-resources/job-v1"),
      reference("CronJob v1 batch", "workload-resources/cron-job-v1"),
      POD,
    ],
    limits: [
      "counters are the controller's own; where the Pods were read, they can only take from them",
      "a StatefulSet's Pods below the partition are held back on purpose, and are not judged",
      "a ReplicaSet replaces no Pod when its template changes: older ones may run what it said then",
      "terminating Pods are not counted by status.replicas: they are the claim old-gone",
    ],
  },
  "reported-ready": {
    rule: {
      proven: [
        "HorizontalPodAutoscaler: AbleToScale and ScalingActive are True, and status.currentReplicas equals desiredReplicas",
        "PersistentVolumeClaim: its phase is Bound, to a volume that spec names, and it is not being resized",
        "PodDisruptionBudget: status.currentHealthy is at least desiredHealthy, and it selects Pods",
        "Ingress: a controller has published an address for it, and the IngressClass that it names is there",
        "Gateway: Accepted and Programmed are True, and Accepted, ResolvedRefs and Programmed of each of its listeners, each of this generation; its GatewayClass is there",
        "HTTPRoute, GRPCRoute: for each of its parents Accepted and ResolvedRefs are True and of this generation, by the controller of that Gateway's class, and the Gateway itself is Programmed",
        "a kind with a declared rule: all that the rule needs is there, of this generation, and says so (an Argo Rollout: its phase is Healthy, its stable version is this one, and no AnalysisRun of it is open)",
      ],
      refuted: [
        "the autoscaler is not able to scale, the volume is lost, or fewer Pods are healthy than the budget needs",
        "nothing provisions a volume for the claim (no class, none of that name, or one without a provisioner), and no volume of its class is free",
        "there is no IngressClass or GatewayClass of the name that is told, or no Gateway of a parent's",
        "a condition of the Gateway, of a listener or of the route is False, but for a reason that only takes time (Pending, NotReconciled, AddressNotAssigned)",
        "by a declared rule: a sign of failure holds (a condition Stalled, a phase Degraded)",
        "the object is being deleted",
      ],
      progressing: [
        "the autoscaler scales, or the claim is not bound yet (it may wait for its first Pod, as its class wants) or is being resized",
        "a condition that is needed is of an earlier generation, or is False for a reason that only takes time",
        "by a declared rule: a sign that it is under way holds, or what says ready speaks of an earlier generation",
      ],
      undetermined: [
        "no controller has published an address for the Ingress, or has said of the Gateway, listener or route what is needed",
        "a parent is of another kind than Gateway, or it or its class could not be read",
        "the autoscaler cannot tell its wish, or the budget selects no Pod or cannot be counted",
        "by a declared rule: facts contradict each other, a condition is Unknown, or what is there is neither ready, failed nor under way",
        "nothing says which generation its status speaks of, and its spec was changed after it was made",
        "its kind has no rule, or a field that is needed is missing or of another type",
      ],
    },
    restsOn: {
      [TARGET]: OF_THIS_GENERATION,
      HorizontalPodAutoscaler: [
        "status.conditions[].type",
        "status.conditions[].status",
        "status.desiredReplicas",
        "status.currentReplicas",
      ],
      PersistentVolumeClaim: ["status.phase", "spec.volumeName"],
      PodDisruptionBudget: ["status.expectedPods", "status.currentHealthy", "status.desiredHealthy"],
      Rollout: ["status.phase", "status.stableRS", "status.currentPodHash"],
      AnalysisRun: ["status.phase"],
      Ingress: ["status.loadBalancer.ingress[].ip", "status.loadBalancer.ingress[].hostname"],
      IngressClass: ["spec.controller"],
      Gateway: [
        "spec.gatewayClassName",
        "spec.listeners",
        "spec.listeners[].name",
        ...CONDITIONS,
        "status.listeners[].name",
        ...conditionsAt("status.listeners[].conditions"),
      ],
      GatewayClass: ["spec.controllerName"],
      HTTPRoute: PARENTS,
      GRPCRoute: PARENTS,
    },
    lists: ["analysisruns"],
    laws: ["O1", "V5"],
    sources: [
      page(
        "Horizontal Pod autoscaling, status conditions",
        "tasks/run-application/horizontal-pod-autoscale-walkthrough/#appendix-horizontal-pod-autoscaler-status-conditions",
      ),
      reference("HorizontalPodAutoscaler v2 autoscaling", "workload-resources/horizontal-pod-autoscaler-v2"),
      page("Persistent volumes, phase", "concepts/storage/persistent-volumes/#phase"),
      ROLLOUT,
      reference("PodDisruptionBudget v1 policy", "policy-resources/pod-disruption-budget-v1"),
      page("Storage classes, volume binding mode", "concepts/storage/storage-classes/#volume-binding-mode"),
      reference("Ingress v1 networking.k8s.io", "service-resources/ingress-v1"),
      GATEWAY_STATUS,
    ],
    limits: [
      "it is what the controller says of itself, and not what anybody measured",
      "by a declared rule it is as true as the rule: the finding names the file",
      "an Ingress's status names no generation: its address may be from before the last change of its spec",
      "that a path serves is shown by a request alone (--via ingress/NAME, --via gateway/NAME)",
      "whether a ReferenceGrant allows a reference to another namespace is the controller's word (ResolvedRefs)",
    ],
  },
  "old-gone": {
    rule: {
      proven: [
        "all Pods were listed, and each that runs is of the template that is to run; for a Deployment by the UID of the ReplicaSet whose template equals its own, for a StatefulSet by status.updateRevision, for a DaemonSet by its template's generation, for a kind with a declared rule by the label that carries the version its status names",
      ],
      refuted: ["a Pod of another template runs, and the rollout that should replace it failed"],
      progressing: [
        "a Pod of another template runs, and the rollout is under way",
        "Pods of another template are terminating: their processes may still run",
      ],
      undetermined: [
        "Pods, or ReplicaSets, were not all listed",
        "a Pod has the labels of this workload, and whose it is cannot be told",
        "Pods of another template run, and whether they are being replaced is not known, or the controller counts none of them",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid", "spec.selector"],
      Deployment: ["spec.template"],
      StatefulSet: ["metadata.generation", "status.observedGeneration", "status.updateRevision"],
      DaemonSet: ["metadata.annotations.deprecated.daemonset.template.generation"],
      Rollout: ["status.currentPodHash"],
      ReplicaSet: ["metadata.uid", "metadata.ownerReferences", "spec.template"],
      Pod: [
        "metadata.ownerReferences[].uid",
        "metadata.labels.controller-revision-hash",
        "metadata.labels.pod-template-generation",
        "metadata.labels.rollouts-pod-template-hash",
        "status.phase",
      ],
    },
    lists: ["pods", "replicasets"],
    laws: ["O2", "V5", "V8"],
    sources: [
      OWNERS,
      page("Pod lifecycle, termination of Pods", "concepts/workloads/pods/pod-lifecycle/#pod-termination"),
      page(
        "Deployments, pod-template-hash",
        "concepts/workloads/controllers/deployment/#pod-template-hash-label",
      ),
      POD,
    ],
    limits: [
      "a Pod that is gone from the API may still run on a node that does not answer",
      "a StatefulSet's Pods below the partition are held back on purpose, and are not old",
    ],
  },
  capacity: {
    rule: {
      proven: [
        "the controller counts at least as many available Pods as spec (for a DaemonSet: the nodes) wants, no autoscaler wishes for more, and the Pods that were read do not show fewer",
      ],
      refuted: [
        "fewer are available, and neither a rollout that is under way nor Pods that start explain it",
        "another number is declared than is expected (--replicas), or the object is being deleted",
      ],
      progressing: [
        "fewer are available, and the rollout is under way, or all that are not only start or wait for a node or a volume",
        "the autoscaler wants more than is asked for so far, or the controller has not processed this generation",
      ],
      undetermined: [
        "no Pod is wanted: 0 of 0 proves nothing, unless --replicas 0 says that none are expected",
        "the autoscaler cannot tell how many it wants, or several scale it",
        "a field that is needed is missing or of another type",
      ],
    },
    restsOn: {
      [TARGET]: OF_THIS_GENERATION,
      Deployment: ["spec.replicas", "status.availableReplicas"],
      StatefulSet: ["spec.replicas", "status.availableReplicas"],
      ReplicaSet: ["spec.replicas", "status.availableReplicas"],
      DaemonSet: ["status.desiredNumberScheduled", "status.numberAvailable"],
      Rollout: ["spec.replicas", "status.availableReplicas"],
      HorizontalPodAutoscaler: ["status.desiredReplicas"],
    },
    lists: [],
    laws: ["O1", "V5", "V8"],
    sources: [
      DEPLOYMENT,
      STATEFUL_SET,
      DAEMON_SET,
      page("Pod lifecycle, Pod readiness", "concepts/workloads/pods/pod-lifecycle/#pod-readiness-status"),
      page("Horizontal Pod autoscaling", "tasks/run-application/horizontal-pod-autoscale/"),
    ],
    limits: [
      "available means ready for minReadySeconds, by probes that the workload itself declares",
      "how much load these Pods can take is not measured",
    ],
  },
  "endpoints-ready": {
    rule: {
      proven: [
        "each Service that selects the Pods has a ready endpoint of a Pod that is there, in an EndpointSlice that this very Service owns; whose they are is said",
        "Ingress, HTTPRoute, GRPCRoute: so has each Service that it names (but for those of weight 0), with the port that is named",
      ],
      refuted: [
        "one of the Services has no ready endpoint, and no rollout is under way that would explain it",
        "a Service that the Ingress or route names is not there, or has no such port",
        "the Service or EndpointSlice is being deleted",
      ],
      progressing: ["one of the Services has no ready endpoint, and the rollout is under way"],
      undetermined: [
        "no Service selects the Pods, none is wanted, or the Service is a name for another host",
        "Services or EndpointSlices were not all listed, or an endpoint does not say whether it is ready or whose it is",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid"],
      Service: ["metadata.uid", "spec.selector", "spec.ports"],
      Ingress: ["spec.defaultBackend.service.name", "spec.rules[].http.paths[].backend.service.name"],
      HTTPRoute: ["spec.rules[].backendRefs[].name"],
      GRPCRoute: ["spec.rules[].backendRefs[].name"],
      EndpointSlice: [
        "metadata.ownerReferences[].uid",
        "endpoints",
        "endpoints[].conditions.ready",
        "endpoints[].targetRef.uid",
      ],
    },
    lists: ["endpointslices"],
    laws: ["O2", "O5", "V5"],
    sources: [
      page("EndpointSlices", "concepts/services-networking/endpoint-slices/"),
      reference("EndpointSlice v1 discovery.k8s.io", "service-resources/endpoint-slice-v1"),
      reference("Service v1", "service-resources/service-v1"),
    ],
    limits: [
      "whether a node's proxy, an Ingress or a Gateway has taken the endpoints up is not looked at",
      "a Service with publishNotReadyAddresses lists Pods as ready whatever their probes say",
    ],
  },
  artifact: {
    rule: {
      proven: [
        "every Pod of the template that runs reports, for each expected container (init containers and sidecars too), an imageID with the expected digest, and neither template nor Pods have a container that nobody expects",
      ],
      refuted: [
        "a container runs another digest, or is one that nobody expects",
        "Pods of one template that names its image by tag run two digests for one container; told also where no digest is expected",
      ],
      progressing: ["a Pod does not report its image yet, and the rollout is under way"],
      undetermined: [
        "no digest is expected (--image), or no Pod of this template runs",
        "a Pod does not report its image, and no rollout is under way",
        "Pods, or ReplicaSets, were not all listed",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid", "spec.selector", "spec.template", "spec.template.spec.containers"],
      ReplicaSet: ["metadata.uid", "metadata.ownerReferences", "spec.template"],
      Pod: [
        "status.containerStatuses",
        "status.containerStatuses[].imageID",
        "status.initContainerStatuses[].imageID",
      ],
    },
    lists: ["pods", "replicasets"],
    laws: ["O2", "V5"],
    sources: [POD, page("Images, image names", "concepts/containers/images/#image-names")],
    limits: [
      "the digest is the one that the container runtime reports; whose build it is, a signature would have to show",
      "a reference by tag fixes no image: the next start may run another one",
      "a runtime may report another digest of the same image on a Node of another architecture",
    ],
  },
  "config-loaded": {
    rule: {
      proven: [
        "every container of this template's Pods that takes something from a ConfigMap or Secret was started after the last write of it: for all deliveries, where the write is not after the Pod's creation; for env and envFrom also where it is more than 5 s before the container's start",
        "or a recorder held the object around that start, all the time at which it may have been read (env: 5 s about the start; files: from the Pod's creation on), and each content that it held has the digests of what is there now; files of a volume: also ever since",
        "or the file that a container has by subPath was read in that very start, and has the digest of its key",
        "where a digest is expected of a ConfigMap, it has that digest, or a recorder held it around that start",
      ],
      refuted: [
        "a recorder held the object around a start, and what is there now has other digests (the process runs stale config): for env, subPath and immutable objects, whose files do not follow",
        "a file in the container was read and has another digest than its key: one by subPath, or one that follows and was read more than two minutes after the last write",
        "a start was given all that a ConfigMap holds, and another digest is expected of it",
        "something is expected of a ConfigMap that no container takes anything from",
      ],
      progressing: [
        "only files of a volume are open, and their object was written less than two minutes ago",
        "the rollout is under way, and only containers that have not started are open",
      ],
      undetermined: [
        "an object may have been written after a start, or was made again: whether its bytes differ is not told by times",
        "the recorder was blind for a time at which it may have been read, and times do not tell either; what was held then and times contradict each other",
        "the files of a volume held something else in between, which the process may have read",
        "a Pod of the same node refers to the object and is older than it: a kubelet may keep an immutable object that is gone",
        "a ConfigMap has another digest than expected, and a start took only some keys of it: whether these were the same then is not told by the digest of the whole",
        "a file of a volume was read and is up to date, and whether the process has read it since is not known",
        "files of a volume should have followed by now, and whether the process has read them since is not known",
        "an object or a key is not there, was not read, or its managedFields do not say when it was written",
        "no container takes anything from a ConfigMap or Secret, or no Pod of this template runs",
        "a field that is needed is missing or of another type; the object has another UID than expected",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid"],
      Deployment: ["spec.template", "spec.selector"],
      ReplicaSet: ["metadata.uid", "metadata.ownerReferences", "spec.template", "spec.selector"],
      Job: ["spec.template", "spec.template.spec"],
      CronJob: ["spec.jobTemplate.spec.template.spec"],
      ...STARTS,
      ConfigMap: [
        "metadata.uid",
        "metadata.resourceVersion",
        "metadata.creationTimestamp",
        "metadata.managedFields[].time",
        "metadata.managedFields[].fieldsV1",
        "data.*",
        "data",
      ],
    },
    lists: ["replicasets", "jobs", "pods"],
    laws: ["C1", "C2", "C3", "C4"],
    sources: [CONFIG_MAPS, MANAGED_FIELDS, POD],
    limits: [
      "what a container was given is told from times, or from what a recorder held; that the process uses it is not",
      "a kubelet that caches objects by time to live (not by watch, its default) may hand out one that is up to a minute older",
    ],
  },
  "config-bound": {
    rule: {
      proven: [
        "every ConfigMap and Secret that the template takes something from is immutable, the running containers were given what it holds (as config-loaded tells it), and it has the digest that is expected, if one is",
        "or it is mutable, and a checksum on the Pod template is the digest of what it holds now, by which the template was made for it",
      ],
      refuted: [
        "a ConfigMap has another digest than expected, or no container takes anything from it",
        "a checksum on the Pod template is a digest of what a recorder held of a ConfigMap before, and it holds something else now",
        "an object or key that the next container needs is not there",
        "an object was made again after a running container took its content from the one before: the next container is given another object",
        "a recorder held the object around a running container's start, and it holds other digests now: the next container is given another content",
      ],
      progressing: [],
      undetermined: [
        "an object is not immutable, and no checksum on the template that can be recomputed ties it: an edit reaches the next container without a rollout",
        "what the running containers were given is not shown",
        "an object was not read, or no container takes anything from one",
        "a field that is needed is missing or of another type; the object has another UID than expected",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid"],
      Deployment: [
        "spec.template",
        "spec.selector",
        "spec.template.spec.containers[].env[].valueFrom.configMapKeyRef.name",
        "spec.template.spec.containers[].envFrom[].configMapRef.name",
        "spec.template.spec.initContainers[].env[].valueFrom.configMapKeyRef.name",
        "spec.template.spec.initContainers[].envFrom[].configMapRef.name",
        "spec.template.spec.volumes[].configMap.name",
        "spec.template.metadata.annotations",
        "spec.template.spec.volumes[].projected.sources[].configMap.name",
      ],
      ReplicaSet: [
        "metadata.uid",
        "metadata.ownerReferences",
        "spec.template",
        "spec.selector",
        "spec.template.spec.containers[].env[].valueFrom.configMapKeyRef.name",
      ],
      Job: [
        "spec.template",
        "spec.template.spec",
        "spec.template.spec.containers[].env[].valueFrom.configMapKeyRef.name",
      ],
      CronJob: [
        "spec.jobTemplate.spec.template.spec",
        "spec.jobTemplate.spec.template.spec.containers[].env[].valueFrom.configMapKeyRef.name",
      ],
      ...STARTS,
      ConfigMap: [
        "metadata.uid",
        "metadata.resourceVersion",
        "metadata.creationTimestamp",
        "metadata.managedFields[].time",
        "metadata.managedFields[].fieldsV1",
        "immutable",
        "data.*",
        "data",
      ],
    },
    lists: ["replicasets", "jobs", "pods"],
    laws: ["C1", "C3", "C4"],
    sources: [CONFIG_MAPS, MANAGED_FIELDS],
    limits: ["what is asked is whether it stays the same, not whether it is right"],
  },
  response: {
    rule: {
      proven: ["every request by the path had a reply, and each is as expected"],
      refuted: ["a reply is not as expected, and no rollout is under way that would explain it"],
      progressing: ["a reply is not as expected, and the rollout is under way"],
      undetermined: [
        "a request had no reply (refused, cut, too late, too large; a certificate that is not trusted, a gRPC reply that is not whole)",
        "no path is named (--via), or nothing was asked by it",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid"],
      Answer: ["status", "headers.*", "body", "bodySha256", "grpc.service", "grpc.code", "grpc.health"],
    },
    lists: [],
    laws: ["O5"],
    sources: [
      {
        title: "RFC 9110: HTTP semantics, status codes",
        url: "https://www.rfc-editor.org/rfc/rfc9110#section-15",
      },
      {
        title: "GRPC health checking protocol",
        url: "https://github.com/grpc/grpc/blob/master/doc/health-checking.md",
      },
      page("Service", "concepts/services-networking/service/"),
    ],
    limits: [
      "a path stands for itself: a Pod for no Service, a Service for no Ingress or Gateway, this machine for nobody else",
      "what a gRPC health service says is the server's own word: no method of the service itself is called",
      "a few requests at one moment say nothing of the next, or of another path, header or body",
    ],
  },
  "answered-by-new-pod": {
    rule: {
      proven: [
        "each reply came from a Pod of the template that is to run: by a path that fixes the Pod, or by the app's own word matched to a UID; a name counts only if the same UID bore it before the request and after",
        "by a log: exactly one Pod wrote the id that this request had, and no other, into its log; all its logs were read, and the same UID bore its name before and after",
        "by a Pod's own port: the same of what each Pod tells at the port and path that --pod names, asked through the API server's proxy",
        "by elimination, for a Service: old-gone is proven (so what it rests on is cited too), and nothing but Pods of the new template stood behind the Service before and after",
      ],
      refuted: ["a reply came from a Pod of another template, and no rollout is under way"],
      progressing: ["a reply came from a Pod of another template, and the rollout is under way"],
      undetermined: [
        "no reply came, or no path is named (--via)",
        "the app does not say which Pod it is (--pod), or names one that is not known as a Pod of this workload",
        "a Pod's name or address was another Pod's before the request, or is now",
        "no Pod, or several, have the request's id in their logs, or a log could not be read (the right to get pods/log)",
        "no Pod, or several, tell the request's id at that port, or one could not be asked there (the right to get pods/proxy)",
        "Pods were not all listed, or which are of this release is not known",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid", "spec.selector", "spec.template"],
      ReplicaSet: ["metadata.uid", "metadata.ownerReferences", "spec.template"],
      Answer: [
        "body",
        "headers.*",
        "requestId",
        "log.unread",
        "log.found",
        "log.found[].uid",
        "log.found[].name",
        "port.unread",
        "port.found",
        "port.found[].uid",
        "port.found[].name",
        "pod.uid",
        "pod.ip",
        "podsBefore",
        "service",
        "endpointsBefore",
      ],
      Pod: ["metadata.uid", "metadata.ownerReferences[].uid", "status.podIP"],
      Service: ["metadata.uid"],
      EndpointSlice: ["endpoints[].targetRef.uid"],
    },
    lists: ["pods", "replicasets", "endpointslices"],
    laws: ["O2", "O5", "C4"],
    sources: [
      OWNERS,
      page("Names and UIDs", "concepts/overview/working-with-objects/names/#uids"),
      reference("EndpointSlice v1 discovery.k8s.io", "service-resources/endpoint-slice-v1"),
    ],
    limits: [
      "what an app says of itself is its own word, matched to a Pod that is there, and no more",
      "requests that others send, by other connections, may reach another Pod",
    ],
  },
  "pod-replaced": {
    rule: {
      proven: [
        "no Pod with a UID that was to go is there any more, the workload has the UID of before, and as many others came: controlled by it through the kind's whole chain, of the template that is to run, Ready, given what their ConfigMaps and Secrets hold now (as config-loaded has it), and, where an answer is expected, with one as expected that is tied to each of them",
      ],
      refuted: [
        "a Pod that was to go is there, and is not being deleted",
        "what came in its place has a trouble that waiting does not end (a crash loop, an image that cannot be pulled)",
        "what came in its place answers otherwise than is expected",
        "it was to be Ready by a time, and is not, or nothing came (asked by drill)",
        "the workload is being deleted",
      ],
      progressing: [
        "the Pod that was to go is terminating",
        "nothing came in its place yet, or it is not Ready yet, and no time is set for it",
        "files of its volumes are still on their way to it",
      ],
      undetermined: [
        "which UID the workload had before is not told (--uid), or it has another one now",
        "as many Pods run as are wanted, and none of them is new: the workload was scaled down",
        "what its config is, or which Pod an answer is from, is not known",
        "the drill that is looked at again expected a reply, and none is asked for now",
        "the lists that tell whose Pods are whose were not read",
      ],
    },
    restsOn: {
      [TARGET]: ["metadata.uid"],
      Deployment: ["spec.template", "spec.selector", "spec.replicas"],
      StatefulSet: [
        "metadata.generation",
        "status.observedGeneration",
        "spec.selector",
        "spec.replicas",
        "status.updateRevision",
      ],
      DaemonSet: [
        "metadata.annotations.deprecated.daemonset.template.generation",
        "spec.selector",
        "status.desiredNumberScheduled",
      ],
      ReplicaSet: ["metadata.uid", "metadata.ownerReferences", "spec.template"],
      Pod: [
        "metadata.uid",
        "metadata.ownerReferences[].uid",
        "metadata.labels.controller-revision-hash",
        "metadata.labels.pod-template-generation",
        "status.conditions[].status",
        "metadata.creationTimestamp",
        "spec.nodeName",
        "status.podIP",
        "status.containerStatuses[].state.running.startedAt",
        "status.initContainerStatuses[].state.running.startedAt",
        "status.initContainerStatuses[].state.terminated.startedAt",
      ],
      ConfigMap: [
        "metadata.uid",
        "metadata.creationTimestamp",
        "metadata.managedFields[].time",
        "metadata.managedFields[].fieldsV1",
      ],
      Answer: ["status", "headers.*", "body", "bodySha256", "podsBefore", "pod.uid", "pod.ip"],
    },
    lists: ["replicasets", "pods"],
    laws: ["C1", "C2", "C4"],
    sources: [
      page("API-initiated eviction", "concepts/scheduling-eviction/api-eviction/"),
      page("Pod lifecycle", "concepts/workloads/pods/pod-lifecycle/"),
      OWNERS,
      POD,
    ],
    limits: [
      "without the UIDs of the Pods that ran beside it (beside, which drill tells) every Pod has to be as the one that came; whether fewer are wanted than before is then not told",
      "one Pod came up right; that each of the others would is not shown by it",
    ],
  },
  "bystanders-unchanged": {
    rule: {
      proven: [
        "each bystander has the UID that it had, and all that it declares but for its own labels and annotations is as in the state before; none of its Pods is gone (by UID), was started again or is less ready",
        "without a state before: each has the UID and the generation that are told of it, and as many ready Pods as are told",
        "and each that is asked for a reply (--bystander-via, or response in a file) answers as expected, now and in the state before",
      ],
      refuted: [
        "one of them is gone, is another object of that name, declares something else, or its Pods are others, were started again or are less ready; the reason tells whether asfound wrote it (changed-by-us), others did (changed-by-others), or nobody's name is kept (changed)",
        "one of them answered as expected before, or was not asked then, and does not now",
      ],
      progressing: [],
      undetermined: [
        "no bystander is named, or the state before holds none (vacuous)",
        "what one of them was is not told: the state before does not have it, or neither UID and generation are told",
        "one of them was not read now, or its Pods were not, before or now",
        "one that is asked for a reply gave none, or it is not shown to be this cluster's, now or before; or it was not as expected before",
        "the state before is of a later time than what is judged",
        "of what differs only digests are kept, and the generations differ",
        "without a state before, a Deployment is at another generation: its annotations count too",
      ],
    },
    restsOn: {
      [BYSTANDER]: ["metadata.uid", "metadata.generation", "spec"],
      Pod: [
        "metadata.uid",
        "metadata.ownerReferences[].uid",
        "metadata.creationTimestamp",
        "status.containerStatuses[].restartCount",
        "status.conditions[].status",
      ],
      Answer: ["status"],
    },
    lists: ["pods", "replicasets"],
    laws: ["V5", "C4", "O2"],
    sources: [
      page("Names and UIDs", "concepts/overview/working-with-objects/names/#uids"),
      MANAGED_FIELDS,
      OWNERS,
    ],
    limits: [
      "a manager's time is that of its last write of anything that it owns; who deleted an object or took a field away is kept nowhere",
      "the Pods of Jobs and CronJobs come and go, and are not compared",
      "what is compared is two moments",
    ],
  },
  absent: {
    rule: {
      proven: [
        "a complete LIST does not have it, or a GET of its name was answered 404",
        "an object of its name is there, and has another UID than the expected one (--uid)",
      ],
      refuted: ["it is there"],
      progressing: [],
      undetermined: ["it was not asked for, or the question had no answer"],
    },
    restsOn: { [TARGET]: ["metadata.uid"] },
    lists: [TARGET],
    laws: ["V5", "C4"],
    sources: [
      page("API concepts, resource URIs", "reference/using-api/api-concepts/#resource-uris"),
      page("Names and UIDs", "concepts/overview/working-with-objects/names/#uids"),
      OWNERS,
    ],
    limits: ["it may be made again at any moment after the reading"],
  },
};
