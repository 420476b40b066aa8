/** The testbed's cluster does what a cluster does: rollouts, Services, probes, config, names. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deployment, describeApp, describePod, service, steer } from "./app.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, kubectl, type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (!has("images")) return;
  namespace = await ownNamespace();
  await namespace.apply(deployment("web"), service("web"));
  await atRest(namespace, "web");
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

const addressOf = async (name: string): Promise<string> =>
  `http://${(await namespace.get("service", name)).spec.clusterIP}/`;
const podsOf = async (name: string) =>
  (await namespace.list("pods", `app=${name}`)).filter(({ metadata }) => !("deletionTimestamp" in metadata));
const readyEndpoints = async (name: string): Promise<number> => {
  const slices = await namespace.list("endpointslices", `kubernetes.io/service-name=${name}`);
  return slices
    .flatMap(
      (slice) => (slice as unknown as { readonly endpoints: readonly Endpoint[] | null }).endpoints ?? [],
    )
    .filter(({ conditions }) => conditions.ready).length;
};
interface Endpoint {
  readonly conditions: { readonly ready: boolean };
}

/** Its first Pod, by the order in which they are listed. */
const firstOf = async (name: string): Promise<KubeObject> => (await podsOf(name))[0]!;

describe("the cluster", () => {
  it("has one node, and it is Ready", async (context) => {
    needing("testbed")(context);
    const { items } = JSON.parse(await kubectl(["get", "nodes", "-o", "json"]));
    expect(items).toHaveLength(1);
    expect(items[0].status.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "True" }),
    );
  });

  it("rolls a Deployment out, and its Service answers from each Pod, known by UID", async (context) => {
    needing("network")(context);
    const uids = (await podsOf("web")).map(({ metadata }) => metadata.uid).sort();
    expect(uids).toHaveLength(2);
    const address = await addressOf("web");
    const answered = new Set<string>();
    await eventually(async () => {
      const { uid, version } = await describeApp(address);
      expect(version).toBe("1.0.0");
      answered.add(uid);
      expect([...answered].sort()).toEqual(uids);
    });
  });

  it("takes a Pod whose readiness answers 503 out of the Service, and lets it in again", async (context) => {
    needing("network")(context);
    const [first, second] = await podsOf("web");
    await steer(first!, { ready: false });
    await eventually(async () => expect(await readyEndpoints("web")).toBe(1));
    const address = await addressOf("web");
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => describeApp(address)));
      expect(new Set(answers.map(({ uid }) => uid))).toEqual(new Set([second?.metadata.uid]));
    });
    await steer(first!, { ready: true });
    await eventually(async () => expect(await readyEndpoints("web")).toBe(2));
  });

  it("restarts a container whose liveness answers 503, in the same Pod", async () => {
    const first = await firstOf("web");
    const before = first.status.containerStatuses[0].restartCount;
    await steer(first, { live: false });
    await eventually(async () => {
      const pod = await namespace.get("pod", first.metadata.name);
      expect(pod.metadata.uid).toBe(first.metadata.uid);
      expect(pod.status.containerStatuses[0].restartCount).toBe(before + 1);
    });
    await atRest(namespace, "web");
  });

  it("names a Service to Pods, and takes commands and gives logs", async () => {
    const [first] = await podsOf("web");
    const pod = `pod/${first?.metadata.name}`;
    await eventually(async () =>
      expect(await namespace.run("exec", pod, "--", "/bin/app", "get", "http://web/")).toMatch(/^200 \{/),
    );
    expect(await namespace.run("logs", pod)).toContain(`serves 1.0.0 as ${first?.metadata.name}`);
  });

  it("gives config by environment once and by file again, and the app says which of them it loaded", async () => {
    const config = (greeting: string): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "greeting" },
      data: { greeting },
    });
    const fromMap = { configMapKeyRef: { name: "greeting", key: "greeting" } };
    const volume = { name: "greeting", mountPath: "/config", source: { configMap: { name: "greeting" } } };
    await namespace.apply(
      config("hello"),
      deployment("by-env", {
        replicas: 1,
        env: [
          { name: "GREETING", valueFrom: fromMap },
          { name: "CONFIG_FROM", value: "env:GREETING" },
        ],
      }),
      deployment("by-file", {
        replicas: 1,
        env: [{ name: "CONFIG_FROM", value: "file:/config/greeting" }],
        volumes: [volume],
      }),
    );
    await Promise.all([atRest(namespace, "by-env"), atRest(namespace, "by-file")]);
    const described = async (name: string) => describePod(await firstOf(name));
    expect((await described("by-env")).config.text).toBe("hello");
    expect((await described("by-file")).config.text).toBe("hello");
    await namespace.apply(config("goodbye"));
    await eventually(async () => expect((await described("by-file")).configNow.text).toBe("goodbye"));
    expect((await described("by-file")).config.text).toBe("hello");
    expect((await described("by-env")).configNow.text).toBe("hello");
  });
});
