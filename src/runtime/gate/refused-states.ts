/**
 * States that a gate has to refuse, each one smallest change of the healthy world: what they have in common with a release that
 * works is all but this. What speaks of evidence, approvals and clocks instead of a state is in `refused-records.ts`.
 */
import type { RefusalName } from "../../domain/gate-refusal.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { ResponseExpectation } from "../../domain/response.ts";
import { answerTo, OLD_POD, PODS } from "./world.ts";
import { type Path, type WorldFiles, withField } from "./world-files.ts";
import { APPLICATION, application, bearerOf, replicaSet, slice } from "./world-objects.ts";
import { at, uidOf } from "./world-times.ts";

export type StateRefusal = Extract<
  RefusalName,
  | "old-commit"
  | "old-pod"
  | "synced-degraded"
  | "no-endpoints"
  | "other-body"
  | "stale-health"
  | "never-synced"
  | "foreign-uid"
  | "reused-pod-name"
  | "inside-pod"
>;

/** `responses`: those that the gate expects. */
type Change = (files: WorldFiles, responses: readonly ResponseExpectation[]) => WorldFiles;

const APPLICATIONS = "applications.argoproj.io.json";
const APP: Path = ["items", 0];

const ofApplication =
  (path: Path, to: JsonValue | undefined): Change =>
  (files) =>
    withField(files, APPLICATIONS, [...APP, ...path], to);

const eachAnswer =
  (change: (answer: JsonObject, response: ResponseExpectation | undefined) => JsonObject): Change =>
  (files, responses) =>
    withField(
      files,
      "answers.json",
      [],
      (files["answers.json"] as readonly JsonObject[]).map((answer, place) =>
        change(answer, responses[place]),
      ),
    );

/** What another release would have said where the gate looks; where it does not look at all, in a body of its own. */
const ofAnotherRelease = (response: ResponseExpectation): JsonObject => {
  const { expect } = response;
  const other = "of another release";
  return answerTo(
    {
      ...response,
      expect: {
        ...expect,
        headers: new Map([...expect.headers.keys()].map((name) => [name, other])),
        json: expect.json.map((one) => ({ ...one, is: other })),
        bodySha256: expect.bodySha256 === null ? null : "0".repeat(64),
      },
    },
    bearerOf(PODS[0]),
  );
};

const before = (uid: string): readonly JsonValue[] => [
  { name: bearerOf(PODS[0]).name, uid },
  { name: bearerOf(PODS[1]).name, uid: bearerOf(PODS[1]).uid },
];

export const REFUSED_STATES: Readonly<Record<StateRefusal, Change>> = {
  "old-commit": (files) => withField(files, APPLICATIONS, APP, application("v1")),

  "old-pod": (files, responses) => {
    const beside = withField(files, "pods.json", ["items"], [...PODS, OLD_POD]);
    const owned = withField(beside, "replicasets.json", ["items", 0], replicaSet("v1", 1));
    const counted = withField(owned, "deployments.json", ["items", 0, "status", "replicas"], 3);
    const routed = withField(counted, "endpointslices.json", ["items", 0], slice([...PODS, OLD_POD]));
    const old = bearerOf(OLD_POD);
    return eachAnswer((answer, response) =>
      response === undefined
        ? answer
        : {
            ...answerTo(response, old),
            podsBefore: [...PODS, OLD_POD].map((one) => ({
              name: bearerOf(one).name,
              uid: bearerOf(one).uid,
            })),
            endpointsBefore: [...PODS, OLD_POD].map((one) => bearerOf(one).uid),
          },
    )(routed, responses);
  },

  "synced-degraded": ofApplication(["status", "health", "status"], "Degraded"),

  "no-endpoints": (files) => withField(files, "endpointslices.json", ["items", 0, "endpoints"], []),

  "other-body": eachAnswer((answer, response) =>
    response === undefined ? answer : ofAnotherRelease(response),
  ),

  // The sync ended at 655.
  "stale-health": ofApplication(["status", "reconciledAt"], at(640)),

  "never-synced": ofApplication(["status"], undefined),

  "foreign-uid": (files) =>
    withField(
      files,
      "replicasets.json",
      ["items", 1, "metadata", "ownerReferences", 0, "uid"],
      uidOf("Deployment", "web", 2),
    ),

  "reused-pod-name": eachAnswer((answer) => {
    const gone = uidOf("Pod", bearerOf(PODS[0]).name, 2);
    return {
      ...answer,
      podsBefore: [...before(gone)],
      endpointsBefore: [gone, bearerOf(PODS[1]).uid],
      ...(answer["pod"] === null ? {} : { pod: { ...(answer["pod"] as JsonObject), uid: gone } }),
    };
  }),

  "inside-pod": eachAnswer((answer) => {
    const { name, uid, ip } = bearerOf(PODS[0]);
    return { ...answer, via: "pod", url: `http://${ip}:8080/`, service: null, pod: { name, uid, ip } };
  }),
};

/** The same state, of what was made anew under the same name since. */
export const madeAnew = (files: WorldFiles): WorldFiles => {
  const uid = uidOf("Deployment", "web", 3);
  const target = withField(files, "deployments.json", ["items", 0, "metadata", "uid"], uid);
  const owned = [0, 1].reduce(
    (all, place) =>
      withField(all, "replicasets.json", ["items", place, "metadata", "ownerReferences", 0, "uid"], uid),
    target,
  );
  const app = uidOf("Application", APPLICATION.name, 3);
  return withField(owned, APPLICATIONS, [...APP, "metadata", "uid"], app);
};
