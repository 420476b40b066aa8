/**
 * A ConfigMap's life and one container's, drawn as a timeline: who wrote what and when, and what the kubelet handed out.
 * Objects are made from it by the API server's rules (managedFields), and what was really given is known from it alone.
 */
import fc from "fast-check";
import { configDigest, keyDigests } from "../../src/domain/config-digest.ts";
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { at, changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";

/** Seconds, as in the other fixtures: Pods are made at 600, and all is read at 700. */
export const POD_MADE = 600;
const ELDER_MADE = 300;

const DELIVERIES = ["env", "envFrom", "volume", "projected", "subPath"] as const;
const ROLES = ["app", "init", "sidecar"] as const;

interface Change {
  readonly at: number;
  readonly what: "KEY" | "OTHER" | "label";
  readonly value: string;
  readonly manager: string;
}

export interface Life {
  readonly delivery: (typeof DELIVERIES)[number];
  readonly role: (typeof ROLES)[number];
  readonly made: number;
  readonly changes: readonly Change[];
  /** Deleted, and made again with this value; null: never. */
  readonly madeAgain: { readonly at: number; readonly value: string } | null;
  readonly immutable: boolean;
  /** Another Pod of the same node has referred to the object since long before. */
  readonly elder: boolean;
  /** When its container was started last, by a true clock; and how far the node's clock is off. */
  readonly started: number;
  readonly skew: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.integer({ min: 500, max: 695 }),
  what: fc.constantFrom("KEY", "KEY", "OTHER", "label"),
  value: fc.constantFrom("a", "b", "c"),
  manager: fc.constantFrom("kubectl", "ci"),
});

export const life: fc.Arbitrary<Life> = fc
  .record({
    delivery: fc.constantFrom(...DELIVERIES),
    role: fc.constantFrom(...ROLES),
    made: fc.integer({ min: 400, max: POD_MADE }),
    changes: fc.array(change, { maxLength: 4 }),
    madeAgain: fc.option(
      fc.record({ at: fc.integer({ min: 500, max: 695 }), value: fc.constantFrom("a", "b") }),
      {
        freq: 4,
      },
    ),
    immutable: fc.boolean(),
    elder: fc.boolean(),
    started: fc.oneof(fc.constant(POD_MADE + 3), fc.integer({ min: POD_MADE + 3, max: 690 })),
    skew: fc.integer({ min: -4, max: 4 }),
  })
  .map((drawn) => ({
    ...drawn,
    // Nobody can edit what is immutable.
    changes: drawn.immutable ? [] : [...drawn.changes].sort((a, b) => a.at - b.at),
  }));

interface Entry {
  readonly manager: string;
  time: number;
  readonly owns: Set<string>;
}

interface State {
  /** How often it was written: every write makes another one. */
  readonly version: number;
  readonly data: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
  readonly made: number;
  readonly incarnation: number;
}

const FIRST: Readonly<Record<string, string>> = { KEY: "a", OTHER: "x" };
const FIELD = { KEY: "data/KEY", OTHER: "data/OTHER", label: "label" } as const;

const born = (made: number, value: string, incarnation: number): State => ({
  version: incarnation * 1_000,
  data: { ...FIRST, KEY: value },
  entries: [{ manager: "kubectl", time: made, owns: new Set([FIELD.KEY, FIELD.OTHER]) }],
  made,
  incarnation,
});

/** A write that changes nothing moves no time; who changes a field owns it from then on, and the others lose it silently. */
const written = (state: State, { at: time, what, value, manager }: Change): State => {
  const name = what === "label" ? "label" : what;
  if (state.data[name] === value) return state;
  const owner = state.entries.find((one) => one.manager === manager);
  const others = state.entries
    .filter((one) => one !== owner)
    .map((one) => ({ ...one, owns: new Set([...one.owns].filter((field) => field !== FIELD[what])) }))
    .filter(({ owns }) => owns.size > 0);
  const own = { manager, time, owns: new Set([...(owner?.owns ?? []), FIELD[what]]) };
  const data = { ...state.data, [name]: value };
  return { ...state, version: state.version + 1, data, entries: [...others, own] };
};

/** What a recorder that looks at every second held of it while it was not blind. */
export const recordsOf = (drawn: Life, sees: (second: number) => boolean): readonly JsonObject[] => {
  const records: { state: State; from: number; to: number }[] = [];
  for (let second = drawn.made; second <= READ_AT; second += 1) {
    const state = sees(second) ? stateAt(drawn, second) : null;
    const last = records.at(-1);
    if (state === null) continue;
    // It learns of a write as it happens, so that nothing is between two records unless it was blind.
    const isNext = last !== undefined && last.to === second - 1;
    if (isNext && last.state.version === state.version) last.to = second;
    else {
      if (isNext && last.state.incarnation === state.incarnation) last.to = second;
      records.push({ state, from: second, to: second });
    }
  }
  return records.map(({ state, from, to }) => ({
    kind: "ConfigMap",
    namespace: "shop",
    name: "settings",
    uid: uidOf("ConfigMap", "settings", state.incarnation),
    resourceVersion: String(state.version),
    immutable: drawn.immutable,
    sha256: String(configDigest({ data: dataOf(state) })),
    keys: Object.fromEntries(keyDigests({ data: dataOf(state) }) ?? []),
    from: at(from),
    to: at(to),
  }));
};

/** The object after all that happened until then, the second itself included. */
const stateAt = (drawn: Life, until: number): State | null => {
  if (drawn.made > until) return null;
  const again = drawn.madeAgain;
  let state = born(drawn.made, "a", 1);
  for (const one of drawn.changes) {
    if (one.at > until) break;
    if (again !== null && again.at <= one.at && state.incarnation === 1)
      state = born(again.at, again.value, 2);
    if (one.at >= state.made) state = written(state, one);
  }
  return again !== null && again.at <= until && state.incarnation === 1
    ? born(again.at, again.value, 2)
    : state;
};

/** What the object held then; null: there was none. */
export const dataAt = (drawn: Life, second: number): JsonObject | null => {
  const state = stateAt(drawn, second);
  return state === null ? null : dataOf(state);
};

const dataOf = ({ data }: State): JsonObject => ({ KEY: String(data["KEY"]), OTHER: String(data["OTHER"]) });

/** When the kubelet may have read what it gave, by a true clock; the seconds at both ends too. */
export const readBetween = ({ delivery, started }: Life): readonly [number, number] => [
  delivery === "env" || delivery === "envFrom" ? started : POD_MADE,
  started,
];

/** Everything that it may have been given, by who knows all of it: at each second, and what its node may have kept. */
export const givenTo = (drawn: Life): readonly (JsonObject | null)[] => {
  const [from, to] = readBetween(drawn);
  const seen = Array.from({ length: to - from + 1 }, (_, at) => dataAt(drawn, from + at));
  return mayKeepFirst(drawn) ? [...seen, dataOf(born(drawn.made, "a", 1))] : seen;
};

/** What the object held at each second since that start. */
export const heldSince = (drawn: Life): readonly (JsonObject | null)[] =>
  Array.from({ length: READ_AT - drawn.started + 1 }, (_, at) => dataAt(drawn, drawn.started + at));

/** The keys that it takes. */
export const keysTaken = ({ delivery }: Life): readonly string[] =>
  delivery === "env" || delivery === "subPath" ? ["KEY"] : ["KEY", "OTHER"];

const contentOf = ({ data }: State, delivery: Life["delivery"]): string =>
  delivery === "env" || delivery === "subPath" ? String(data["KEY"]) : `${data["KEY"]} ${data["OTHER"]}`;

/**
 * Whether the kubelet may have handed out the first object although the second was there: it keeps an immutable one as long
 * as a Pod of its node refers to it.
 */
const mayKeepFirst = ({ madeAgain, made, immutable, elder, started }: Life): boolean =>
  immutable &&
  madeAgain !== null &&
  madeAgain.at <= started &&
  ((elder && made <= madeAgain.at) || madeAgain.at > POD_MADE);

/** Whether the container was given what the object holds now, whenever the kubelet may have read it. */
export const isSame = (drawn: Life): boolean => {
  const now = stateAt(drawn, READ_AT);
  if (now === null) return false;
  const from = drawn.delivery === "env" || drawn.delivery === "envFrom" ? drawn.started : POD_MADE;
  const first = born(drawn.made, "a", 1);
  if (mayKeepFirst(drawn) && contentOf(first, drawn.delivery) !== contentOf(now, drawn.delivery))
    return false;
  for (let second = from; second <= drawn.started; second += 1) {
    const then = stateAt(drawn, second);
    if (then === null || contentOf(then, drawn.delivery) !== contentOf(now, drawn.delivery)) return false;
  }
  return true;
};

/** Whether its content was written, or the object made again, after that start. */
export const isWrittenSince = (drawn: Life): boolean => {
  const now = stateAt(drawn, READ_AT);
  for (let second = drawn.started; second < READ_AT; second += 1) {
    const [before, after] = [stateAt(drawn, second), stateAt(drawn, second + 1)];
    if (before === null || after === null || now === null) continue;
    if (before.incarnation !== after.incarnation) return true;
    if (contentOf(before, drawn.delivery) !== contentOf(after, drawn.delivery)) return true;
  }
  return false;
};

/** A Pod of the node that refers to the object is older than what has its name now. */
export const isKept = (drawn: Life): boolean => {
  const made = stateAt(drawn, READ_AT)?.made;
  return made !== undefined && (made > POD_MADE || (drawn.elder && made > ELDER_MADE));
};

/** The time of the last write of anything of it. */
export const lastTouched = (drawn: Life): number =>
  Math.max(...(stateAt(drawn, READ_AT)?.entries.map(({ time }) => time) ?? [Number.POSITIVE_INFINITY]));

const configMap = (drawn: Life, state: State): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadata("ConfigMap", {
    name: "settings",
    life: state.incarnation,
    created: state.made,
    more: { managedFields: state.entries.map(managed), resourceVersion: String(state.version) },
  }),
  ...(drawn.immutable ? { immutable: true } : {}),
  data: dataOf(state),
});

const managed = ({ manager, time, owns }: Entry): JsonObject => {
  const keys = [...owns].filter((field) => field.startsWith("data/")).map((field) => `f:${field.slice(5)}`);
  const data =
    keys.length === 0 ? {} : { "f:data": Object.fromEntries([".", ...keys].map((key) => [key, {}])) };
  const labels = owns.has("label") ? { "f:metadata": { "f:labels": { "f:tier": {} } } } : {};
  return {
    manager,
    operation: "Update",
    apiVersion: "v1",
    time: at(time),
    fieldsType: "FieldsV1",
    fieldsV1: { ...data, ...labels },
  };
};

const consuming = (drawn: Life): { readonly container: JsonObject; readonly volumes: JsonValue[] } => {
  const mount = { name: "config", mountPath: "/etc/app" };
  const volume = { name: "config", configMap: { name: "settings", defaultMode: 420 } };
  switch (drawn.delivery) {
    case "env":
      return {
        container: {
          env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "KEY" } } }],
        },
        volumes: [],
      };
    case "envFrom":
      return { container: { envFrom: [{ configMapRef: { name: "settings" } }] }, volumes: [] };
    case "volume":
      return { container: { volumeMounts: [mount] }, volumes: [volume] };
    case "projected":
      return {
        container: { volumeMounts: [mount] },
        volumes: [{ name: "config", projected: { sources: [{ configMap: { name: "settings" } }] } }],
      };
    case "subPath":
      return { container: { volumeMounts: [{ ...mount, subPath: "KEY" }] }, volumes: [volume] };
  }
};

const podSpec = (drawn: Life, spec: JsonObject): JsonObject => {
  const { container, volumes } = consuming(drawn);
  const [own] = spec["containers"] as readonly JsonObject[];
  const its =
    drawn.role === "app"
      ? { containers: [{ ...own, ...container }] }
      : {
          containers: [{ ...own }],
          initContainers: [
            {
              name: "first",
              image: "first:1",
              ...container,
              ...(drawn.role === "sidecar" ? { restartPolicy: "Always" } : {}),
            },
          ],
        };
  return { ...spec, ...its, volumes };
};

/** A Pod of its own, on the one node. */
const ELDER: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: metadata("Pod", { name: "elder", created: ELDER_MADE }),
  spec: {
    nodeName: "node0",
    containers: [{ name: "elder", image: "elder:1", envFrom: [{ configMapRef: { name: "settings" } }] }],
  },
  status: { phase: "Running", containerStatuses: [] },
};

/** A finished rollout whose one container, or init container, takes the ConfigMap. */
export const worldOf = (drawn: Life): Evidence => {
  const files = worldFiles(done);
  const started = at(drawn.started + drawn.skew);
  const inTemplate = (object: JsonObject): JsonObject => {
    const template = (object["spec"] as JsonObject)["template"] as JsonObject;
    return changed(object, ["spec", "template", "spec"], podSpec(drawn, template["spec"] as JsonObject));
  };
  const inPod = (pod: JsonObject): JsonObject => {
    const isOld = JSON.stringify(pod).includes("web:v1");
    if (isOld) return pod;
    const withSpec = { ...pod, spec: podSpec(drawn, pod["spec"] as JsonObject) };
    const status = pod["status"] as JsonObject;
    const [own] = status["containerStatuses"] as readonly JsonObject[];
    const state =
      drawn.role === "init"
        ? { terminated: { exitCode: 0, startedAt: started } }
        : { running: { startedAt: started } };
    const statuses =
      drawn.role === "app"
        ? { containerStatuses: [{ ...own, state }] }
        : { initContainerStatuses: [{ ...own, name: "first", state }] };
    return { ...withSpec, status: { ...status, ...statuses } };
  };
  const items = (name: string): readonly JsonObject[] =>
    (files[name] as JsonObject)["items"] as readonly JsonObject[];
  const state = stateAt(drawn, READ_AT);
  return evidenceOf(
    {
      ...files,
      "deployments.json": list(items("deployments.json").map(inTemplate)),
      "replicasets.json": list(
        items("replicasets.json").map((set) =>
          JSON.stringify(set).includes("web:v1") ? set : inTemplate(set),
        ),
      ),
      "pods.json": list([...items("pods.json").map(inPod), ...(drawn.elder ? [ELDER] : [])]),
      "configmaps.json": list(state === null ? [] : [configMap(drawn, state)]),
    },
    READ_AT,
  );
};
