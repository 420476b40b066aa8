/**
 * kill -9 at every point of a step that pins an Application, over the fake API server and a scripted controller: at most one patch
 * is taken, whatever the ledger knows of it; what is there in the end is what was declared; and nothing is made or deleted.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { ApiServer } from "../../../src/testing/api-server/api-server.ts";
import { startApiServer } from "../../../src/testing/api-server/start.ts";
import { makePlace, PAST_CALL_BY_MS, type Place, stackText } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { appOf, argoController, patches, SHOP } from "../../support/argo.ts";
import { kubeconfigFile } from "../../support/cluster.ts";
import { COMMIT } from "../../support/kubernetes/application.ts";
import { KUBE_SYSTEM } from "../../support/kubernetes-step.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { asfound, type Mutant, passedIn, wordsOf } from "./cli.ts";
import { WITHIN } from "./kubernetes.ts";
import { hitsOf } from "./points.ts";
import { type Hit, hitText } from "./scenario.ts";

ownTempFolder("crash-points-argocd");

interface Story {
  readonly name: "create" | "update" | "destroy";
  /** To which it is pinned before, and then. */
  readonly before: string | null;
  readonly after: string;
  readonly verb: Verb;
  /** What targetRevision says in the end. */
  readonly aims: string;
}

const STORIES: readonly Story[] = [
  { name: "create", before: null, after: COMMIT.v2, verb: { verb: "apply" }, aims: COMMIT.v2 },
  { name: "update", before: COMMIT.v2, after: COMMIT.v3, verb: { verb: "apply" }, aims: COMMIT.v3 },
  { name: "destroy", before: COMMIT.v2, after: COMMIT.v2, verb: { verb: "destroy" }, aims: "main" },
];

interface Stage {
  readonly server: ApiServer;
  readonly place: Place;
  declare(revision: string): Promise<void>;
}

const staged = async (story: Story): Promise<Stage> => {
  const server = await startApiServer();
  server.put(KUBE_SYSTEM, {});
  server.put(SHOP, appOf({}));
  argoController(server);
  const place = await makePlace();
  onTestFinished(async () => {
    await place.end();
    await server.close();
  });
  const kubeconfig = JSON.stringify(kubeconfigFile(server.kubeconfig()));
  const declare = (revision: string): Promise<void> => {
    const step = [
      "  web:",
      "    uses: argocd",
      "    settle: 200ms",
      "    deadline: 20s",
      `    with: { application: argocd/shop, revision: ${revision}, kubeconfig: ${kubeconfig} }`,
    ];
    return place.writeStack(stackText([step.join("\n")]));
  };
  await declare(story.before ?? story.after);
  if (story.before !== null) expect((await place.apply()).exit, "the apply before").toBe(0);
  await declare(story.after);
  return { server, place, declare };
};

const uidIn = (server: ApiServer): unknown => {
  const app = server.get(SHOP);
  return app === undefined ? undefined : (app["metadata"] as JsonObject)["uid"];
};

const aims = (server: ApiServer): unknown => {
  const app = server.get(SHOP);
  const spec = app === undefined ? {} : (app["spec"] as JsonObject);
  return (spec["source"] as JsonObject)["targetRevision"];
};

const survey = async (story: Story): Promise<readonly Hit[]> => {
  const { place } = await staged(story);
  const ran = await asfound(place.folder, wordsOf(story.verb), { crashAt: "trace" });
  expect(ran.exit, ran.err).toBe(0);
  return hitsOf(passedIn(ran.err)).filter(({ point }) => WITHIN.has(point));
};

const crash = async (story: Story, hit: Hit, mutant?: Mutant): Promise<void> => {
  const { server, place } = await staged(story);
  const uid = uidIn(server);
  const before = patches(server);
  const how = mutant === undefined ? {} : { mutant };
  const ran = await asfound(place.folder, wordsOf(story.verb), { ...how, crashAt: hitText(hit) });
  expect(ran.signal, `${hitText(hit)} was not hit (exit ${ran.exit}): ${ran.err}`).toBe("SIGKILL");
  let aheadMs = 0;
  const act = async (verb: Verb): Promise<number | null> =>
    mutant === undefined
      ? (await place.do(verb)).exit
      : (await asfound(place.folder, wordsOf(verb), { ...how, aheadMs })).exit;
  // What was handed to the system before it died is still read by the server.
  await expect.poll(() => server.get(SHOP)?.["operation"]).toBeUndefined();
  const died = patches(server);
  if ((await place.step("web")).status === "unresolved") {
    const exit = await act(story.verb);
    if (exit === 21) expect(patches(server), "sent again while in doubt").toBe(died);
    else expect(exit, "the plain verb, at once").toBe(0);
  }
  place.passTime(PAST_CALL_BY_MS);
  aheadMs += PAST_CALL_BY_MS;
  const then = patches(server);
  await act({ verb: "reconcile" });
  expect(patches(server), "R6: reconcile changes nothing").toBe(then);
  expect(await act(story.verb), "the verb again").toBe(0);
  expect(patches(server) - before, "patches that were taken").toBe(1);
  expect(aims(server)).toBe(story.aims);
  const status = story.verb.verb === "destroy" ? "destroyed" : "complete";
  expect((await place.step("web")).status).toBe(status);
  expect(uidIn(server), "the same Application").toBe(uid);
};

describe("kill -9 at every point, over argocd", () => {
  it.each(STORIES)("$name: one patch, settled by asking", async (story) => {
    const hits = await survey(story);
    const failures: string[] = [];
    for (const hit of hits)
      try {
        await crash(story, hit);
      } catch (error) {
        failures.push(`${hitText(hit)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    expect(failures).toEqual([]);
    expect(hits.length).toBeGreaterThan(6);
    console.log(`argocd: ${story.name}: killed at ${hits.map(hitText).join(", ")}`);
  });
});

const PROVIDER = "/provider-kubernetes/argocd";

describe("a broken provider is caught", () => {
  it.each<[string, Story["name"], Hit, Mutant, RegExp]>([
    [
      "our own mark is not looked for",
      "create",
      { point: "write-replied", nth: 1 },
      {
        file: `${PROVIDER}/provider.ts`,
        from: "(marks.includes(mark) ||",
        to: "(marks.includes(mark.slice(1)) ||",
      },
      /patches that were taken|the verb again/,
    ],
    [
      "what an earlier call of this step did is done again",
      "create",
      { point: "write-replied", nth: 1 },
      {
        file: `${PROVIDER}/standing.ts`,
        from: "if (isDeployed(object, source, revision)) return",
        to: "if (revision === '') return",
      },
      /patches that were taken|the verb again/,
    ],
    [
      "a lift that was lost is not seen",
      "destroy",
      { point: "write-replied", nth: 1 },
      {
        file: `${PROVIDER}/pin.ts`,
        from: "{ [PIN]: null, [WAS]: null, [STEP]: null }",
        to: "{ [WAS]: null }",
      },
      /the verb again|the plain verb|patches that were taken/,
    ],
  ])("%s", async (_what, name, hit, mutant, caught) => {
    const story = STORIES.find((one) => one.name === name) as Story;
    await expect(crash(story, hit, mutant)).rejects.toThrow(caught);
    await crash(story, hit);
  });
});
