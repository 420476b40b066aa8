/**
 * The preflight over drawn targets: C5, that no rollback is allowed once anything that the target's containers take was
 * dropped, changed or made again; V1, that a check which is proven is not without any one field that it cites; V2.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { Release } from "../../src/domain/release.ts";
import type { Digests } from "../../src/judge/preflight/given.ts";
import {
  digestsWith,
  type RollbackPlan,
  rollbackPlanOf,
  rollbackQuestion,
} from "../../src/runtime/rollback-plan.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { list } from "../support/kubernetes/object.ts";
import {
  configMap,
  recorded,
  releaseOfV1,
  rollbackFiles,
  withItems,
} from "../support/kubernetes/rollback.ts";
import * as laws from "./judge-laws.ts";

const DELIVERIES = ["env", "envFrom", "volume", "items", "projected", "subPath"] as const;
const ROLES = ["app", "init", "sidecar"] as const;

interface Taken {
  readonly name: string;
  readonly delivery: (typeof DELIVERIES)[number];
  readonly role: (typeof ROLES)[number];
  readonly key: "one" | "two";
  readonly immutable: boolean;
  readonly binary: boolean;
}

interface Drawn {
  readonly taken: readonly Taken[];
  readonly spoilt: {
    readonly which: number;
    readonly how: "drop" | "drop-key" | "change-key" | "newline" | "make-again";
  };
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  taken: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom("a", "b", "c"),
      delivery: fc.constantFrom(...DELIVERIES),
      role: fc.constantFrom(...ROLES),
      key: fc.constantFrom("one", "two"),
      immutable: fc.boolean(),
      binary: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  ),
  spoilt: fc.record({
    which: fc.nat(2),
    how: fc.constantFrom("drop", "drop-key", "change-key", "newline", "make-again"),
  }),
});

const DATA = { one: "1\n", two: "2\n" };

const consuming = ({
  name,
  delivery,
  key,
}: Taken): { readonly container: JsonObject; readonly volume: JsonObject | null } => {
  const mount = { name: `v-${name}`, mountPath: `/etc/${name}` };
  const volume = (source: JsonObject): JsonObject => ({ name: `v-${name}`, ...source });
  switch (delivery) {
    case "env":
      return {
        container: { env: [{ name: "V", valueFrom: { configMapKeyRef: { name, key } } }] },
        volume: null,
      };
    case "envFrom":
      return { container: { envFrom: [{ configMapRef: { name } }] }, volume: null };
    case "volume":
      return { container: { volumeMounts: [mount] }, volume: volume({ configMap: { name } }) };
    case "items":
      return {
        container: { volumeMounts: [mount] },
        volume: volume({ configMap: { name, items: [{ key, path: "it" }] } }),
      };
    case "projected":
      return {
        container: { volumeMounts: [mount] },
        volume: volume({ projected: { sources: [{ configMap: { name } }] } }),
      };
    case "subPath":
      return {
        container: { volumeMounts: [{ ...mount, subPath: key }] },
        volume: volume({ configMap: { name } }),
      };
  }
};

const templateOf = ({ taken }: Drawn): JsonObject => {
  const made = taken.map((one) => ({ one, ...consuming(one) }));
  const container = ({ one, container: its }: (typeof made)[number]): JsonObject => ({
    name: `c-${one.name}`,
    image: "web:v1",
    ...its,
    ...(one.role === "sidecar" ? { restartPolicy: "Always" } : {}),
  });
  return {
    metadata: { labels: { app: "web" } },
    spec: {
      containers: [
        { name: "web", image: "web:v1" },
        ...made.filter(({ one }) => one.role === "app").map(container),
      ],
      initContainers: made.filter(({ one }) => one.role !== "app").map(container),
      volumes: made.flatMap(({ volume }) => (volume === null ? [] : [volume])),
    },
  };
};

const releaseFor = (all: Drawn): Release => {
  const template = templateOf(all);
  return releaseOfV1({
    template,
    templateDigest: String(digestsWith(null).template(template)),
    config: all.taken.map((one) => ({ ...recorded(one.name, DATA), immutable: one.immutable })),
  });
};

/** As binaryData where it was drawn so: the digest is of the bytes. */
const object = (one: Taken, data: Readonly<Record<string, string>>, life = 1): JsonObject => {
  const made = configMap(one.name, data, { immutable: one.immutable, life });
  if (!one.binary) return made;
  const { data: _, ...others } = made;
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return { ...others, binaryData: Object.fromEntries(encoded) };
};

/** The keys of which the containers are given something. */
const takes = ({ delivery, key }: Taken): readonly string[] =>
  delivery === "env" || delivery === "items" || delivery === "subPath" ? [key] : ["one", "two"];

const spoiltOf = (one: Taken, how: Drawn["spoilt"]["how"]): readonly JsonObject[] => {
  const [key = "one"] = takes(one);
  const { [key as "one"]: value, ...others } = DATA;
  switch (how) {
    case "drop":
      return [];
    case "drop-key":
      return [object(one, others)];
    case "change-key":
      return [object(one, { ...DATA, [key]: `${value}x` })];
    case "newline":
      return [object(one, { ...DATA, [key]: value.trimEnd() })];
    case "make-again":
      return [object(one, DATA, 2)];
  }
};

const worldOf = (all: Drawn, isSpoilt: boolean): Evidence => {
  const which = all.spoilt.which % all.taken.length;
  const maps = all.taken.flatMap((one, at) =>
    isSpoilt && at === which ? spoiltOf(one, all.spoilt.how) : [object(one, DATA)],
  );
  const files = { ...rollbackFiles(), "configmaps.json": list(maps) };
  // No ReplicaSet keeps it any more: the release alone has the template.
  return evidenceOf(
    withItems(files, "replicasets.json", (items) => items.slice(1)),
    READ_AT,
  );
};

type Plan = (evidence: Evidence, all: Drawn) => RollbackPlan;

const planWith =
  (
    digests: (all: Drawn) => Digests = () => digestsWith(null),
    change: (release: Release) => Release = (one) => one,
  ): Plan =>
  (evidence, all) =>
    rollbackPlanOf(
      { evidence, from: evidence.at, to: evidence.at, meant: null, server: null },
      rollbackQuestion({ kind: "deployment", namespace: "shop", name: "web" }),
      { kind: "release", release: change(releaseFor(all)) },
      digests(all),
      { restoreConfig: false, accepted: new Set() },
    );
const plan = planWith();

/** Sentences about what is not so; empty: C5 holds for this. */
const untrue = (planIt: Plan, all: Drawn): readonly string[] => {
  const whole = planIt(worldOf(all, false), all);
  const spoilt = planIt(worldOf(all, true), all);
  return [
    ...(whole.decision === "proven"
      ? []
      : [`nothing was touched, and it is ${whole.decision}: ${whole.statement}`]),
    ...(spoilt.decision === "proven" ? [`${all.spoilt.how} is allowed`] : []),
    ...(spoilt.decision === "refuted" ? [] : [`${all.spoilt.how} is not refuted, but ${spoilt.decision}`]),
  ];
};

describe("C5", () => {
  it("whatever was dropped, changed or made again of what the target takes: refused; and else allowed", () =>
    fc.assert(
      fc.property(drawn, (all) => {
        expect(untrue(plan, all)).toEqual([]);
      }),
      { numRuns: 1_500 },
    ));

  it("V1: a proven check is not proven without any one field that it cites", () =>
    fc.assert(
      fc.property(drawn, (all) => {
        const evidence = worldOf(all, false);
        const broken = laws.brokenBy((law) => {
          for (const check of plan(evidence, all).checks) {
            if (check.finding !== "proven") continue;
            for (const cited of check.evidence) {
              if (cited.evidence.startsWith("release ")) continue;
              const left = plan(
                laws.without(law, evidence, cited, () => undefined),
                all,
              );
              const same = left.checks.find((one) => one.check === check.check);
              law(
                "V1",
                same?.finding !== "proven",
                `${check.check} stays proven without ${cited.evidence}#${cited.pointer}`,
              );
            }
          }
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 40 },
    ));

  it("V2: in any order the same", () =>
    fc.assert(
      fc.property(drawn, fc.boolean(), (all, isSpoilt) => {
        const evidence = worldOf(all, isSpoilt);
        const turned = {
          ...evidence,
          objects: [...evidence.objects].reverse(),
          asked: [...evidence.asked].reverse(),
        };
        expect(plan(turned, all).checks).toEqual(plan(evidence, all).checks);
      }),
      { numRuns: 200 },
    ));
});

/** A judge that is wrong in one place. */
const named = (release: Release, name: string) => release.config.find((one) => one.name === name);

const seeing =
  (change: (seen: Seen, all: Drawn) => JsonValue): Plan =>
  (evidence, all) =>
    plan(
      {
        ...evidence,
        objects: evidence.objects.map((seen) => {
          if (seen.kind !== "ConfigMap") return seen;
          const raw = change(seen, all) as JsonObject;
          const uid = (raw["metadata"] as JsonObject)["uid"];
          return { ...seen, raw, uid: String(uid) };
        }),
      },
      all,
    );

const MUTANTS: Readonly<Record<string, Plan>> = {
  "a name is taken for its content": planWith((all) => ({
    ...digestsWith(null),
    config: ({ name }) => named(releaseFor(all), name) ?? null,
  })),
  "line ends are not counted": planWith(() => ({
    ...digestsWith(null),
    config: (seen) => {
      const data = seen.raw["data"] as Readonly<Record<string, string>> | undefined;
      if (data === undefined) return digestsWith(null).config(seen);
      const trimmed = Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, `${value.trimEnd()}\n`]),
      );
      return digestsWith(null).config({ ...seen, raw: { ...seen.raw, data: trimmed } });
    },
  })),
  "C4: a name is taken for an identity": seeing(({ raw, name }, all) => ({
    ...raw,
    metadata: { ...(raw["metadata"] as JsonObject), uid: String(named(releaseFor(all), name)?.uid) },
  })),
  "init containers are not looked at": planWith(undefined, (release) => {
    const spec = release.template["spec"] as JsonObject;
    const template = { ...release.template, spec: { ...spec, initContainers: [] } };
    return { ...release, template, templateDigest: String(digestsWith(null).template(template)) };
  }),
  "volumes are not looked at": planWith(undefined, (release) => {
    const spec = release.template["spec"] as JsonObject;
    const template = { ...release.template, spec: { ...spec, volumes: [] } };
    return { ...release, template, templateDigest: String(digestsWith(null).template(template)) };
  }),
  "what nobody recorded is let through": planWith(() => ({ ...digestsWith(null), config: () => null })),
};

describe("controls", () => {
  it.each(Object.entries(MUTANTS))("%s: found out", (_, mutant) => {
    const found = fc.check(
      fc.property(drawn, (all) => untrue(mutant, all).length === 0),
      { numRuns: 1_500, seed: 5 },
    );
    expect(found.failed).toBe(true);
  });
});
