/** Workloads of which a release was recorded, and what became of them since; with what is true of each by how it was made. */
import fc from "fast-check";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { ExpectedRelease } from "../../src/domain/expected-release.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { statefulFiles } from "../support/kubernetes/others.ts";
import { done } from "../support/kubernetes/rollouts.ts";

/** By what was done since; whether the release still holds: where a literal was recorded as a digest, and where none was. */
export const DEEDS = {
  nothing: { literal: "proven", whole: "proven" },
  "another literal": { literal: "refuted", whole: "refuted" },
  "another image": { literal: "refuted", whole: "refuted" },
  "a literal less": { literal: "refuted", whole: "refuted" },
  "made again": { literal: "refuted", whole: "refuted" },
  /** What held the template is gone: only a record that is whole can be compared. */
  "revision gone": { literal: "undetermined", whole: "proven" },
  "revision made again": { literal: "undetermined", whole: "proven" },
  "revision changed": { literal: "undetermined", whole: "proven" },
} as const;
export type Deed = keyof typeof DEEDS;

export interface Released {
  readonly kind: "Deployment" | "StatefulSet";
  readonly deed: Deed;
  /** A literal of the template stands in the record as a digest. */
  readonly isDigested: boolean;
}

export const released: fc.Arbitrary<Released> = fc.record({
  kind: fc.constantFrom("Deployment", "StatefulSet"),
  deed: fc.constantFrom(...(Object.keys(DEEDS) as Deed[])),
  isDigested: fc.boolean(),
});

const DIGEST = `removed:hmac-sha256:${"a".repeat(64)}`;
const ENV = ["spec", "containers", 0, "env"] as const;
const literals = (value: string): readonly JsonObject[] => [{ name: "MODE", value }];

const NAMES = { Deployment: "web", StatefulSet: "db" } as const;
const FILES = {
  Deployment: worldFiles(done),
  StatefulSet: statefulFiles({ pods: [{ revision: "new", state: "ready" }], replicas: 1, closed: false }),
} as const;

const itemsIn = (kind: Released["kind"], file: string): readonly JsonObject[] =>
  (FILES[kind] as Readonly<Record<string, JsonObject>>)[file]?.["items"] as readonly JsonObject[];

const templateIn = (object: JsonObject): JsonObject =>
  (object["spec"] as JsonObject)["template"] as JsonObject;

const BASE = Object.fromEntries(
  (["Deployment", "StatefulSet"] as const).map((kind) => {
    const [workload] = itemsIn(kind, `${kind.toLowerCase()}s.json`);
    const set = changed(workload as JsonObject, ["spec", "template", ...ENV], [...literals("fast")]);
    return [kind, set];
  }),
) as Readonly<Record<Released["kind"], JsonObject>>;

const revisionOf = (kind: Released["kind"]): JsonObject => {
  if (kind === "Deployment") {
    const [fresh] = itemsIn(kind, "replicasets.json").filter(
      (one) =>
        JSON.stringify(templateIn(one)["spec"]) ===
        JSON.stringify(templateIn(itemsIn(kind, "deployments.json")[0] as JsonObject)["spec"]),
    );
    return changed(fresh as JsonObject, ["spec", "template", ...ENV], [...literals("fast")]);
  }
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: metadata("ControllerRevision", {
      name: "db-new",
      owner: { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid: uidOf("StatefulSet", "db") },
    }),
    revision: 2,
    data: { spec: { template: { $patch: "replace", ...templateIn(BASE[kind]) } } },
  };
};

const HELD = { Deployment: ["spec", "template"], StatefulSet: ["data", "spec", "template"] } as const;

/** As the cluster is now. */
export const nowOf = ({ kind, deed }: Released): Evidence => {
  const workload = ((): JsonObject => {
    const base = BASE[kind];
    if (deed === "another literal") return changed(base, ["spec", "template", ...ENV], [...literals("slow")]);
    if (deed === "a literal less") return changed(base, ["spec", "template", ...ENV], undefined);
    if (deed === "another image")
      return changed(base, ["spec", "template", "spec", "containers", 0, "image"], "other:1");
    return deed === "made again" ? changed(base, ["metadata", "uid"], uidOf(kind, NAMES[kind], 2)) : base;
  })();
  const was = revisionOf(kind);
  const revision =
    deed === "revision made again"
      ? [changed(was, ["metadata", "uid"], uidOf("revision", kind, 2))]
      : deed === "revision changed"
        ? [changed(was, [...HELD[kind], "spec", "containers", 0, "image"], "other:1")]
        : deed === "revision gone"
          ? []
          : [was];
  const file = kind === "Deployment" ? "replicasets.json" : "controllerrevisions.json";
  const others = kind === "Deployment" ? itemsIn(kind, file).filter((one) => uid(one) !== uid(was)) : [];
  return evidenceOf(
    {
      ...FILES[kind],
      [`${kind.toLowerCase()}s.json`]: list([workload]),
      [file]: list([...others, ...revision]),
    },
    READ_AT,
  );
};

const uid = (object: JsonObject): string => String((object["metadata"] as JsonObject)["uid"]);

/** What was recorded. */
export const recordOf = ({ kind, isDigested }: Released): ExpectedRelease => {
  const was = revisionOf(kind);
  const { name } = was["metadata"] as { readonly name: string };
  return {
    text: "release v1 (rel_1)",
    uid: uidOf(kind, NAMES[kind]),
    cluster: { server: null, uid: null },
    template: isDigested
      ? changed(templateIn(BASE[kind]), [...ENV, 0, "value"], DIGEST)
      : templateIn(BASE[kind]),
    removed: new Set(isDigested ? [DIGEST] : []),
    revision: { kind: String(was["kind"]), name, uid: uid(was), number: 2 },
    notCounted: [],
    limits: [],
  };
};

export const asking = (one: Released): Question =>
  about(`${one.kind.toLowerCase()}/${NAMES[one.kind]}`, {
    claims: ["as-released"],
    expected: { release: recordOf(one) },
  });

export const reversed = (evidence: Evidence): Evidence => ({
  ...evidence,
  objects: [...evidence.objects].reverse() as readonly Seen[],
});

export const states = (): readonly (readonly [Evidence, Question])[] =>
  (["Deployment", "StatefulSet"] as const).flatMap((kind) =>
    (Object.keys(DEEDS) as Deed[]).flatMap((deed) =>
      [true, false].map((isDigested) => {
        const one = { kind, deed, isDigested };
        return [nowOf(one), asking(one)] as const;
      }),
    ),
  );
