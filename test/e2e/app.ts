/** The test app (testbed/images/app) as a Deployment with a Service, and what it says when it is asked. */
import type { JsonObject } from "../../src/domain/json.ts";
import { NETWORK } from "../../testbed/place.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import type { KubeObject, Namespace } from "./kubectl.ts";
import { has } from "./lack.ts";
import { askProxied } from "./proxied.ts";

/** Of the cluster's own, where it is not a testbed. */
const REGISTRY = process.env["ASFOUND_E2E_REGISTRY"] || NETWORK.registry;

/** An image of the registry that the cluster pulls from. */
export const imageReference = (repository: string, tag: string): string => `${REGISTRY}/${repository}${tag}`;
export const appReference = (tag: string): string => imageReference("app", tag);

export interface AppOptions {
  readonly image?: string;
  readonly replicas?: number;
  readonly env?: readonly object[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly source: object;
  }[];
}

/** An app on a loaded machine that answers late is not unready: what a test wants of it is answered, by a 503. */
const PATIENCE_SECONDS = 10;

const field = (name: string, fieldPath: string): object => ({ name, valueFrom: { fieldRef: { fieldPath } } });

export const deployment = (
  name: string,
  { image = appReference(":1.0.0"), replicas = 2, env = [], volumes = [] }: AppOptions = {},
): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "app",
            image,
            imagePullPolicy: "Always",
            ports: [{ containerPort: 8080 }],
            env: [field("POD_NAME", "metadata.name"), field("POD_UID", "metadata.uid"), ...env],
            readinessProbe: {
              httpGet: { path: "/readyz", port: 8080 },
              periodSeconds: 1,
              failureThreshold: 1,
              timeoutSeconds: PATIENCE_SECONDS,
            },
            livenessProbe: {
              httpGet: { path: "/livez", port: 8080 },
              periodSeconds: 1,
              failureThreshold: 3,
              timeoutSeconds: PATIENCE_SECONDS,
            },
            volumeMounts: volumes.map(({ name, mountPath }) => ({ name, mountPath })),
          },
        ],
        volumes: volumes.map(({ name, source }) => ({ name, ...source })),
      },
    },
  },
});

export const service = (name: string): object => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
});

/** What the tests read of the app's description of itself. */
export interface Description {
  readonly version: string;
  readonly pod: string;
  readonly uid: string;
  readonly config: { readonly text: string; readonly sha256: string };
  readonly configNow: { readonly text: string };
}

/** One request on a connection of its own: a kept one would go to the same Pod each time. */
const answerOf = async (url: string): Promise<Response> => {
  const reply = await fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) });
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}`);
  return reply;
};
export const describeApp = async (url: string): Promise<Description> =>
  (await (await answerOf(url)).json()) as Description;

/** What the app in this Pod says of itself. */
export const describePod = async ({ metadata }: KubeObject): Promise<Description> => {
  const { status, body } = await askProxied("GET", metadata.namespace, `pods/${metadata.name}:8080`, "/");
  if (status !== 200) throw new Error(`Pod ${metadata.name} answered ${status}`);
  return body as unknown as Description;
};

/** Resolves when it is at rest and its Service answers by each way that there is: endpoints are ready before a proxy has heard of them. */
export const untilServed = async (namespace: Namespace, name: string): Promise<void> => {
  await atRest(namespace, name);
  const { spec } = await namespace.get("service", name);
  await eventually(async () => {
    const { status } = await askProxied("GET", namespace.name, `services/${name}:80`, "/");
    if (status !== 200) throw new Error(`Service ${name} answered ${status} through the API server`);
    if (has("network")) await answerOf(`http://${spec.clusterIP}/`);
  });
};

/** Sets what the app lets one set at run time; of an app that runs. */
export const steer = async ({ metadata }: KubeObject, control: JsonObject): Promise<void> => {
  const pod = `pods/${metadata.name}:8080`;
  const { status, body } = await askProxied("PATCH", metadata.namespace, pod, "/control", control);
  if (status !== 200) throw new Error(`the app refused ${JSON.stringify(control)}: ${JSON.stringify(body)}`);
};

/** The same of the only Pods of that name, so many, once each of them takes it: a container runs before its app listens. */
export const steerAll = async (
  namespace: Namespace,
  name: string,
  count: number,
  control: JsonObject,
): Promise<void> =>
  eventually(async () => {
    const pods = await namespace.list("pods", `app=${name}`);
    if (pods.length !== count) throw new Error(`${pods.length} Pods of ${name}`);
    await Promise.all(pods.map((pod) => steer(pod, control)));
  });
