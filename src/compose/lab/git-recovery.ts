/**
 * The lab `git-recovery`: a recovery by `git revert`, which is another commit with an equal tree; a pin, which follows no branch;
 * and a live edit, which a controller that heals undoes.
 */
import type { ClaimName } from "../../domain/claim.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { LabStep, Sight } from "../../domain/lab.ts";
import { sameJson } from "../../domain/same-json.ts";
import { hint, itemsAt, TEXT, WHOLE } from "../../judge/read.ts";
import { answersAlone, type Eyes, type LookFor, type Saw, tell } from "./eyes.ts";
import { configMap, nginxConf, service, serving } from "./objects.ts";
import { LabEnd, type Scene } from "./scene.ts";
import { DELIVERED, PATHS } from "./synced-not-served.ts";

const CLAIMS: readonly ClaimName[] = [
  "intended-commit",
  "synced-revision",
  "controller-health",
  "spec-observed",
  "rollout-complete",
  "old-gone",
  "endpoints-ready",
  "response",
  "answered-by-new-pod",
];

const PROVEN = {
  "intended-commit": "proven",
  "synced-revision": "proven",
  "controller-health": "proven",
  "rollout-complete": "proven",
  "old-gone": "proven",
  response: "proven",
  "answered-by-new-pod": "proven",
} as const;

const declared = (image: string, version: string, probe: string): readonly JsonObject[] => [
  configMap("site", { "nginx.conf": nginxConf(200, PATHS) }),
  service("web"),
  serving("web", {
    image,
    replicas: 1,
    version,
    config: "/etc/lab/nginx.conf",
    volumes: [{ name: "site", configMap: "site", mountPath: "/etc/lab" }],
    probe,
  }),
];

export async function* gitRecovery(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  const { delivering } = scene.stage;
  if (delivering === null) throw new LabEnd("no repository was named");
  const of = (commit: string): LookFor => ({
    claims: CLAIMS,
    via: "service",
    delivered: { by: delivering.application, commit },
  });

  const normal = await scene.commit(
    "v1, whose readiness is asked at /readyz",
    declared(image, "v1", "/readyz"),
  );
  const first = await eyes.shown(
    "web",
    of(normal.id),
    (saw) => ({
      title: "Normal: what was committed serves",
      did: [
        `pushed commit ${normal.id} to branch ${delivering.branch}, and made Application ${delivering.application.name}, which follows it`,
      ],
      green: true,
      wants: PROVEN,
      missed: [answersAlone(saw, "v1")],
      shows: "The commit is synced, its controller calls it healthy, and the Pod of its template answers.",
    }),
    DELIVERED,
  );
  yield tell(first.telling);

  const failure = await scene.commit(
    "v2, whose readiness is asked at /not-readyz",
    declared(image, "v2", "/not-readyz"),
  );
  const failing = await eyes.shown(
    "web",
    of(failure.id),
    (saw) => ({
      title: "Failure: synced, and nothing of it serves",
      did: [`pushed commit ${failure.id}: the readiness is asked at /not-readyz, where nginx answers 404`],
      green: false,
      wants: {
        "synced-revision": "proven",
        "controller-health": "progressing",
        "rollout-complete": "progressing",
        response: "proven",
        "answered-by-new-pod": "progressing",
      },
      missed: [
        answersAlone(saw, "v1"),
        saw.pods.some(({ version, ready }) => version === "v2" && !ready)
          ? null
          : "a Pod of v2 that is not ready was to be seen",
      ],
      shows: "The new Pod is not ready, and the old one answers.",
    }),
    DELIVERED,
  );
  yield tell(failing.telling);

  const recovery = await scene.revert();
  const recovered = await eyes.shown(
    "web",
    of(recovery.id),
    (saw) => ({
      title: "Recovery: git revert",
      did: [`pushed commit ${recovery.id}, which git revert made of ${failure.id}`],
      green: true,
      more: [
        { what: "normal", value: `commit ${normal.id}, tree ${normal.tree}` },
        { what: "failure", value: `commit ${failure.id}, tree ${failure.tree}` },
        { what: "recovery", value: `commit ${recovery.id}, tree ${recovery.tree}` },
      ],
      wants: PROVEN,
      missed: [
        answersAlone(saw, "v1"),
        recovery.id !== normal.id && recovery.tree === normal.tree
          ? null
          : "the revert was to be another commit with the tree of the first one",
      ],
      shows:
        "Another commit, and an equal tree: what is declared is what was declared before the failure, and it is shown to serve. That the past was not rewritten is why the id is new.",
    }),
    DELIVERED,
  );
  yield tell(recovered.telling);

  await scene.follow({ pin: recovery.id, selfHeal: false }, "the Application is pinned to a commit");
  const newer = await scene.commit("v3, in all else as v1", declared(image, "v3", "/readyz"));
  const pinned = await eyes.shown(
    "web",
    of(newer.id),
    (saw) => ({
      title: "A pinned commit does not follow the branch",
      did: [
        `set the Application's targetRevision to ${recovery.id}`,
        `pushed commit ${newer.id} (v3) to branch ${delivering.branch}`,
      ],
      green: true,
      wants: { "intended-commit": "refuted", "synced-revision": "refuted", response: "proven" },
      missed: [answersAlone(saw, "v1")],
      shows:
        "Synced and Healthy are true of what it is pinned to. The branch went on, nothing of it will come, and no waiting changes that.",
    }),
    DELIVERED,
  );
  yield tell(pinned.telling);

  await scene.follow({ pin: recovery.id, selfHeal: true }, "the Application heals itself");
  const before = await eyes.until(
    "web",
    of(recovery.id),
    (saw) => saw.report.verdict === "proven",
    DELIVERED,
  );
  await scene.edit(
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        template: {
          spec: {
            containers: [{ name: "nginx", readinessProbe: { httpGet: { path: EDITED, port: 8080 } } }],
          },
        },
      },
    },
    "an edit by hand",
  );
  const healed = await eyes.shown(
    "web",
    of(recovery.id),
    (saw) => ({
      title: "A live edit is undone by selfHeal",
      did: [
        "switched selfHeal on",
        `changed the readiness in the template of the live Deployment to ${EDITED}, and committed nothing`,
      ],
      green: true,
      more: [
        ...templateOf("declared, before the edit", before.deployment),
        { what: "template as edited", value: `readiness at ${EDITED}` },
        ...templateOf("now", saw.deployment),
      ],
      wants: PROVEN,
      missed: [
        generationOf(saw) >= generationOf(before) + 2
          ? null
          : "the template was to change twice: by the edit, and back",
        sameJson(template(saw.deployment), template(before.deployment))
          ? null
          : "the template was to be what it was before the edit",
        answersAlone(saw, "v1"),
      ],
      shows:
        "Whoever mends by hand what a controller heals has mended nothing: the template is again what was committed. A recovery has to be a commit.",
    }),
    DELIVERED,
  );
  yield tell(healed.telling);
}

/** Neither of those that were committed. */
const EDITED = "/";

const template = (deployment: JsonObject | null): JsonValue => {
  const spec = deployment?.["spec"];
  return isJsonObject(spec) ? (spec["template"] ?? null) : null;
};

const templateOf = (what: string, deployment: JsonObject | null): readonly Sight[] => {
  const [container] =
    deployment === null ? [] : itemsAt(deployment, ["spec", "template", "spec", "containers"]);
  const path =
    container === undefined ? undefined : hint(container, ["readinessProbe", "httpGet", "path"], TEXT);
  return [{ what: `template ${what}`, value: `readiness at ${path ?? "no path"}` }];
};

const generationOf = ({ deployment }: Saw): number =>
  deployment === null ? 0 : (hint(deployment, ["metadata", "generation"], WHOLE) ?? 0);
