/** A real Argo CD and a real Git server: what an Application aims at, synced and says, kept apart from what serves. */
import { beforeAll, describe } from "vitest";
import { ARGOCD_NAMESPACE } from "../../testbed/place.ts";
import { type Delivery, delivery, web } from "./application.ts";
import { expectVerdict, storyWith, type Verified, verify } from "./asfound.ts";
import { has } from "./lack.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("testbed");

beforeAll(async () => {
  if (has("testbed")) await testbed("start", "argocd");
});

/** The Application alone. */
const asked = ({ name }: Delivery, commit: string, ...more: readonly string[]): Promise<Verified> =>
  verify(`application/${name}`, "-n", ARGOCD_NAMESPACE, "--commit", commit, ...more);

/** The Deployment that it declares, and what its Service answers. */
const askedWhole = ({ name }: Delivery, commit: string, ...more: readonly string[]): Promise<Verified> =>
  verify(
    ...["deployment/web", "-n", name, "--application", `${ARGOCD_NAMESPACE}/${name}`, "--commit", commit],
    ...["--via", "service/web", "--path", "/", "--expect", "status=200", ...more],
  );

describe("on a real Argo CD", () => {
  story("a good commit is proven", async () => {
    await using shop = await delivery();
    const good = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare();
    await shop.becomes({ sync: "Synced", health: "Healthy", phase: "Succeeded", revision: good });
    await shop.looksAfterSync();
    expectVerdict(await asked(shop, good), { verdict: "proven" });
    expectVerdict(await askedWhole(shop, good), { verdict: "proven" });
  });
});
