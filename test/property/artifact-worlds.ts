/** Pods of one template whose containers, of every role, run drawn images. */
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";

const REPOSITORY = "registry.test/web";
export const DIGEST = { a: `sha256:${"a".repeat(64)}`, b: `sha256:${"b".repeat(64)}` } as const;

const ROLES = ["container", "init", "sidecar"] as const;
type Role = (typeof ROLES)[number];
const REFERENCES = {
  tag: `${REPOSITORY}:v2`,
  none: REPOSITORY,
  fixed: `${REPOSITORY}:v2@${DIGEST.a}`,
} as const;
/** By the runtime's word: of a manifest, of a config alone (an image that was loaded), or nothing yet. */
export const RUNS = {
  a: `${REPOSITORY}@${DIGEST.a}`,
  b: `${REPOSITORY}@${DIGEST.b}`,
  "loaded b": DIGEST.b,
  untold: "",
} as const;

interface Drawn {
  readonly role: Role;
  readonly reference: keyof typeof REFERENCES;
  /** By Pod. */
  readonly runs: readonly (keyof typeof RUNS)[];
  /** null: nobody expects it. */
  readonly expected: "a" | "b" | null;
  readonly injected: boolean;
}

export interface Made {
  readonly pods: number;
  readonly expects: boolean;
  readonly containers: readonly Drawn[];
}

const drawn = (role: Role, pods: number): fc.Arbitrary<Drawn> =>
  fc.record({
    role: fc.constant(role),
    reference: fc.constantFrom(...(Object.keys(REFERENCES) as (keyof typeof REFERENCES)[])),
    runs: fc.array(fc.constantFrom<keyof typeof RUNS>("a", "a", "a", "b", "loaded b", "untold"), {
      minLength: pods,
      maxLength: pods,
    }),
    expected: fc.constantFrom("a", "a", "a", "b", null),
    injected: fc.boolean(),
  });

export const made: fc.Arbitrary<Made> = fc
  .record({
    pods: fc.integer({ min: 1, max: 3 }),
    more: fc.subarray(["init", "sidecar"] as const),
    expects: fc.boolean(),
  })
  .chain(({ pods, more, expects }) =>
    fc
      .tuple(drawn("container", pods), ...more.map((role) => drawn(role, pods)))
      .map((containers) => ({ pods, expects, containers })),
  );

const nameOf = ({ role }: Drawn): string => (role === "container" ? "web" : role);

const specOf = (one: Drawn): JsonObject => ({
  name: nameOf(one),
  image: REFERENCES[one.reference],
  ...(one.role === "sidecar" ? { restartPolicy: "Always" } : {}),
});

/** With these containers in it, whatever was there. */
const withContainers = (spec: JsonObject, all: readonly Drawn[]): JsonObject => ({
  ...spec,
  containers: all.filter(({ role }) => role === "container").map(specOf),
  initContainers: all.filter(({ role }) => role !== "container").map(specOf),
});

export const member = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  return isJsonObject(value) ? value : {};
};

const templated = (object: JsonObject, all: readonly Drawn[]): JsonObject => {
  const spec = member(object, "spec");
  const template = member(spec, "template");
  return {
    ...object,
    spec: { ...spec, template: { ...template, spec: withContainers(member(template, "spec"), all) } },
  };
};

const podWith = (pod: JsonObject, at: number, all: readonly Drawn[]): JsonObject => {
  const status = member(pod, "status");
  const [first] = Array.isArray(status["containerStatuses"])
    ? (status["containerStatuses"] as readonly JsonValue[])
    : [];
  const told = (one: Drawn): JsonObject => ({
    ...(isJsonObject(first) ? first : {}),
    name: nameOf(one),
    image: REFERENCES[one.reference],
    imageID: RUNS[one.runs[at] ?? "untold"],
  });
  return {
    ...pod,
    spec: withContainers(member(pod, "spec"), all),
    status: {
      ...status,
      containerStatuses: all.filter(({ role }) => role === "container").map(told),
      initContainerStatuses: all.filter(({ role }) => role !== "container").map(told),
    },
  };
};

const each = (files: Files, name: string, change: (one: JsonObject, at: number) => JsonObject): Files => {
  const file = files[name];
  const items =
    isJsonObject(file) && Array.isArray(file["items"]) ? (file["items"] as readonly JsonObject[]) : [];
  return { ...files, [name]: { ...(isJsonObject(file) ? file : {}), items: items.map(change) } };
};

const filesOf = ({ pods, containers }: Made): Files => {
  const base = worldFiles({
    replicas: pods,
    fresh: { version: "v2", pods: Array.from({ length: pods }, () => "ready" as const) },
  });
  const withSets = each(base, "replicasets.json", (one) => templated(one, containers));
  const withTarget = each(withSets, "deployments.json", (one) => templated(one, containers));
  return each(withTarget, "pods.json", (one, at) => podWith(one, at, containers));
};

export const worldOf = (it_: Made) => {
  const { expects, containers } = it_;
  const images = new Map(
    containers.flatMap((one) =>
      one.expected === null ? [] : [[nameOf(one), DIGEST[one.expected]] as const],
    ),
  );
  const injected = containers.filter(({ injected }) => injected).map(nameOf);
  const question = about("deployment/web", expects ? { expected: { images, injected } } : {});
  return [evidenceOf(filesOf(it_), READ_AT), question] as const;
};
