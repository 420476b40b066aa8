/**
 * The cases of `shared/cases/kubernetes.md` that are about config: what a process was given, what the next one would be given,
 * and how both are told from who restarted what.
 */
import { configDigest, keyDigests } from "../../src/domain/config-digest.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { byEnv, configMap, taking } from "../support/kubernetes/config.ts";
import { type Files, READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { at, changed, list, uidOf } from "../support/kubernetes/object.ts";
import type { Case, State } from "./kubernetes-case.ts";

const GOOD = { MODE: "v1" };
const BAD = { MODE: "v2" };
const digestOf = (data: JsonObject): string => String(configDigest({ data }));

interface Version {
  readonly data: Readonly<Record<string, string>>;
  /** From then on, until the next one. */
  readonly from: number;
  /** Deleted and made again with it. */
  readonly isMadeAgain?: boolean;
  readonly immutable?: boolean;
}

const lifeAt = (versions: readonly Version[], place: number): number =>
  1 + versions.slice(0, place + 1).filter(({ isMadeAgain = false }) => isMadeAgain).length;

/** As it is after the last of them, the resourceVersion being the second of its write. */
const objectOf = (versions: readonly Version[]): JsonObject => {
  const last = versions.at(-1) as Version;
  const made =
    [...versions].reverse().find(({ isMadeAgain = false }) => isMadeAgain) ?? (versions[0] as Version);
  const object = configMap("settings", {
    created: made.from,
    written: last.from,
    data: last.data,
    more: last.immutable === true ? { immutable: true } : {},
  });
  const uid = uidOf("ConfigMap", "settings", lifeAt(versions, versions.length - 1));
  return changed(
    changed(object, ["metadata", "uid"], uid),
    ["metadata", "resourceVersion"],
    String(last.from),
  );
};

/** What a recorder held that was never blind, but for the moment in which an object was gone. */
const heldOf = (versions: readonly Version[]): readonly JsonObject[] =>
  versions.map(({ data, from, immutable = false }, place) => {
    const next = versions[place + 1];
    const gone = next?.isMadeAgain === true ? 1 : 0;
    return {
      kind: "ConfigMap",
      namespace: "shop",
      name: "settings",
      uid: uidOf("ConfigMap", "settings", lifeAt(versions, place)),
      resourceVersion: String(from),
      immutable,
      sha256: digestOf(data),
      keys: Object.fromEntries(keyDigests({ data }) ?? []),
      from: at(from),
      to: at(next === undefined ? READ_AT : next.from - gone),
    };
  });

/** Two Pods of v1 that take MODE by env, each started at its second. */
const filesOf = (
  versions: readonly Version[],
  { started = [603, 603], isRecorded = true }: { started?: readonly number[]; isRecorded?: boolean } = {},
): Files => {
  const world = taking(
    worldFiles({ replicas: 2, fresh: { version: "v1", pods: ["ready", "ready"] }, old: [] }),
    (place) => (place === "shop/web" ? byEnv("settings") : null),
  );
  const pods = ((world["pods.json"] as JsonObject)["items"] as readonly JsonObject[]).map((pod, place) =>
    changed(pod, ["status", "containerStatuses", 0, "state"], {
      running: { startedAt: at(started[place] ?? 603) },
    }),
  );
  return {
    ...world,
    "pods.json": list(pods),
    "configmaps.json": list([objectOf(versions)]),
    ...(isRecorded ? { "held.json": heldOf(versions) as unknown as JsonObject } : {}),
  };
};

const LOADED = about("deployment/web", { claims: ["rollout-complete", "config-loaded"] });
const expecting = (data: JsonObject): Question =>
  about("deployment/web", {
    expected: { config: new Map([["settings", { sha256: digestOf(data), version: "v1" }]]) },
  });

const state = (
  files: Files,
  question: Question,
  expect: Omit<State, "files" | "question" | "readAt">,
): State => ({ files, question, readAt: READ_AT, ...expect });

const before: Version = { data: GOOD, from: 500 };

export const CONFIG_CASES: Readonly<Record<string, Case>> = {
  "k8s-24": {
    seenIn: "argo-rollouts#1297, #2669",
    states: {
      "rolled back, and nobody held what the Pods were given": state(
        filesOf([before, { data: BAD, from: 640 }], { isRecorded: false }),
        about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] }),
        {
          verdict: "undetermined",
          findings: {
            "rollout-complete": "proven",
            "config-loaded": ["undetermined", "may-be-written-since"],
            "config-bound": ["undetermined", "mutable"],
          },
        },
      ),
      "rolled back, and the ConfigMap is still the new one": state(
        filesOf([before, { data: BAD, from: 640 }], { isRecorded: false }),
        expecting(GOOD),
        {
          verdict: "refuted",
          findings: {
            "rollout-complete": "proven",
            "config-loaded": "undetermined",
            "config-bound": ["refuted", "other-content"],
          },
          says: /a time bomb/,
        },
      ),
      "the Pods were given the right one, and the next would be given the other": state(
        filesOf([before, { data: BAD, from: 640 }]),
        expecting(GOOD),
        {
          verdict: "refuted",
          findings: { "config-loaded": ["proven", "loaded"], "config-bound": ["refuted", "time-bomb"] },
          says: /a time bomb/,
        },
      ),
      "the content was put back, and the Pods still run the other": state(
        filesOf([
          { data: BAD, from: 500 },
          { data: GOOD, from: 640 },
        ]),
        expecting(GOOD),
        {
          verdict: "refuted",
          findings: { "config-loaded": ["refuted", "stale"], "config-bound": ["refuted", "time-bomb"] },
          says: /v1|sha256/,
        },
      ),
    },
    twin: state(filesOf([{ data: GOOD, from: 500, immutable: true }]), expecting(GOOD), {
      verdict: "proven",
      findings: { "config-loaded": ["proven", "loaded"], "config-bound": ["proven", "immutable"] },
    }),
  },
  "k8s-29": {
    seenIn: "Reloader#166, #1144",
    states: {
      "changed content, and nobody restarted": state(filesOf([before, { data: BAD, from: 640 }]), LOADED, {
        verdict: "refuted",
        findings: { "config-loaded": ["refuted", "stale"] },
        says: /2 references were given something else/,
      }),
      "one of two was restarted since": state(
        filesOf([before, { data: BAD, from: 640 }], { started: [603, 660] }),
        LOADED,
        {
          verdict: "refuted",
          findings: { "config-loaded": ["refuted", "stale"] },
          says: /1 reference was given something else/,
        },
      ),
    },
    twin: state(filesOf([before, { data: BAD, from: 640 }, { data: GOOD, from: 650 }]), LOADED, {
      verdict: "proven",
      findings: { "config-loaded": ["proven", "loaded"] },
    }),
    twins: {
      "both were restarted": state(
        filesOf([before, { data: BAD, from: 640 }], { started: [660, 661] }),
        LOADED,
        { verdict: "proven", findings: { "config-loaded": ["proven", "loaded"] } },
      ),
      "restarted with equal content": state(filesOf([before], { started: [660, 661] }), LOADED, {
        verdict: "proven",
        findings: { "config-loaded": ["proven", "loaded"] },
      }),
    },
  },
  "k8s-30": {
    seenIn: "headlamp (by reading)",
    states: {
      "edited in place after the start": state(filesOf([before, { data: BAD, from: 640 }]), LOADED, {
        verdict: "refuted",
        findings: { "config-loaded": ["refuted", "stale"] },
      }),
      "made again with other content": state(
        filesOf([before, { data: BAD, from: 640, isMadeAgain: true }]),
        LOADED,
        {
          verdict: "refuted",
          findings: { "config-loaded": ["refuted", "stale"] },
          says: /another object of this name/,
        },
      ),
    },
    twin: state(filesOf([before, { data: GOOD, from: 640, isMadeAgain: true }]), LOADED, {
      verdict: "proven",
      findings: { "config-loaded": ["proven", "loaded"] },
    }),
  },
};
