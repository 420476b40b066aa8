/** The states that are compared. What is true of each follows from what is done to it, and is written down before anybody is asked. */
import { appReference, deployment, service } from "../../test/e2e/app.ts";

export interface State {
  readonly name: string;
  readonly truth: string;
  readonly target: string;
  /** Applied first, and rolled out before the next. */
  readonly before: readonly object[];
  /** What is then applied, while all are asked. */
  readonly after: readonly object[];
  /** asfound's exit code, from the truth. */
  readonly exit: 0 | 10 | 20 | 30;
}

// biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
type Manifest = any;

interface Change {
  readonly env?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly pod?: object;
  readonly container?: object;
}

const web = (tag: string, { env = {}, spec, pod, container }: Change = {}): Manifest => {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const manifest: Manifest = deployment("web", { image: appReference(tag), env: variables });
  Object.assign(manifest.spec, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }, spec);
  Object.assign(manifest.spec.template.spec, pod);
  Object.assign(manifest.spec.template.spec.containers[0], container);
  return manifest;
};

const another = (kind: string, tag: string, spec: object): Manifest => {
  const { metadata, spec: its } = web(tag);
  return {
    apiVersion: "apps/v1",
    kind,
    metadata,
    spec: { selector: its.selector, template: its.template, ...spec },
  };
};

const rollout = (
  name: string,
  truth: string,
  exit: State["exit"],
  after: Manifest,
  before: Manifest = web(":1.0.0"),
): State => ({
  name,
  truth,
  exit,
  target: `${String(after.kind).toLowerCase()}/web`,
  before: [before, service("web")],
  after: [after, service("web")],
});

const slowToEnd: Change = { env: { SHUTDOWN_MS: "90000" }, pod: { terminationGracePeriodSeconds: 120 } };
const partitioned = (tag: string, partition: number): Manifest =>
  another("StatefulSet", tag, {
    serviceName: "web",
    replicas: 2,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } },
  });
const onDelete = (tag: string): Manifest =>
  another("DaemonSet", tag, { updateStrategy: { type: "OnDelete" } });

const recreated = (tag: string): Manifest =>
  web(tag, { ...slowToEnd, spec: { strategy: { type: "Recreate" } } });
const oneByOne = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
const quota = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "few" },
  spec: { hard: { pods: "2" } },
};
const limitRange = {
  apiVersion: "v1",
  kind: "LimitRange",
  metadata: { name: "small" },
  spec: { limits: [{ type: "Container", max: { memory: "64Mi" }, default: { memory: "64Mi" } }] },
};

const failingJob = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "web" },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "app", image: appReference(":1.0.0"), args: ["exit", "4"] }],
      },
    },
  },
};

export const STATES: readonly State[] = [
  rollout("good rollout", "two new Pods serve, the old ones are gone", 0, web(":2.0.0")),
  rollout(
    "readiness fails",
    "the new Pod answers its probe with 503, two old Pods serve, the deadline is far",
    30,
    web(":2.0.0", { env: { READY: "false" } }),
  ),
  rollout(
    "crash loop",
    "the new Pod ends with 3 again and again, two old Pods serve",
    10,
    web(":2.0.0", { env: { EXIT_AFTER_MS: "50", EXIT_CODE: "3" } }),
  ),
  rollout("no such image", "the registry has no such tag, two old Pods serve", 10, web(":9.9.9")),
  rollout(
    "paused",
    "the new template waits, and no controller acts on it",
    10,
    web(":2.0.0", { spec: { paused: true } }),
  ),
  rollout(
    "deadline exceeded",
    "no progress within the declared 3 s, two old Pods serve",
    10,
    web(":2.0.0", { env: { READY: "false" }, spec: { progressDeadlineSeconds: 3 } }),
  ),
  rollout(
    "old Pods still end",
    "two new Pods serve, and old ones still run their last 90 s",
    30,
    web(":2.0.0", slowToEnd),
    web(":1.0.0", slowToEnd),
  ),
  rollout(
    "zero replicas",
    "no Pod is wanted and none is there: nothing shows that the release runs",
    20,
    web(":2.0.0", { spec: { replicas: 0 } }),
    web(":1.0.0", { spec: { replicas: 0 } }),
  ),
  rollout(
    "partitioned StatefulSet",
    "one Pod is new, as the partition declares; the other is held back",
    0,
    partitioned(":2.0.0", 1),
    partitioned(":1.0.0", 0),
  ),
  rollout(
    "OnDelete DaemonSet",
    "the old Pod runs, and nothing will replace it",
    10,
    onDelete(":2.0.0"),
    onDelete(":1.0.0"),
  ),
  rollout(
    "Recreate in mid-way",
    "the old Pods run their last 90 s, and no new one is begun before they are gone: nobody serves",
    30,
    recreated(":2.0.0"),
    recreated(":1.0.0"),
  ),
  rollout(
    "half replaced",
    "one of two Pods is new and ready; the other is old and serves, until the new one has been ready for eight minutes",
    30,
    web(":2.0.0", { spec: { ...oneByOne, minReadySeconds: 500 } }),
    web(":1.0.0", { spec: oneByOne }),
  ),
  rollout(
    "asked while it starts",
    "the new Pod needs a minute before it listens, two old Pods serve",
    30,
    web(":2.0.0", { env: { STARTUP_MS: "60000" }, container: { livenessProbe: null } }),
  ),
  rollout(
    "unschedulable",
    "the new Pod asks for more CPU than any node has, two old Pods serve; a node may still come",
    30,
    web(":2.0.0", { container: { resources: { requests: { cpu: "900" } } } }),
  ),
  {
    ...rollout("quota", "the quota has no room for the new Pod, two old Pods serve", 10, web(":2.0.0")),
    after: [quota, web(":2.0.0"), service("web")],
  },
  {
    ...rollout(
      "LimitRange",
      "the new Pod's limit is above what the LimitRange allows, two old Pods serve",
      10,
      web(":2.0.0"),
    ),
    after: [
      limitRange,
      web(":2.0.0", { container: { resources: { limits: { memory: "128Mi" } } } }),
      service("web"),
    ],
  },
  {
    name: "Service without Pods",
    truth: "its selector matches nothing, no request can be served",
    target: "service/web",
    before: [],
    after: [service("web")],
    exit: 10,
  },
  {
    name: "Job failed",
    truth: "its only Pod ended with 4, and its backoff limit is 0",
    target: "job/web",
    before: [],
    after: [failingJob],
    exit: 10,
  },
];
