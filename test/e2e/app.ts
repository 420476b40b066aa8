/** The test app (testbed/images/app) as a Deployment with a Service, and what it says when it is asked. */
import { NETWORK } from "../../testbed/place.ts";

export const appReference = (tag: string): string => `${NETWORK.registry}/app${tag}`;

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
            },
            livenessProbe: { httpGet: { path: "/livez", port: 8080 }, periodSeconds: 1, failureThreshold: 3 },
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
export const describeApp = async (url: string): Promise<Description> => {
  const reply = await fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) });
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}`);
  return (await reply.json()) as Description;
};

/** Sets what the app lets one set at run time. */
export const steer = async (podAddress: string, control: object): Promise<void> => {
  const reply = await fetch(`http://${podAddress}:8080/control`, {
    method: "PATCH",
    body: JSON.stringify(control),
  });
  if (reply.status !== 200)
    throw new Error(`the app refused ${JSON.stringify(control)}: ${await reply.text()}`);
};
