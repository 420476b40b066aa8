/** When a watch looks again: at the word of a Pod, too, and never is that word more than a reason to look (V6). */
import { expect, it, onTestFinished } from "vitest";
import { httpProber } from "../../src/adapters/prober-http/prober.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { NOTHING_EXPECTED } from "../../src/domain/expected.ts";
import { NO_COMPARISON } from "../../src/runtime/comparison.ts";
import type { VerdictReport } from "../../src/runtime/verify.ts";
import { watchVerdict } from "../../src/runtime/watch.ts";
import type { ApiLogEntry } from "../../src/testing/api-server/log.ts";
import { type Fake, fakeCluster } from "../support/cluster.ts";
import { READ_AT, type World, worldFiles } from "../support/kubernetes/deployment.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import { clockAt, serve } from "../support/kubernetes/served.ts";

/** Longer than a test may take: who waits for the next look by the clock never ends. */
const FAR_MS = 3_600_000;
/** The Deployment is done, and will not change any more. */
const ending: World = { ...done, old: [{ version: "v1", pods: ["terminating"] }] };

const fakeOf = async (world: World): Promise<Fake> => {
  const fake = await fakeCluster({ clock: clockAt(READ_AT) });
  serve(fake.server, worldFiles(world));
  return fake;
};

const watch = ({ cluster }: Fake, windowMs = FAR_MS): Promise<VerdictReport> =>
  watchVerdict(
    {
      cluster,
      prober: httpProber({ ca: null }),
      clock: systemClock,
      question: {
        kind: "deployment",
        namespace: "shop",
        name: "web",
        expected: NOTHING_EXPECTED,
        claims: ["rollout-complete", "old-gone"],
      },
      comparison: NO_COMPARISON,
      timeoutMs: 10_000,
      stop: new AbortController().signal,
    },
    { windowMs, everyMs: FAR_MS, failFast: false },
    { report: () => undefined },
  );

/** Once the Pods are watched. */
const whenPodsAreWatched = ({ server }: Fake, act: (entry: ApiLogEntry) => void): void => {
  const stop = server.onAsked((entry) => {
    if (entry.verb !== "watch" || entry.resource !== "pods") return;
    stop();
    act(entry);
  });
  onTestFinished(stop);
};

it("the last old Pod ends, and the Deployment tells nothing: proven without waiting for the time", async () => {
  const fake = await fakeOf(ending);
  let asked = "";
  whenPodsAreWatched(fake, ({ path }) => {
    asked = path;
    serve(fake.server, worldFiles(done), worldFiles(ending));
  });
  expect(await watch(fake)).toMatchObject({ verdict: "proven", window: { ended: false } });
  expect(new URL(asked, fake.server.url).searchParams.get("labelSelector")).toBe("app=web");
});

it("V6: a Pod that is told to be gone, and is listed all the same, is not gone", async () => {
  const fake = await fakeOf(ending);
  const name = Object.values(worldFiles(ending))
    .flatMap(
      ({ items }) =>
        items as readonly { kind: string; metadata: { name: string; deletionTimestamp?: string } }[],
    )
    .find(({ kind, metadata }) => kind === "Pod" && metadata.deletionTimestamp !== undefined)?.metadata.name;
  const place = { resource: "pods", namespace: "shop", name: String(name) };
  whenPodsAreWatched(fake, () => {
    const pod = fake.server.get(place);
    fake.server.remove(place);
    fake.server.put(place, pod ?? {});
  });
  const report = await watch(fake, 1_500);
  expect(report).toMatchObject({ verdict: "progressing", window: { ended: true } });
  const looks = fake.server.log().filter(({ verb, resource }) => verb === "list" && resource === "pods");
  // At the word, and at the window's end.
  expect(looks.length).toBeGreaterThanOrEqual(3);
});

it("a selector that is none narrows nothing, and the Deployment is watched as before", async () => {
  const fake = await fakeOf(ending);
  const place = { resource: "deployments.apps", namespace: "shop", name: "web" };
  const web = fake.server.get(place) as { spec: { selector: object } };
  fake.server.put(place, {
    ...web,
    spec: { ...web.spec, selector: { matchLabels: { app: "web,tier!=x y" } } },
  });
  const stop = fake.server.onAsked(({ verb }) => {
    if (verb !== "watch") return;
    stop();
    serve(fake.server, worldFiles(done), worldFiles(ending));
  });
  expect(await watch(fake)).toMatchObject({ verdict: "proven" });
  expect(fake.server.log().filter(({ verb, resource }) => verb === "watch" && resource === "pods")).toEqual(
    [],
  );
});
