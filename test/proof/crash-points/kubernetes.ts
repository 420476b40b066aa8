/**
 * One crash in a call that is many requests, and the life after it. What is there, the cluster itself tells: which object was
 * ever made, how often, with which UID. The ledger is only asked what it claims.
 *
 *   killed → at once the plain verb changes nothing while its call is in doubt → reconcile changes nothing at all (R6) →
 *   the verb comes to its end, and no object was made twice → destroy leaves nothing, the inventory included.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import type { ApiServer } from "../../../src/testing/api-server/api-server.ts";
import { startApiServer } from "../../../src/testing/api-server/start.ts";
import { makePlace, PAST_CALL_BY_MS, type Place, stackText } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { kubeconfigFile } from "../../support/cluster.ts";
import { effects, KUBE_SYSTEM, place as placeOf } from "../../support/kubernetes-step.ts";
import { asfound, type Mutant, passedIn, wordsOf } from "./cli.ts";
import { hitsOf } from "./points.ts";
import { type Hit, hitText } from "./scenario.ts";

export interface KubernetesStory {
  readonly name: string;
  /** By name: the colour of each ConfigMap before; none: nothing was applied. */
  readonly before: Readonly<Record<string, string>> | null;
  readonly after: Readonly<Record<string, string>>;
  readonly verb: Verb;
}

const APPLY: Verb = { verb: "apply" };
const DESTROY: Verb = { verb: "destroy" };

export const KUBERNETES: readonly KubernetesStory[] = [
  { name: "create", before: null, after: { a: "blue", b: "blue" }, verb: APPLY },
  {
    name: "update that prunes",
    before: { a: "blue", b: "blue" },
    after: { a: "green", c: "green" },
    verb: APPLY,
  },
  { name: "destroy", before: { a: "blue", b: "blue" }, after: {}, verb: DESTROY },
];

interface Stage {
  readonly server: ApiServer;
  readonly place: Place;
}

const declare = (stage: Stage, colours: Readonly<Record<string, string>>): void => {
  const items = Object.entries(colours).map(([name, colour]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    data: { colour },
  }));
  writeFileSync(
    join(stage.place.folder, "k8s", "all.json"),
    JSON.stringify({ apiVersion: "v1", kind: "List", items }),
  );
};

const staged = async (story: KubernetesStory): Promise<Stage> => {
  const server = await startApiServer();
  server.put(KUBE_SYSTEM, {});
  const place = await makePlace();
  onTestFinished(async () => {
    await place.end();
    await server.close();
  });
  mkdirSync(join(place.folder, "k8s"));
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const step = [
    "  web:",
    "    uses: kubernetes",
    "    settle: 200ms",
    `    with: { manifests: k8s, namespace: shop, kubeconfig: ${kubeconfig} }`,
  ];
  await place.writeStack(stackText([step.join("\n")]));
  const stage = { server, place };
  if (story.before !== null) {
    declare(stage, story.before);
    expect((await place.apply()).exit, "the apply before").toBe(0);
  }
  if (story.verb.verb === "apply") declare(stage, story.after);
  return stage;
};

/** The points that lie between an intent and its outcome, and right around them. */
export const WITHIN: ReadonlySet<CrashPoint> = new Set<CrashPoint>([
  "intent-durable",
  "fence-passed",
  "write-connected",
  "write-sent",
  "write-replied",
  "identity-told",
  "identity-durable",
  "outcome-told",
  "outcome-durable",
]);

export const survey = async (story: KubernetesStory): Promise<readonly Hit[]> => {
  const stage = await staged(story);
  const ran = await asfound(stage.place.folder, wordsOf(story.verb), { crashAt: "trace" });
  expect(ran.exit, ran.err).toBe(0);
  await ended(stage, story);
  return hitsOf(passedIn(ran.err)).filter(({ point }) => WITHIN.has(point));
};

/** As declared, made once each, and what left is gone. */
const ended = async (stage: Stage, story: KubernetesStory): Promise<void> => {
  const { server, place } = stage;
  for (const [name, colour] of Object.entries(story.after))
    expect(server.get(placeOf(name)), name).toMatchObject({ data: { colour } });
  for (const name of Object.keys(story.before ?? {}))
    if (!(name in story.after)) expect(server.get(placeOf(name)), name).toBeUndefined();
  for (const name of Object.keys({ ...story.before, ...story.after }))
    expect(
      effects(server).filter((effect) => effect === `created ${name}`),
      "made twice",
    ).toHaveLength(1);
  const status = story.verb.verb === "destroy" ? "destroyed" : "complete";
  expect((await place.step("web")).status).toBe(status);
};

const gone = async ({ server, place }: Stage): Promise<void> => {
  expect((await place.step("web")).status).toBe("destroyed");
  const [made, deleted] = ["created", "deleted"].map(
    (what) => effects(server).filter((effect) => effect.startsWith(what)).length,
  );
  expect(deleted, `left: ${effects(server).join(", ")}`).toBe(made);
};

/** `mutant`: broken in every process of the story; then each verb is a command of its own. */
export const crash = async (story: KubernetesStory, hit: Hit, mutant?: Mutant): Promise<void> => {
  const stage = await staged(story);
  const { server, place } = stage;
  const how = mutant === undefined ? {} : { mutant };
  const ran = await asfound(place.folder, wordsOf(story.verb), { ...how, crashAt: hitText(hit) });
  expect(ran.signal, `${hitText(hit)} was not hit (exit ${ran.exit}): ${ran.err}`).toBe("SIGKILL");
  let aheadMs = 0;
  const act = async (verb: Verb): Promise<number | null> =>
    mutant === undefined
      ? (await place.do(verb)).exit
      : (await asfound(place.folder, wordsOf(verb), { ...how, aheadMs })).exit;

  const died = effects(server);
  const { status } = await place.step("web");
  if (status === "unresolved") {
    const exit = await act(story.verb);
    // A look may settle it; what cannot be settled yet is not sent again.
    if (exit === 21) expect(effects(server), "sent again while in doubt").toEqual(died);
    else expect(exit, "the plain verb, at once").toBe(0);
  }
  place.passTime(PAST_CALL_BY_MS);
  aheadMs += PAST_CALL_BY_MS;
  const before = effects(server);
  await act({ verb: "reconcile" });
  expect(effects(server), "R6: reconcile changes nothing").toEqual(before);
  expect(await act(story.verb), "the verb again").toBe(0);
  await ended(stage, story);
  if (story.verb.verb !== "destroy") expect(await act(DESTROY), "destroy in the end").toBe(0);
  await gone(stage);
};

/** Killed, settled, and destroyed without being finished first: nothing that was made may be forgotten. */
export const crashAndDestroy = async (story: KubernetesStory, hit: Hit): Promise<void> => {
  const stage = await staged(story);
  const ran = await asfound(stage.place.folder, wordsOf(story.verb), { crashAt: hitText(hit) });
  expect(ran.signal, `${hitText(hit)} was not hit (exit ${ran.exit}): ${ran.err}`).toBe("SIGKILL");
  stage.place.passTime(PAST_CALL_BY_MS);
  await stage.place.reconcile();
  expect((await stage.place.destroy()).exit, "destroy").toBe(0);
  const [made, deleted] = ["created", "deleted"].map(
    (what) => effects(stage.server).filter((effect) => effect.startsWith(what)).length,
  );
  expect(deleted, `left: ${effects(stage.server).join(", ")}`).toBe(made);
};
