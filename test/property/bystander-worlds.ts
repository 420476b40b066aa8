/** A namespace before and after a change of web: bystanders of several kinds, and what became of each in between. */
import fc from "fast-check";
import { seenAnswer } from "../../src/domain/answer.ts";
import type { Before, Bystanders } from "../../src/domain/bystander.ts";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { Judgement } from "../../src/domain/finding.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { usualReply } from "../../src/domain/response.ts";
import { type Files, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { at, changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { pod } from "../support/kubernetes/pod.ts";
import { done } from "../support/kubernetes/rollouts.ts";

/** What somebody or something did to one of them. `touched`: the claim has to see it. */
export const DEEDS = {
  nothing: false,
  labelled: false,
  "another status": false,
  "another template": true,
  scaled: true,
  "made again": true,
  deleted: true,
  "a Pod deleted": true,
  "a container restarted": true,
  "not ready": true,
} as const;
export type Deed = keyof typeof DEEDS;

const KINDS = ["Deployment", "StatefulSet", "Pod"] as const;
type Kind = (typeof KINDS)[number];

export interface Other {
  readonly kind: Kind;
  readonly pods: number;
  readonly deed: Deed;
  readonly by: string;
}

export const others = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    pods: fc.integer({ min: 1, max: 3 }),
    deed: fc.constantFrom(...(Object.keys(DEEDS) as Deed[])),
    by: fc.constantFrom("asfound", "kubectl-rollout", "argocd-controller"),
  }),
  { minLength: 1, maxLength: 4 },
);

const BEFORE_AT = 700;
const NOW_AT = 900;

const template = (version: string): JsonObject => ({
  metadata: { labels: { app: "other" } },
  spec: {
    containers: [
      { name: "web", image: `other:${version}`, env: [{ name: "TOKEN", value: "removed:hmac-sha256:aa" }] },
    ],
  },
});

const ownerOf = (kind: string, name: string, life: number) => ({
  apiVersion: "apps/v1",
  kind,
  name,
  uid: uidOf(kind, name, life),
});

interface Made {
  readonly owners: readonly JsonObject[];
  readonly sets: readonly JsonObject[];
  readonly pods: readonly JsonObject[];
}

const writtenBy = (manager: string, fields: JsonObject): JsonObject => ({
  managedFields: [
    {
      manager,
      operation: "Update",
      apiVersion: "apps/v1",
      time: at(800),
      fieldsType: "FieldsV1",
      fieldsV1: fields,
    },
  ],
});

const WROTE: Readonly<Partial<Record<Deed, JsonObject>>> = {
  "another template": { "f:spec": { "f:template": { "f:spec": { "f:containers": {} } } } },
  scaled: { "f:spec": { "f:replicas": {} } },
  "made again": { "f:spec": {} },
};

const one = ({ kind, pods: count, deed, by }: Other, index: number, isAfter: boolean): Made => {
  const what = isAfter ? deed : "nothing";
  const name = `other-${index}`;
  if (what === "deleted") return { owners: [], sets: [], pods: [] };
  const life = what === "made again" ? 2 : 1;
  const version = what === "another template" ? "v2" : "v1";
  const wrote = WROTE[what];
  const more = wrote === undefined ? {} : writtenBy(by, wrote);
  const meta = (labels: JsonObject = {}) => ({
    name,
    life,
    created: life === 1 ? 50 : 800,
    labels: what === "labelled" ? { ...labels, seen: "yes" } : labels,
    more,
  });
  if (kind === "Pod") return { owners: [], sets: [], pods: podOf(what, name, meta(), version) };
  const holder = kind === "Deployment" ? `${name}-set` : name;
  const replicas = what === "scaled" ? count + 1 : count;
  const owner: JsonObject = {
    apiVersion: "apps/v1",
    kind,
    metadata: metadata(kind, { ...meta(), generation: version === "v2" || replicas !== count ? 2 : 1 }),
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(version) },
    status: { observedGeneration: 1, readyReplicas: what === "another status" ? 0 : count },
  };
  const sets: JsonObject[] =
    kind === "Deployment"
      ? [
          {
            apiVersion: "apps/v1",
            kind: "ReplicaSet",
            metadata: metadata("ReplicaSet", {
              name: holder,
              life,
              generation: 1,
              owner: ownerOf(kind, name, life),
            }),
            spec: { replicas, template: template(version) },
            status: {},
          },
        ]
      : [];
  const ofPods = kind === "Deployment" ? ownerOf("ReplicaSet", holder, life) : ownerOf(kind, name, life);
  const pods = Array.from({ length: replicas }, (_, at) => at).flatMap((at) =>
    podOf(
      at === 0 ? what : "nothing",
      `${name}-${at}`,
      { name: `${name}-${at}`, life: at === 0 && what === "a Pod deleted" ? 2 : life, owner: ofPods },
      version,
    ),
  );
  return { owners: [owner], sets, pods };
};

const podOf = (
  what: Deed,
  name: string,
  meta: Parameters<typeof metadata>[1],
  version: string,
): readonly JsonObject[] => {
  const life = what === "a Pod deleted" ? 2 : (meta.life ?? 1);
  const made = pod({
    state: what === "not ready" ? "not-ready" : "ready",
    image: `other:${version}`,
    template: template(what === "scaled" && meta.owner === undefined ? "v3" : version),
    meta: { ...meta, name, life },
  });
  return [
    what === "a container restarted"
      ? changed(made, ["status", "containerStatuses", 0, "restartCount"], 1)
      : made,
  ];
};

const filesOf = (all: readonly Other[], isAfter: boolean): Files => {
  const web = worldFiles(done);
  const made = all.map((other, index) => one(other, index, isAfter));
  const items = (file: string): readonly JsonObject[] =>
    web[file]?.["items"] as unknown as readonly JsonObject[];
  const owners = (kind: Kind) => made.flatMap((each) => each.owners).filter((each) => each["kind"] === kind);
  const none = ["daemonsets", "cronjobs", "jobs"].map((name): [string, JsonObject] => [
    `${name}.json`,
    list([]),
  ]);
  return {
    ...web,
    ...Object.fromEntries(none),
    "deployments.json": list([...items("deployments.json"), ...owners("Deployment")]),
    "statefulsets.json": list(owners("StatefulSet")),
    "replicasets.json": list([...items("replicasets.json"), ...made.flatMap(({ sets }) => sets)]),
    "pods.json": list([...items("pods.json"), ...made.flatMap(({ pods }) => pods)]),
  };
};

/** As `stateBefore` names what it reads. */
const named = (evidence: Evidence): Evidence => {
  const source = <T extends { readonly source: { readonly evidence: string; readonly pointer: string } }>(
    of: T,
  ): T => ({
    ...of,
    source: { ...of.source, evidence: `before/${of.source.evidence}` },
  });
  return { ...evidence, objects: evidence.objects.map(source), asked: evidence.asked.map(source) };
};

export const beforeOf = (all: readonly Other[]): Before => ({
  named: "before",
  server: null,
  evidence: named(evidenceOf(filesOf(all, false), BEFORE_AT)),
  unsteady: [],
});

export const nowOf = (all: readonly Other[]): Evidence => evidenceOf(filesOf(all, true), NOW_AT);

export const asking = (bystanders: Bystanders | null): Question =>
  about("deployment/web", { expected: { bystanders }, claims: ["bystanders-unchanged"] });

/** What came of asking a bystander, before or now. */
export const REPLIES = ["as expected", "otherwise", "no reply", "not asked"] as const;
export type Reply = (typeof REPLIES)[number];

/** The first of the others is asked, by its Service. */
export interface AskedOther {
  readonly before: Reply;
  readonly now: Reply;
  readonly samples: number;
}
export const askedOther: fc.Arbitrary<AskedOther> = fc.record({
  before: fc.constantFrom(...REPLIES),
  now: fc.constantFrom(...REPLIES),
  samples: fc.integer({ min: 1, max: 3 }),
});

const OTHERS: readonly Other[] = [{ kind: "Deployment", pods: 2, deed: "nothing", by: "ci" }];

const answersOf = (reply: Reply, samples: number, place: string): Evidence["objects"] =>
  Array.from({ length: reply === "not asked" ? 0 : samples }, (_, index) => {
    // One of several is otherwise: that is enough.
    const isFirst = index === 0;
    const raw: JsonObject = {
      at: at(1),
      via: "service",
      url: "http://10.0.0.2/",
      through: "api-server",
      grpc: null,
      status: reply === "no reply" && isFirst ? null : reply === "otherwise" && isFirst ? 503 : 200,
      failure: reply === "no reply" && isFirst ? "connection refused" : null,
      of: { kind: "Deployment", namespace: "shop", name: "other-0" },
    };
    return seenAnswer(raw, `number ${index}`, { evidence: `${place}answers.json`, pointer: `/${index}` });
  });

const withAnswers = (evidence: Evidence, answers: Evidence["objects"]): Evidence => ({
  ...evidence,
  objects: [...evidence.objects, ...answers],
});

export const askedWorld = ({ before, now, samples }: AskedOther): readonly [Evidence, Question] => {
  const was = beforeOf(OTHERS);
  const evidence = withAnswers(was.evidence, answersOf(before, samples, "before/"));
  const response = { ...usualReply({ kind: "service", name: null }), samples };
  const replies = [{ kind: "deployment", namespace: null, name: "other-0", response }];
  return [
    withAnswers(nowOf(OTHERS), answersOf(now, samples, "")),
    asking({ named: null, before: { ...was, evidence }, replies }),
  ];
};

/** By what was answered before (across) and now. */
export const ANSWERED: Readonly<Record<Reply, Readonly<Record<Reply, Judgement>>>> = {
  "as expected": {
    "as expected": "proven",
    otherwise: "refuted",
    "no reply": "undetermined",
    "not asked": "undetermined",
  },
  otherwise: {
    "as expected": "undetermined",
    otherwise: "undetermined",
    "no reply": "undetermined",
    "not asked": "undetermined",
  },
  "no reply": {
    "as expected": "undetermined",
    otherwise: "undetermined",
    "no reply": "undetermined",
    "not asked": "undetermined",
  },
  "not asked": {
    "as expected": "proven",
    otherwise: "refuted",
    "no reply": "undetermined",
    "not asked": "undetermined",
  },
};
