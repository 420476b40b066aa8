/**
 * The lab `stale-process`: an edit of a ConfigMap that one process takes by subPath, and another by a whole volume. Object, file
 * and process are looked at apart: nginx serves the very files that it was given, under /given.
 */
import type { Answer } from "../../domain/answer.ts";
import type { ClaimName } from "../../domain/claim.ts";
import { configDigest, keyDigests } from "../../domain/config-digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { LabStep, Sight } from "../../domain/lab.ts";
import { type Eyes, type LabPod, type LookFor, type Saw, tell } from "./eyes.ts";
import { configMap, nginxConf, service, serving } from "./objects.ts";
import { LabEnd, type Scene } from "./scene.ts";

const CLAIMS: readonly ClaimName[] = [
  "spec-observed",
  "rollout-complete",
  "old-gone",
  "capacity",
  "config-loaded",
  "response",
  "answered-by-new-pod",
];

const GIVEN = [
  '    location = /alive { return 200 "alive\\n"; }',
  "    location = /given { default_type text/plain; alias /etc/lab/nginx.conf; }",
].join("\n");
const site = (status: number): JsonObject => configMap("site", { "nginx.conf": nginxConf(status, GIVEN) });
const fileDigest = (status: number): string => String(keyDigests(site(status))?.get("nginx.conf"));
const objectDigest = (status: number): string => String(configDigest(site(status)));

interface Sums {
  readonly template?: string;
  readonly top?: string;
}

const bySubPath = (image: string, checksum: Sums = {}): JsonObject =>
  serving("subpath", {
    image,
    replicas: 1,
    version: "v1",
    config: "/etc/lab/nginx.conf",
    volumes: [{ name: "site", configMap: "site", mountPath: "/etc/lab/nginx.conf", subPath: "nginx.conf" }],
    probe: "/alive",
    checksum,
  });

const byVolume = (image: string): JsonObject =>
  serving("volume", {
    image,
    replicas: 1,
    version: "v1",
    config: "/etc/lab/nginx.conf",
    volumes: [{ name: "site", configMap: "site", mountPath: "/etc/lab" }],
    probe: "/alive",
  });

const APART_MS = 7_000;
/** A kubelet brings files up to date when it syncs a Pod: a minute, and what its cache takes. So twice the usual time. */
const SYNCED = 2;

export async function* staleProcess(scene: Scene, eyes: Eyes, image: string): AsyncGenerator<LabStep> {
  await putAll(
    scene,
    [site(500), service("subpath"), bySubPath(image), service("volume"), byVolume(image)],
    "nginx with a configuration that answers 500",
  );
  const wrong: LookFor = { claims: CLAIMS, via: "pod", status: 200 };
  const begun = (saw: Saw) =>
    ({
      title: "A configuration with a fault",
      did: [
        "made ConfigMap site (nginx.conf, which answers 500) and two Deployments of nginx: subpath takes it by subPath, volume by a whole volume",
      ],
      green: true,
      wants: { "rollout-complete": "proven", response: "refuted" },
      missed: [
        answers(500)(saw) ? null : "every reply was to be a 500",
        saw.pods.length === 1 ? null : "one Pod was to be there",
      ],
      shows:
        "Both rollouts are complete, and every reply is a 500: what a rollout tells is not what is answered.",
    }) as const;
  const { saw: other } = await eyes.shown("volume", wrong, begun);
  const { saw: first, telling } = await eyes.shown("subpath", wrong, begun);
  const old = onlyPod(first);
  const oldOther = onlyPod(other);
  yield tell(telling);

  await eyes.wait(APART_MS);
  await putAll(scene, [site(200)], "the configuration without its fault");
  const moving = await eyes.shown("volume", wrong, (saw) => ({
    title: "The ConfigMap is fixed: files are on their way",
    did: ["edited site in place: nginx.conf answers 200 now"],
    green: true,
    wants: { response: "refuted" },
    missed: [sameUid(saw, oldOther)],
    shows:
      "Nothing rolls, and kubectl has nothing to wait for. The object is new; the file of the whole volume follows within a minute or two.",
  }));
  yield tell(moving.telling);

  const followed = await fileIs(eyes, "volume", fileDigest(200));
  const inVolume = await eyes.look("volume", wrong);
  const kept = await fileNow(eyes, "subpath");
  const three = await eyes.shown("subpath", wrong, (inSubPath) => ({
    title: "Object, file and process are three things",
    did: ["waited until the kubelet had brought the files up to date"],
    green: true,
    more: [
      ...columns("volume", fileDigest(200), followed, inVolume),
      ...columns("subpath", fileDigest(200), kept, inSubPath),
    ],
    wants: { response: "refuted" },
    missed: [
      followed === fileDigest(200) ? null : "the file of the whole volume was to be the new one",
      kept === fileDigest(500) ? null : "the file by subPath was to be the old one",
      answers(500)(inVolume)
        ? null
        : "the process of volume was to answer as it was started, until it reads its file again",
      sameUid(inSubPath, old),
      sameUid(inVolume, oldOther),
    ],
    shows:
      "Of volume the file is new and the process old: nginx reads its configuration when it starts, or is told to. Of subpath the file is old too, and stays so as long as the container runs. Both are called complete.",
  }));
  yield tell(three.telling);

  await putAll(scene, [bySubPath(image, { top: objectDigest(200) })], "a checksum where it does nothing");
  const topOnly = await eyes.shown("subpath", wrong, (saw) => ({
    title: "A checksum on the Deployment's own metadata rolls nothing",
    did: ["put checksum/config on metadata.annotations of Deployment subpath"],
    green: true,
    more: [{ what: "generation", value: `${generationOf(three.saw)}, then ${generationOf(saw)}` }],
    wants: { response: "refuted", "rollout-complete": "proven" },
    missed: [sameUid(saw, old)],
    shows:
      "Only a change of spec.template makes new Pods. An annotation of the Deployment itself is not part of it: the API server counts a generation for it, the digest stands there, and nobody was restarted.",
  }));
  yield tell(topOnly.telling);

  await putAll(
    scene,
    [bySubPath(image, { top: objectDigest(200), template: objectDigest(200) })],
    "a checksum on the template",
  );
  const config = new Map([["site", { sha256: objectDigest(200), version: "200" }]]);
  const fixed = await eyes.shown("subpath", { ...wrong, config }, (saw) => ({
    title: "A checksum on the template",
    did: ["put checksum/config on spec.template.metadata.annotations"],
    green: true,
    wants: {
      "rollout-complete": "proven",
      "old-gone": "proven",
      "config-loaded": "proven",
      response: "proven",
      "answered-by-new-pod": "proven",
    },
    missed: [
      saw.pods.length === 1 && saw.pods[0]?.uid !== old.uid ? null : "one Pod, and another, was to be there",
      uidOf(saw) === uidOf(first) ? null : "the Deployment was to be the same object",
    ],
    shows:
      "A new Pod of the same Deployment was given the new file, and answers 200 itself. The digest on the template ties the next change of content to a rollout.",
  }));
  const given = await fileNow(eyes, "subpath");
  yield tell({
    ...fixed.telling,
    more: columns("subpath", fileDigest(200), given, fixed.saw),
    missed: [
      ...(fixed.telling.missed ?? []),
      given === fileDigest(200) ? null : "the file was to be the new one",
    ],
  });
}

const putAll = async (scene: Scene, objects: readonly JsonObject[], why: string): Promise<void> => {
  const came = await scene.put(objects, why);
  if (!came.through) throw new LabEnd(`${why}: ${came.why.join("; ")}`);
};

const answers =
  (wanted: number) =>
  ({ answers: all }: Saw): boolean =>
    all.length > 0 && all.every(({ status }) => status === wanted);

const onlyPod = ({ pods }: Saw): LabPod => {
  const [pod] = pods;
  if (pod === undefined) throw new LabEnd("no Pod of it is there");
  return pod;
};

const sameUid = ({ pods }: Saw, pod: LabPod): string | null =>
  pods.length === 1 && pods[0]?.uid === pod.uid ? null : `Pod ${pod.name} was to be the same, by its UID`;

const metadataOf = ({ deployment }: Saw): JsonObject =>
  ((deployment ?? {}) as { readonly metadata?: JsonObject }).metadata ?? {};
const generationOf = (saw: Saw): string => String(metadataOf(saw)["generation"]);
const uidOf = (saw: Saw): string => String(metadataOf(saw)["uid"]);

const bodyOf = (all: readonly Answer[]): string | null =>
  all.find(({ status }) => status === 200)?.bodySha256 ?? null;

const GIVEN_FILE: LookFor = { claims: ["response"], via: "pod", path: "/given" };

/** The file that the process serves as it stands in its container: its digest. */
const fileNow = async (eyes: Eyes, name: string): Promise<string | null> =>
  bodyOf((await eyes.look(name, GIVEN_FILE)).answers);

const fileIs = async (eyes: Eyes, name: string, digest: string): Promise<string | null> =>
  bodyOf((await eyes.until(name, GIVEN_FILE, (saw) => bodyOf(saw.answers) === digest, SYNCED)).answers);

const short = (digest: string | null): string =>
  digest === null ? "not read" : `sha256:${digest.slice(0, 12)}…`;

/** Source object, delivered file, running process. */
const columns = (name: string, source: string, file: string | null, saw: Saw): readonly Sight[] => [
  { what: `${name}: object`, value: short(source) },
  { what: `${name}: file`, value: short(file) },
  {
    what: `${name}: process`,
    value: [...new Set(saw.answers.map(({ status }) => `answers ${status}`))].join(", "),
  },
];
