/**
 * The lab `synced-not-served`: a commit that Argo CD syncs and that never serves. Two Deployments of one Application take it: of
 * one an old Pod goes on answering, of the other nobody answers. The controller says the same of both.
 */
import type { ClaimName } from "../../domain/claim.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { LabStep } from "../../domain/lab.ts";
import type { LabCommit } from "./commits.ts";
import { answersAlone, type Eyes, type LookFor, type Saw, tell } from "./eyes.ts";
import { configMap, nginxConf, service, serving } from "./objects.ts";
import { LabEnd, type Scene } from "./scene.ts";

const CLAIMS: readonly ClaimName[] = [
  "intended-commit",
  "synced-revision",
  "controller-health",
  "spec-observed",
  "rollout-complete",
  "endpoints-ready",
  "response",
  "answered-by-new-pod",
];

export const PATHS = [
  '    location = /readyz { return 200 "ready\\n"; }',
  "    location = /not-readyz { return 404; }",
].join("\n");

/** Long enough for both Deployments to be looked at before it is over. */
const DEADLINE_S = 90;

const app = (name: "rolling" | "recreate", image: string, version: string, probe: string): JsonObject =>
  serving(name, {
    image,
    replicas: 1,
    version,
    config: "/etc/lab/nginx.conf",
    volumes: [{ name: "site", configMap: "site", mountPath: "/etc/lab" }],
    probe,
    deadlineS: DEADLINE_S,
    ...(name === "recreate" ? { strategy: "Recreate" } : {}),
  });

const declared = (image: string, version: string, probe: string): readonly JsonObject[] => [
  configMap("site", { "nginx.conf": nginxConf(200, PATHS) }),
  service("rolling"),
  app("rolling", image, version, probe),
  service("recreate"),
  app("recreate", image, version, probe),
];

/** Argo CD looks for commits every few minutes, unless it is told of them; and a deadline has to pass. So thrice the usual time. */
export const DELIVERED = 3;

export async function* syncedNotServed(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  const { delivering } = scene.stage;
  if (delivering === null) throw new LabEnd("no repository was named");
  const of = ({ id }: LabCommit): LookFor => ({
    claims: CLAIMS,
    via: "service",
    delivered: { by: delivering.application, commit: id },
  });

  const normal = await scene.commit(
    "v1, whose readiness is asked at /readyz",
    declared(image, "v1", "/readyz"),
  );
  const begun = (saw: Saw) =>
    ({
      title: "Normal: what was committed serves",
      did: [
        `pushed commit ${normal.id} to branch ${delivering.branch}, and made Application ${delivering.application.name}, which follows it`,
        "it declares two Deployments of nginx with one replica each: rolling, by RollingUpdate, and recreate, by Recreate",
      ],
      green: true,
      wants: {
        "intended-commit": "proven",
        "synced-revision": "proven",
        "controller-health": "proven",
        "rollout-complete": "proven",
        "endpoints-ready": "proven",
        response: "proven",
        "answered-by-new-pod": "proven",
      },
      missed: [answersAlone(saw, "v1")],
      shows: "The commit is synced, its controller calls it healthy, and the Pod of its template answers.",
    }) as const;
  const other = await eyes.shown("recreate", of(normal), begun, DELIVERED);
  const first = await eyes.shown("rolling", of(normal), begun, DELIVERED);
  yield tell({ ...first.telling, missed: [...(first.telling.missed ?? []), ...tell(other.telling).missed] });

  const failure = await scene.commit(
    "v2, whose readiness is asked at /not-readyz",
    declared(image, "v2", "/not-readyz"),
  );
  const pushed = `pushed commit ${failure.id}: the readiness of both is asked at /not-readyz, where nginx answers 404`;
  const rolling = await eyes.shown(
    "rolling",
    of(failure),
    (saw) => ({
      title: "Synced and Progressing: an old Pod answers",
      did: [pushed],
      green: false,
      wants: {
        "synced-revision": "proven",
        "controller-health": "progressing",
        "rollout-complete": "progressing",
        "endpoints-ready": "proven",
        response: "proven",
        "answered-by-new-pod": "progressing",
      },
      missed: [unready(saw), answersAlone(saw, "v1")],
      shows:
        "Synced says that the objects are as they were committed. Every 200 is of the old Pod: nothing of this commit serves.",
    }),
    DELIVERED,
  );
  yield tell(rolling.telling);

  const recreate = await eyes.shown("recreate", of(failure), (saw) => ({
    title: "Synced and Progressing: nobody answers",
    did: ["looked at the other Deployment of the same commit"],
    green: false,
    wants: {
      "synced-revision": "proven",
      "controller-health": "progressing",
      "rollout-complete": "progressing",
      "endpoints-ready": "progressing",
      response: "undetermined",
    },
    missed: [unready(saw), none(saw, "v1"), silent(saw)],
    shows:
      "Recreate took the old Pod away first. The controller's word is the same as of rolling, and here no endpoint is left and no reply comes.",
  }));
  yield tell(recreate.telling);

  const waited = `waited until the progress deadline (${DEADLINE_S} s) was over`;
  const late = await eyes.shown(
    "rolling",
    of(failure),
    (saw) => ({
      title: "Synced and Degraded: an old Pod answers still",
      did: [waited],
      green: false,
      wants: {
        "synced-revision": "proven",
        "controller-health": "refuted",
        "rollout-complete": "refuted",
        "endpoints-ready": "proven",
        response: "proven",
        "answered-by-new-pod": "refuted",
      },
      missed: [unready(saw), answersAlone(saw, "v1")],
      shows: "Degraded is no outage: whoever asks is answered, by what was committed before.",
    }),
    DELIVERED,
  );
  yield tell(late.telling);

  const gone = await eyes.shown("recreate", of(failure), (saw) => ({
    title: "Synced and Degraded: nobody answers",
    did: ["looked at the other Deployment of the same commit"],
    green: false,
    wants: {
      "synced-revision": "proven",
      "controller-health": "refuted",
      "rollout-complete": "refuted",
      "endpoints-ready": "refuted",
      response: "undetermined",
    },
    missed: [unready(saw), none(saw, "v1"), silent(saw)],
    shows:
      "Degraded is an outage here. Which of the two it is, no field of the Application tells: endpoints and replies do.",
  }));
  yield tell(gone.telling);
}

const unready = ({ pods }: Saw): string | null =>
  pods.filter(({ version, ready }) => version === "v2" && !ready).length === 1
    ? null
    : "one Pod of v2 that is not ready was to be seen";

const none = ({ pods }: Saw, version: string): string | null =>
  pods.some((one) => one.version === version) ? `no Pod of ${version} was to be left` : null;

const silent = ({ answers }: Saw): string | null =>
  answers.length > 0 && answers.every(({ status }) => status === null) ? null : "no reply was to come";
