/** kill -9 at every point of a call that is many requests: steps of manifests over the fake API server. */
import { describe, expect, it } from "vitest";
import { ownTempFolder } from "../../support/own-folder.ts";
import { crash, crashAndDestroy, KUBERNETES, type KubernetesStory, survey } from "./kubernetes.ts";
import { unhit } from "./points.ts";
import { type Hit, hitText } from "./scenario.ts";

ownTempFolder("crash-points-kubernetes");

const sweepOf = async (
  story: KubernetesStory,
  through: (story: KubernetesStory, hit: Hit) => Promise<void>,
): Promise<readonly Hit[]> => {
  const hits = await survey(story);
  const failures: string[] = [];
  for (const hit of hits)
    try {
      await through(story, hit);
    } catch (error) {
      failures.push(`${hitText(hit)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  expect(failures).toEqual([]);
  console.log(`kubernetes: ${story.name}: killed at ${hits.length} passings`);
  return hits;
};

describe("kill -9 at every point, over kubernetes", () => {
  it.each(KUBERNETES)("$name: settled, finished, and destroyed", async (story) => {
    const hits = await sweepOf(story, crash);
    expect(unhit(`kubernetes: ${story.name}`, hits), "points that this story is to hit").toEqual([]);
    expect(hits.length).toBeGreaterThan(10);
  });

  it.each(KUBERNETES.filter(({ name }) => name !== "destroy"))(
    "$name: settled, and destroyed at once",
    async (story) => {
      await sweepOf(story, crashAndDestroy);
    },
  );
});

describe("a broken provider is caught", () => {
  const story = (name: string): KubernetesStory => {
    const found = KUBERNETES.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no story ${name}`);
    return found;
  };

  it.each([
    {
      what: "the inventory is not written before the first object",
      mutant: {
        file: "/provider-kubernetes/change.ts",
        from: "const inventory = await writeInventory(",
        to: "const inventory = await (async (..._: readonly unknown[]) => ({ kind: 'applied' as const, uid: '', object: {}, resourceVersion: '' }))(",
      },
      of: "create",
      at: { point: "write-replied", nth: 1 } as Hit,
      caught: /the verb again: expected (10|21)/,
    },
    {
      what: "what a lost destroy left is called absent as soon as the inventory is gone",
      mutant: {
        file: "/provider-kubernetes/observe.ts",
        from: "if (inventory === null && ours.length === 0) return",
        to: "if (inventory === null || ours.length < 2) return",
      },
      of: "destroy",
      at: { point: "write-replied", nth: 1 } as Hit,
      caught: /^a: expected .* to be undefined/,
    },
  ])("$what", async ({ mutant, of, at, caught }) => {
    await expect(crash(story(of), at, mutant)).rejects.toThrow(caught);
    await crash(story(of), at);
  });
});
