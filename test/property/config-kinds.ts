/** What runs to an end, and a ReplicaSet of its own, whose containers take MODE from a ConfigMap. */
import type { Evidence } from "../../src/domain/evidence.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { byEnv, configMap, taking } from "../support/kubernetes/config.ts";
import { type Files, READ_AT, setName, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { at, changed, list, metadata, uidOf } from "../support/kubernetes/object.ts";
import { jobFiles } from "../support/kubernetes/others.ts";
import { done } from "../support/kubernetes/rollouts.ts";

const itemsIn = (files: Files, name: string): readonly JsonObject[] =>
  (files[name] as JsonObject)["items"] as readonly JsonObject[];

const running = jobFiles({ active: 1, startTime: at(100) }, ["ready"]);
const [job = {}] = itemsIn(running, "jobs.json");

const scheduled: Files = {
  ...running,
  "jobs.json": list([
    changed(
      job,
      ["metadata", "ownerReferences"],
      [
        {
          apiVersion: "batch/v1",
          kind: "CronJob",
          name: "nightly",
          uid: uidOf("CronJob", "nightly"),
          controller: true,
        },
      ],
    ),
  ]),
  "cronjobs.json": list([
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: metadata("CronJob", { name: "nightly", created: 90, generation: 1 }),
      spec: { schedule: "0 3 * * *", jobTemplate: { spec: job["spec"] as JsonObject } },
      status: { lastScheduleTime: at(100) },
    },
  ]),
};

const WORLDS: Readonly<Record<string, Files>> = {
  "job/migrate": running,
  "cronjob/nightly": scheduled,
  [`replicaset/${setName("v2")}`]: worldFiles(done),
};

export const TARGETS: readonly string[] = Object.keys(WORLDS);

/** `maps`: the ConfigMaps that are there; left out: an immutable one that was made before. */
export const taken = (target: string, maps?: readonly JsonObject[]): readonly [Evidence, Question] => {
  const settings = configMap("settings", { created: 50, more: { immutable: true } });
  const files = taking(WORLDS[target] ?? {}, () => byEnv("settings"));
  return [
    evidenceOf({ ...files, "configmaps.json": list(maps ?? [settings]) }, READ_AT),
    about(target, { claims: ["config-loaded", "config-bound"] }),
  ];
};
