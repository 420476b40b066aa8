/**
 * The gRPC health service of grpc-go, on a real cluster: by a Pod's own address and by a Service, in the clear and over TLS.
 * What it answers is what is judged, and an old Pod's SERVING says nothing of the new release (O5).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { authority } from "../../src/testing/api-server/certificate.ts";
import { appReference, deployment } from "./app.ts";
import { seenBoth, storyWith, type Wanted } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";

// A gRPC call goes straight to the address: the API server's proxy carries none.
const story = storyWith("images", "network");

let namespace: Namespace;
const folder = mkdtempSync(join(tmpdir(), "asfound-grpc-"));
const own = authority(Date.now());
const CA = join(folder, "ca.pem");

beforeAll(async () => {
  writeFileSync(CA, own.cert);
  if (!has("images", "network")) return;
  namespace = await ownNamespace();
  const { cert, key } = own.issue({ commonName: "app", names: ["app.test"] });
  await namespace.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "app-tls" },
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": cert, "tls.key": key },
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await namespace?.[Symbol.asyncDispose]();
});

const GRPC = [
  { name: "GRPC_PORT", value: "9090" },
  { name: "GRPC_TLS_PORT", value: "9443" },
  { name: "TLS_CERT", value: "/tls/tls.crt" },
  { name: "TLS_KEY", value: "/tls/tls.key" },
];
const VOLUMES = [{ name: "tls", mountPath: "/tls", source: { secret: { secretName: "app-tls" } } }];

const service = (name: string): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: {
    selector: { app: name },
    ports: [
      { name: "grpc", port: 9090, targetPort: 9090 },
      { name: "grpcs", port: 443, targetPort: 9443 },
      { name: "http", port: 80, targetPort: 8080 },
    ],
  },
});

const seen = (name: string, words: readonly string[], wanted: Wanted): Promise<void> =>
  seenBoth([`deployment/${name}`, "-n", namespace.name, ...words], wanted);

const begun = async (name: string): Promise<void> => {
  await namespace.apply(deployment(name, { env: GRPC, volumes: VOLUMES }), service(name));
  await atRest(namespace, name);
  // Endpoints are ready before kube-proxy has heard of them.
  await eventually(() =>
    seen(name, ["--via", "service", "--expect", "grpc=SERVING"], {
      verdict: "proven",
      findings: { response: ["proven", "as-expected"] },
    }),
  );
};

const BY_UID = ["--pod", "header:x-pod-uid"];

describe("gRPC health", () => {
  story("is proven of a good release by each path, with whose it is; another health is refuted", async () => {
    await begun("good");
    const proven: Wanted = {
      verdict: "proven",
      findings: {
        response: ["proven", "as-expected"],
        "answered-by-new-pod": ["proven", "new-pods-answered"],
      },
    };
    await seen("good", ["--via", "service", "--expect", "grpc:app=SERVING", ...BY_UID], proven);
    await seen("good", ["--via", "pod", "--port", "9090", "--expect", "grpc=SERVING"], proven);
    const secure = ["--via", "service", "--port", "443", "--host", "app.test", "--expect", "grpc=SERVING"];
    await seen("good", [...secure, "--ca", CA, ...BY_UID], proven);
    // The controls: an authority that nobody named, another name, a service that it does not know, an HTTP port.
    await seen("good", secure, {
      verdict: "undetermined",
      findings: { response: ["undetermined", "no-reply"] },
      says: /not signed by an authority that is trusted here/,
    });
    await seen("good", [...secure.map((word) => (word === "app.test" ? "other.test" : word)), "--ca", CA], {
      verdict: "undetermined",
      says: /for another name/,
    });
    await seen("good", ["--via", "service", "--expect", "grpc:other=SERVING"], {
      verdict: "refuted",
      findings: { response: ["refuted", "other-reply"] },
      says: /5 \(NOT_FOUND\)/,
    });
    await seen("good", ["--via", "service", "--port", "80", "--expect", "grpc=SERVING"], {
      verdict: "undetermined",
      findings: { response: ["undetermined", "no-reply"] },
    });
  });

  story("of a Pod that is not ready is NOT_SERVING; of an old Pod it proves nothing", async () => {
    await begun("half");
    // biome-ignore lint/suspicious/noExplicitAny: a manifest, whose shape is the API's.
    const manifest: any = deployment("half", {
      image: appReference(":2.0.0"),
      env: [...GRPC, { name: "READY", value: "false" }],
      volumes: VOLUMES,
    });
    manifest.spec.strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await namespace.apply(manifest);
    // The old ones serve; the new one, asked itself, does not.
    await eventually(() =>
      seen("half", ["--via", "pod", "--port", "9090", "--expect", "grpc=SERVING"], {
        verdict: "progressing",
        findings: {
          response: ["progressing", "waiting-for"],
          "answered-by-new-pod": ["progressing", "waiting-for"],
        },
      }),
    );
    await seen("half", ["--via", "service", "--expect", "grpc=SERVING", ...BY_UID], {
      verdict: "progressing",
      findings: {
        response: ["proven", "as-expected"],
        "answered-by-new-pod": ["progressing", "waiting-for"],
      },
    });
  });
});
