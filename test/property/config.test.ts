/**
 * Which config a container was given, over drawn timelines: what is said is never more than what times show, and as much.
 * C1: per container start. C2: each delivery by its own rule. C4: a name is not content.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { at, changed, uidOf } from "../support/kubernetes/object.ts";
import {
  isKept,
  isSame,
  isWrittenSince,
  type Life,
  lastTouched,
  life,
  POD_MADE,
  worldOf,
} from "./config-worlds.ts";
import * as laws from "./judge-laws.ts";

const QUESTION = about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] });

const found = (judgeIt: laws.Judge, drawn: Life) => {
  const { findings } = judgeIt(worldOf(drawn), QUESTION);
  const of = (claim: string) => findings.find((one) => one.claim === claim) as Finding;
  return { loaded: of("config-loaded"), bound: of("config-bound") };
};

/** What is so of a life, and what may and must be said of it; empty: all of it holds. */
const untrue = (judgeIt: laws.Judge, drawn: Life): readonly string[] => {
  const { loaded, bound } = found(judgeIt, drawn);
  const isEnv = drawn.delivery === "env" || drawn.delivery === "envFrom";
  const last = lastTouched(drawn);
  const says = (one: Finding) => `${one.finding} (${one.reason})`;
  const checks: readonly (readonly [holds: boolean, what: string])[] = [
    [loaded.finding !== "proven" || isSame(drawn), `it was given something else, and ${says(loaded)}`],
    [loaded.finding !== "refuted", "times alone refute nothing"],
    [
      bound.reason !== "time-bomb" || isWrittenSince(drawn),
      `nothing was written since it started, and ${says(bound)}`,
    ],
    [
      bound.finding !== "proven" || (drawn.immutable && !isMadeAgain(drawn)),
      `it is mutable, and ${says(bound)}`,
    ],
    [
      last > POD_MADE || isKept(drawn) || loaded.finding === "proven",
      `all was written before the Pod, and ${says(loaded)}`,
    ],
    [
      !isEnv || last + 10 > drawn.started || isKept(drawn) || loaded.finding === "proven",
      `all was written before this start, and ${says(loaded)}`,
    ],
    [
      !isEnv || !isMadeAgain(drawn) || bound.reason === "time-bomb",
      `it was made again after this start, and ${says(bound)}`,
    ],
  ];
  return checks.flatMap(([holds, what]) => (holds ? [] : [what]));
};

/** Well after its start, that is. */
const isMadeAgain = ({ madeAgain, started }: Life): boolean =>
  madeAgain !== null && madeAgain.at > started + 10;

describe("config-loaded and config-bound", () => {
  it("C1, C2, C4: say what was given, and no more than times show", () =>
    fc.assert(
      fc.property(life, (drawn) => {
        expect(untrue(judge, drawn)).toEqual([]);
      }),
      { numRuns: 3_000 },
    ));

  it("V1, V2, V7: any field that a proof cites is needed, in any order", () =>
    fc.assert(
      fc.property(life, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (drawn, seeds) => {
        const evidence = worldOf(drawn);
        const broken = laws.brokenBy((law) => {
          laws.removingAnyCitedField(law, judge, evidence, QUESTION);
          laws.wrongTypes(law, judge, evidence, QUESTION);
          laws.anyOrder(law, judge, evidence, QUESTION, laws.shuffled(seeds));
          laws.limitsTold(law, judge, evidence, QUESTION);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 200 },
    ));
});

type Change = (raw: JsonObject) => JsonObject;

const seeing =
  (kind: string, change: Change): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map(
          (seen): Seen => (seen.kind === kind ? { ...seen, raw: change(seen.raw) } : seen),
        ),
      } satisfies Evidence,
      question,
    );

const entriesOf = (raw: JsonObject): readonly JsonObject[] =>
  (raw["metadata"] as JsonObject)["managedFields"] as readonly JsonObject[];

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "C1: a container's start is taken to be its Pod's": seeing("Pod", (raw) => {
    const status = raw["status"] as JsonObject;
    const made = String((raw["metadata"] as JsonObject)["creationTimestamp"]);
    const set = (field: string): JsonObject =>
      status[field] === undefined
        ? {}
        : { [field]: (status[field] as readonly JsonObject[]).map((one) => stateSet(one, made)) };
    return {
      ...raw,
      status: { ...status, ...set("containerStatuses"), ...set("initContainerStatuses") },
    };
  }),
  "C2: a volume is read as env is": seeing("Pod", (raw) => {
    const env = [{ configMapRef: { name: "settings" } }];
    const asEnv = (one: JsonObject): JsonObject =>
      one["volumeMounts"] === undefined ? one : { ...one, volumeMounts: [], envFrom: env };
    const spec = raw["spec"] as JsonObject;
    const list = (field: string): JsonObject =>
      spec[field] === undefined ? {} : { [field]: (spec[field] as readonly JsonObject[]).map(asEnv) };
    return { ...raw, spec: { ...spec, ...list("containers"), ...list("initContainers") } };
  }),
  "C4: an object that was made again is taken for the first one": seeing("ConfigMap", (raw) => {
    const early = entriesOf(raw).map((entry) => ({ ...entry, time: at(400) }));
    const same = changed(raw, ["metadata", "managedFields"], early as unknown as JsonValue);
    return changed(
      changed(same, ["metadata", "uid"], uidOf("ConfigMap", "settings")),
      ["metadata", "creationTimestamp"],
      at(400),
    );
  }),
  "C4: what a node may keep is not thought of": seeing("Pod", (raw) => {
    const { name } = raw["metadata"] as JsonObject;
    return name === "elder" ? { ...raw, spec: { ...(raw["spec"] as JsonObject), containers: [] } } : raw;
  }),
  "only the first manager's entry is looked at": seeing("ConfigMap", (raw) => {
    const [first] = entriesOf(raw);
    const time = (first as JsonObject)["time"] as JsonValue;
    const all = entriesOf(raw).map((entry) => ({ ...entry, time }));
    return changed(raw, ["metadata", "managedFields"], all as unknown as JsonValue);
  }),
};

const stateSet = (status: JsonObject, startedAt: string): JsonObject => {
  const state = status["state"] as JsonObject;
  const [name] = Object.keys(state);
  return { ...status, state: { [String(name)]: { ...(state[String(name)] as JsonObject), startedAt } } };
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(life, (drawn) => untrue(broken, drawn).length === 0),
      { numRuns: 3_000, endOnFailure: true, seed: 5 },
    );
    expect(failed).toBe(true);
  });
});
