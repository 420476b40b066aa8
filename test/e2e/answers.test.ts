/**
 * Replies on a real cluster, and whose they are: by a Pod's own address, by the Service, by the API server's proxy. Where an
 * old Pod answers 200, nothing is proven of the new release, by one look or by a watch (O5).
 */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openCluster } from "../../src/adapters/cluster-https/open.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import type { Round } from "../../src/ports/cluster.ts";
import { appReference, deployment, imageReference, service, steer, steerAll, untilServed } from "./app.ts";
import { seenBoth, storyWith, verify, type Wanted } from "./asfound.ts";
import { readyBehind } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { LACK } from "./lack.ts";

const story = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (LACK === null) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

const begun = async (name: string): Promise<void> => {
  await namespace.apply(deployment(name), service(name));
  await untilServed(namespace, name);
};

/** Version 2 that does not become ready, beside two of version 1 that serve. */
const halfway = (
  name: string,
  change: { readonly tag: string; readonly env?: readonly object[] },
): object => {
  // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
  const manifest: any = deployment(name, { image: appReference(change.tag), env: change.env ?? [] });
  manifest.spec.strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  return manifest;
};

const asked = (target: string, ...words: readonly string[]) => verify(target, "-n", namespace.name, ...words);
const seen = (target: string, words: readonly string[], wanted: Wanted): Promise<void> =>
  seenBoth([target, "-n", namespace.name, ...words], wanted);

const BY_UID = ["--pod", "$.uid"];

describe("of a release that is rolled out", () => {
  story("each path is proven, with whose the replies are", async () => {
    await begun("good");
    await seen("deployment/good", ["--via", "service", ...BY_UID, "--expect", "json:$.version=1.0.0"], {
      verdict: "proven",
      findings: {
        response: ["proven", "as-expected"],
        "answered-by-new-pod": ["proven", "new-pods-answered"],
      },
    });
    await seen("deployment/good", ["--via", "pod", "--samples", "1"], {
      verdict: "proven",
      findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
    });
    // By its name, which the app tells as well, and by nobody's word: only new Pods could have answered.
    await seen("deployment/good", ["--via", "service/good", "--pod", "$.pod"], { verdict: "proven" });
    await seen(
      "deployment/good",
      ["--via", "service/good", "--claims", "old-gone,response,answered-by-new-pod"],
      { verdict: "proven", findings: { "answered-by-new-pod": ["proven", "only-new-pods"] } },
    );
    // The control: another version is expected, and it is not what came.
    await seen("deployment/good", ["--via", "service", "--expect", "json:$.version=2.0.0"], {
      verdict: "refuted",
      findings: { response: ["refuted", "other-reply"] },
    });
    await seen("deployment/good", ["--via", "service/nobody"], {
      verdict: "undetermined",
      findings: { response: ["undetermined", "no-reply"] },
    });
  });
});

describe("of an app that does not tell which Pod it is", () => {
  story("a line in its log does; an app that writes none, and an old Pod's line, prove nothing", async () => {
    const env = [{ name: "LOG_REQUESTS", value: "X-Request-Id" }];
    await namespace.apply(deployment("logging", { env }), service("logging"));
    await untilServed(namespace, "logging");
    const by = ["--via", "service", "--pod", "log"];
    await seen("deployment/logging", by, {
      verdict: "proven",
      findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
    });
    // The control: in a header that it does not log.
    await seen("deployment/logging", ["--via", "service", "--pod", "log:X-Other-Id", "--samples", "1"], {
      verdict: "undetermined",
      findings: { "answered-by-new-pod": ["undetermined", "missing"] },
    });
    const next = halfway("logging", { tag: ":2.0.0", env: [...env, { name: "READY", value: "false" }] });
    await namespace.apply(next);
    await eventually(async () => {
      const pods = await namespace.list("pods", "app=logging");
      const running = pods.filter(({ status }) => status.containerStatuses?.[0]?.state.running !== undefined);
      expect(running).toHaveLength(3);
    });
    await seen("deployment/logging", by, {
      verdict: "progressing",
      findings: { "answered-by-new-pod": ["progressing", "waiting-for"] },
    });
  });
});

/** It tells at a port of its own which requests it has seen, and nothing of itself in a reply. */
const CONF = `events {}
http {
  log_format ids '$http_x_request_id';
  server { listen 80; access_log /dev/shm/ids ids; location / { return 200 "somebody"; } }
  server { listen 9901; access_log off; location = /requests { default_type text/plain; alias /dev/shm/ids; } }
}
`;

describe("of an app that tells at a port of its own what it has seen", () => {
  story("a reply is that Pod's; at another port or path nothing is told, and nothing proven", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
    const nginx: any = deployment("port", { image: imageReference("nginx", ":1") });
    nginx.spec.template.spec.containers = [
      {
        name: "nginx",
        image: imageReference("nginx", ":1"),
        volumeMounts: [{ name: "conf", mountPath: "/etc/nginx/nginx.conf", subPath: "nginx.conf" }],
      },
    ];
    nginx.spec.template.spec.volumes = [{ name: "conf", configMap: { name: "port" } }];
    const conf = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "port" },
      data: { "nginx.conf": CONF },
    };
    const ports = [{ port: 80, targetPort: 80 }];
    await namespace.apply(conf, nginx, { ...service("port"), spec: { selector: { app: "port" }, ports } });
    await untilServed(namespace, "port");
    await seen("deployment/port", ["--via", "service", "--pod", "port:9901/requests"], {
      verdict: "proven",
      findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
    });
    for (const pod of ["port:9902/requests", "port:9901/nothing"])
      await seen("deployment/port", ["--via", "service", "--pod", pod, "--samples", "1"], {
        verdict: "undetermined",
        findings: {
          response: ["proven", "as-expected"],
          "answered-by-new-pod": ["undetermined", "missing"],
        },
      });
  });
});

describe("of a release that is not there yet", () => {
  story("a 200 of an old Pod proves nothing of it, whatever is asked", async () => {
    await begun("half");
    await namespace.apply(halfway("half", { tag: ":2.0.0", env: [{ name: "READY", value: "false" }] }));
    await eventually(async () => {
      const pods = await namespace.list("pods", "app=half");
      const states = pods.map(({ spec, status }) => [
        spec.containers[0].image.replace(/^.*:/, ""),
        status.containerStatuses?.[0]?.ready,
        status.containerStatuses?.[0]?.started,
      ]);
      expect(states.sort()).toEqual([
        ["1.0.0", true, true],
        ["1.0.0", true, true],
        ["2.0.0", false, true],
      ]);
    });
    await seen("deployment/half", ["--via", "service", ...BY_UID], {
      verdict: "progressing",
      findings: {
        response: ["proven", "as-expected"],
        "answered-by-new-pod": ["progressing", "waiting-for"],
      },
    });
    await seen("deployment/half", ["--via", "service", ...BY_UID, "--expect", "json:$.version=2.0.0"], {
      verdict: "progressing",
      findings: { response: ["progressing", "waiting-for"] },
    });
    // Nobody's word: old Pods stand behind the Service.
    await seen("deployment/half", ["--via", "service", "--claims", "old-gone,response,answered-by-new-pod"], {
      verdict: "undetermined",
      findings: { "answered-by-new-pod": ["undetermined", "not-told"] },
    });
  });

  story("and that failed, an old Pod's 200 refutes that the new one answered", async () => {
    await begun("failed");
    await namespace.apply(halfway("failed", { tag: ":9.9.9" }));
    await eventually(async () => {
      const pods = await namespace.list("pods", "app=failed");
      const waiting = pods.flatMap(
        ({ status }) => status.containerStatuses?.[0]?.state.waiting?.reason ?? [],
      );
      expect(waiting.join()).toMatch(/ErrImagePull|ImagePullBackOff/);
    });
    await seen("deployment/failed", ["--via", "service", ...BY_UID], {
      verdict: "refuted",
      findings: {
        response: ["proven", "as-expected"],
        "answered-by-new-pod": ["refuted", "old-pod-answered"],
      },
    });
  });
});

describe("where nobody answers", () => {
  story("a Service without ready endpoints refuses, which is no reply", async () => {
    await begun("silent");
    await steerAll(namespace, "silent", 2, { ready: false });
    await eventually(async () => {
      const { status } = await namespace.get("deployment", "silent");
      expect(status.readyReplicas ?? 0).toBe(0);
      expect(await readyBehind(namespace, "silent")).toEqual([]);
    });
    // A proxy hears of it later.
    const { report } = await eventually(async () => {
      const got = await asked("deployment/silent", "--via", "service", "--samples", "1");
      expect(got.report.findings.find(({ claim }) => claim === "response")?.reason).toBe("no-reply");
      return got;
    });
    expect(report.findings.find(({ claim }) => claim === "response")?.sentence).toMatch(
      // By its address, or by the API server's own word.
      /refused|reached|no endpoints available/,
    );
    expect(report.verdict).toBe("refuted");
  });
});

/** A round of questions by the adapter itself. */
const asking = async (): Promise<{ readonly round: Round; readonly end: () => void }> => {
  const opened = await openCluster({
    clock: systemClock,
    environment: process.env,
    workingDirectory: process.cwd(),
    kubeconfig: null,
    context: null,
    namespace: namespace.name,
    exec: { allow: [], show: () => undefined },
  });
  if (opened.kind === "refused") throw new Error(opened.sentence);
  const { cluster } = opened;
  const round = cluster.round({ deadlineMs: 30_000, stop: new AbortController().signal });
  return {
    round,
    end: () => {
      round.end();
      cluster.close();
    },
  };
};

describe("through the API server's proxy", () => {
  story(
    "a Pod's and a Service's reply come as they are, and what the API server says itself is none",
    async () => {
      await begun("proxied");
      const { round, end } = await asking();
      const ref = { namespace: namespace.name, scheme: "http", path: "/", headers: {} } as const;
      try {
        const [pod] = await namespace.list("pods", "app=proxied");
        const ofPod = await round.proxied({
          ...ref,
          resource: "pods",
          name: String(pod?.metadata.name),
          port: 8080,
        });
        if (ofPod.kind !== "replied") throw new Error(ofPod.sentence);
        expect(ofPod.status).toBe(200);
        expect(JSON.parse(Buffer.from(ofPod.exchange.body).toString())).toMatchObject({
          uid: pod?.metadata.uid,
        });
        const ofService = await round.proxied({ ...ref, resource: "services", name: "proxied", port: 80 });
        expect(ofService).toMatchObject({ kind: "replied", status: 200 });
        // What the app answers is its reply, whatever it is.
        await steer(pod as KubeObject, { status: 503 });
        const refusing = await round.proxied({
          ...ref,
          resource: "pods",
          name: String(pod?.metadata.name),
          port: 8080,
        });
        expect(refusing).toMatchObject({ kind: "replied", status: 503 });
        const nobody = await round.proxied({ ...ref, resource: "services", name: "nobody", port: 80 });
        expect(nobody).toMatchObject({ kind: "failed" });
        const deaf = await round.proxied({
          ...ref,
          resource: "pods",
          name: String(pod?.metadata.name),
          port: 9,
        });
        expect(deaf).toMatchObject({ kind: "failed", sentence: expect.stringMatching(/connection refused/) });
      } finally {
        end();
      }
    },
  );
});

describe("the cluster's own network", () => {
  storyWith("network")("is known from inside by the API server that stands in it", async () => {
    const { round, end } = await asking();
    try {
      expect(await round.ownNetwork()).toEqual({ kind: "shown" });
    } finally {
      end();
    }
  });
});
