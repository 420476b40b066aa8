/**
 * The lab `rollback-config`: what a rollback of the template brings back, and what it does not. First with a ConfigMap that was
 * edited in place, then with immutable ones, of which the template names one or the other.
 */
import type { ClaimName } from "../../domain/claim.ts";
import { configDigest } from "../../domain/config-digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { LabStep } from "../../domain/lab.ts";
import { type Eyes, type LabPod, type LookFor, type Saw, tell } from "./eyes.ts";
import { configMap, nginxConf, service, serving } from "./objects.ts";
import { LabEnd, type Scene } from "./scene.ts";

const CLAIMS: readonly ClaimName[] = [
  "spec-observed",
  "rollout-complete",
  "old-gone",
  "capacity",
  "endpoints-ready",
  "config-loaded",
  "config-bound",
  "response",
  "answered-by-new-pod",
];

const PAGES = configMap(
  "pages",
  { "good.conf": nginxConf(200), "bad.conf": nginxConf(503) },
  { immutable: true },
);
const settings = (name: string, mode: "good" | "bad", more: JsonObject = {}): JsonObject =>
  configMap(name, { MODE: mode }, more);

const app = (name: string, image: string, version: string, from: string): JsonObject =>
  serving(name, {
    image,
    replicas: 2,
    version,
    config: "/etc/lab/$(MODE).conf",
    env: [{ name: "MODE", valueFrom: { configMapKeyRef: { name: from, key: "MODE" } } }],
    volumes: [{ name: "pages", configMap: "pages", mountPath: "/etc/lab" }],
    probe: "/",
  });

const digest = (object: JsonObject): string => String(configDigest(object));
const releaseOf = (name: string, object: JsonObject) =>
  new Map([
    [name, { sha256: digest(object), version: "v1" }],
    ["pages", { sha256: digest(PAGES), version: null }],
  ]);

/** Times in objects count where they are further apart than the clocks may be (5 s). */
const APART_MS = 7_000;

export async function* rollbackConfig(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  yield* edited(scene, eyes, image);
  yield* bound(scene, eyes, image);
}

// ---- edited in place -----------------------------------------------------------------------------------------------

async function* edited(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  const good = settings("settings", "good");
  const config = releaseOf("settings", good);
  const service_ = { claims: CLAIMS, via: "service", config } as const satisfies LookFor;
  const byPod: LookFor = { ...service_, via: "pod" };

  await putAll(
    scene,
    [PAGES, good, service("loose"), app("loose", image, "v1", "settings")],
    "v1 of loose, with a ConfigMap that can be edited",
  );
  const normal = await eyes.shown("loose", service_, (saw) => ({
    title: "Normal: v1 runs",
    did: [
      "made ConfigMap settings (MODE: good) and Deployment loose, which takes MODE by env when a container starts",
    ],
    green: true,
    wants: {
      "rollout-complete": "proven",
      response: "proven",
      "config-loaded": "proven",
      "config-bound": "undetermined",
    },
    missed: [twoServe(saw)],
    shows:
      "Two Pods serve, and each was given the content that v1 has. Nothing holds the ConfigMap as it is, so the next container is not shown to get the same.",
  }));
  yield tell(normal.telling);

  await eyes.wait(APART_MS);
  await putAll(
    scene,
    [settings("settings", "bad"), app("loose", image, "v2", "settings")],
    "v2 of loose, which does not work",
  );
  const failing = await eyes.shown("loose", service_, (saw) => ({
    title: "Failure: v2 brings another content and another template",
    did: ["edited settings in place (MODE: bad), and changed the template to v2"],
    green: false,
    wants: { "rollout-complete": "progressing", response: "proven" },
    missed: [newIsUnready(saw), onlyFrom(saw, "v1")],
    shows: "The new Pod answers 503 and is not ready. Every 200 came from a Pod of v1: nothing of v2 serves.",
  }));
  yield tell(failing.telling);

  await putAll(scene, [app("loose", image, "v1", "settings")], "rollback of the template alone");
  const rolledBack = await eyes.shown("loose", service_, (saw) => ({
    title: "Rollback of the template",
    did: ["brought back the template of v1, as kubectl rollout undo does; settings stays as it was edited"],
    green: true,
    wants: { "rollout-complete": "proven", response: "proven", "config-bound": "refuted" },
    missed: [twoServe(saw), onlyOf(saw, "v1")],
    shows:
      "kubectl is content, and every reply is 200. It is a time bomb all the same: the Pods run on what they were given when they started, and the next container is given MODE: bad.",
  }));
  yield tell(rolledBack.telling);

  const victim = firstReady(rolledBack.saw);
  await evict(scene, rolledBack.saw, victim, "drill of loose: does the recovery hold?");
  const drilled = await eyes.shown("loose", byPod, (saw) => {
    const replacement = unready(saw, "v1")[0];
    return {
      title: "Drill: one Pod is replaced",
      did: [`evicted Pod ${victim.name} (UID ${victim.uid}), as a node that is drained does`],
      green: false,
      wants: { "config-bound": "refuted", response: "refuted" },
      missed: [
        isGone(saw, victim),
        replacement === undefined ? "a replacement that is not ready was to be seen" : null,
        statusOf(saw, replacement) === 503 ? null : "the replacement was to answer 503",
      ],
      shows:
        "The replacement has the template of v1, and answers 503. The recovery is refuted: what was brought back held only as long as no Pod was replaced.",
    };
  });
  yield tell(drilled.telling);
}

// ---- bound to immutable objects --------------------------------------------------------------------------------------

async function* bound(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  const v1 = settings("settings-v1", "good", { immutable: true });
  const config = releaseOf("settings-v1", v1);
  const byService: LookFor = { claims: CLAIMS, via: "service", config };

  await putAll(
    scene,
    [
      v1,
      service("bound"),
      app("bound", image, "v1", "settings-v1"),
      service("other"),
      app("other", image, "v1", "settings-v1"),
    ],
    "v1 of bound, with an immutable ConfigMap, and a bystander",
  );
  const quiet = await eyes.until("other", OTHER, isServingEach);
  const normal = await eyes.shown("bound", byService, (saw) => ({
    title: "Normal, bound: v1 names an immutable object",
    did: [
      "made the immutable ConfigMap settings-v1 (MODE: good) and Deployment bound, whose template names it",
      "made Deployment other, which is not to be touched by anything that follows",
    ],
    green: true,
    wants: { "rollout-complete": "proven", "config-loaded": "proven", "config-bound": "proven" },
    missed: [twoServe(saw)],
    shows: "The next container is given what these were given: that is shown before anything has happened.",
  }));
  yield tell(normal.telling);

  const refusal = await scene.put(
    [settings("settings-v1", "bad", { immutable: true })],
    "an edit of what is immutable",
  );
  const before = await eyes.before();
  yield tell({
    title: "An edit in place is refused",
    did: ["tried to edit settings-v1 in place"],
    saw: null,
    more: refusal.why.map((value) => ({ what: "the API server", value })),
    missed: [
      refusal.through ? "the API server was to refuse it" : null,
      refusal.through || refusal.why.some((why) => /immutable/.test(why))
        ? null
        : "it was to be refused since it is immutable",
    ],
    shows:
      "A change of content has to be another object under another name, and so a change of the template.",
  });

  await putAll(
    scene,
    [settings("settings-v2", "bad", { immutable: true }), app("bound", image, "v2", "settings-v2")],
    "v2 of bound, which does not work",
  );
  const failing = await eyes.shown("bound", { ...byService, config: new Map() }, (saw) => ({
    title: "Failure, bound: v2 names settings-v2",
    did: [
      "made the immutable ConfigMap settings-v2 (MODE: bad), and changed the template to v2, which names it",
    ],
    green: false,
    wants: { "rollout-complete": "progressing", response: "proven" },
    missed: [newIsUnready(saw), onlyFrom(saw, "v1")],
    shows: "The new Pod answers 503, and the old ones serve, as before.",
  }));
  yield tell(failing.telling);

  await putAll(
    scene,
    [app("bound", image, "v1", "settings-v1")],
    "rollback of bound: template and config as one",
  );
  const rolledBack = await eyes.until(
    "bound",
    byService,
    (saw) => twoServe(saw) === null && onlyOf(saw, "v1") === null,
  );
  const victim = firstReady(rolledBack);
  await evict(scene, rolledBack, victim, "drill of bound: does the recovery hold?");
  const { telling } = await eyes.shown(
    "bound",
    { ...byService, via: "pod", before, beside: ["other"] },
    (saw) => {
      const replacement = saw.pods.find(({ uid }) => !rolledBack.pods.some((one) => one.uid === uid));
      return {
        title: "Rollback and drill, bound",
        did: [
          "brought back the template of v1, and with it the name of settings-v1",
          `evicted Pod ${victim.name} (UID ${victim.uid})`,
        ],
        green: true,
        wants: {
          "rollout-complete": "proven",
          "config-loaded": "proven",
          "config-bound": "proven",
          response: "proven",
          "answered-by-new-pod": "proven",
          "bystanders-unchanged": "proven",
        },
        missed: [
          isGone(saw, victim),
          twoServe(saw),
          replacement === undefined ? "a replacement was to be seen" : null,
          statusOf(saw, replacement) === 200 ? null : "the replacement was to answer 200",
        ],
        shows:
          "The replacement was given the content of v1, is ready, and answers 200 itself. The recovery is proven, and nobody else was touched: Deployment other has the UID, the template and the Pods that it had, and answers the same.",
      };
    },
  );
  const quietNow = await eyes.look("other", OTHER);
  yield tell({
    ...telling,
    more: [
      { what: "other, before", value: repliesText(quiet) },
      { what: "other, after", value: repliesText(quietNow) },
    ],
    missed: [
      ...(telling.missed ?? []),
      repliesText(quiet) === repliesText(quietNow) ? null : "Deployment other was to answer as before",
    ],
  });
}

/** Each of its Pods at its own address, so that before and after are of the same Pods. */
const OTHER: LookFor = { claims: ["rollout-complete", "response"], via: "pod" };

/** By Pod and its UID, with the digest of what it answers. */
const repliesText = ({ answers }: Saw): string =>
  answers
    .map(
      ({ pod, status, bodySha256 }) => `${pod?.name} (UID ${pod?.uid}) ${status} ${bodySha256?.slice(0, 12)}`,
    )
    .sort()
    .join(", ");

// ---- what they have in common ----------------------------------------------------------------------------------------

const putAll = async (scene: Scene, objects: readonly JsonObject[], why: string): Promise<void> => {
  const came = await scene.put(objects, why);
  if (!came.through) throw new LabEnd(`${why}: ${came.why.join("; ")}`);
};

const evict = async (scene: Scene, saw: Saw, pod: LabPod, why: string): Promise<void> => {
  if (saw.deployment === null) throw new LabEnd("the Deployment could not be read");
  const came = await scene.evict(pod.object, saw.deployment, why);
  if (!came.through) throw new LabEnd(`${why}: ${came.why.join("; ")}`);
};

// Each a clause of what was to be seen and was not; null: it was.

const twoServe = ({ word, pods, answers }: Saw): string | null =>
  word?.done === true &&
  pods.length === 2 &&
  pods.every(({ ready }) => ready) &&
  answers.length > 0 &&
  answers.every(({ status }) => status === 200)
    ? null
    : "two Pods were to be there, both ready, and every reply a 200";

const onlyOf = ({ pods }: Saw, version: string): string | null =>
  pods.every((pod) => pod.version === version) ? null : `only Pods of ${version} were to be there`;

const newIsUnready = (saw: Saw): string | null =>
  unready(saw, "v2").length > 0 ? null : "a Pod of v2 that runs and is not ready was to be seen";

const isGone = ({ pods }: Saw, { name, uid }: LabPod): string | null =>
  pods.some((pod) => pod.uid === uid) ? `Pod ${name} was to be gone` : null;

/** Replies come before the lists of a look: a Pod that is new in between has none yet. */
const isServingEach = (saw: Saw): boolean =>
  twoServe(saw) === null && saw.pods.every((pod) => statusOf(saw, pod) === 200);

const unready = ({ pods }: Saw, version: string): readonly LabPod[] =>
  pods.filter((pod) => pod.version === version && !pod.ready && isRunning(pod));

const isRunning = ({ object }: LabPod): boolean => {
  const { status } = object as { readonly status?: { readonly phase?: string } };
  return status?.phase === "Running";
};

const firstReady = ({ pods }: Saw): LabPod => {
  const pod = pods.find(({ ready }) => ready);
  if (pod === undefined) throw new LabEnd("no Pod of it is ready, so none can be replaced");
  return pod;
};

const statusOf = ({ answers }: Saw, pod: LabPod | undefined): number | null =>
  answers.find((one) => one.pod?.uid === pod?.uid)?.status ?? null;

/** Every reply came from a Pod of that version. */
const onlyFrom = ({ answers, pods }: Saw, version: string): string | null => {
  const own = new Set(pods.filter((pod) => pod.version === version).map(({ name }) => name));
  const others = answers.filter(
    ({ status, headers }) => status !== 200 || !own.has(headers?.["x-pod"] ?? ""),
  );
  return answers.length > 0 && others.length === 0
    ? null
    : `every reply was to be a 200 from a Pod of ${version}`;
};
