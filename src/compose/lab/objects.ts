/** What a lab puts into its namespace. All runs on one image, nginx, so that a cluster needs no other. */
import { isJsonObject, type JsonObject } from "../../domain/json.ts";

const labels = (name: string): JsonObject => ({ app: name });

export const configMap = (
  name: string,
  data: Readonly<Record<string, string>>,
  more: JsonObject = {},
): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { ...data },
  ...more,
});

export const service = (name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { selector: labels(name), ports: [{ port: 80, targetPort: 8080 }] },
});

export interface Serving {
  readonly image: string;
  readonly replicas: number;
  /** A label of the template, so that two of them differ. */
  readonly version: string;
  /** The path of nginx's configuration; may name a variable as `$(NAME)`. */
  readonly config: string;
  readonly env?: readonly JsonObject[];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap: string;
    readonly mountPath: string;
    readonly subPath?: string;
  }[];
  readonly probe: string;
  /** RollingUpdate, which takes no old Pod away before a new one is ready. */
  readonly strategy?: "Recreate";
  /** After which a rollout that does not come about counts as failed. */
  readonly deadlineS?: number;
  /** Of the template, and of the Deployment itself. */
  readonly checksum?: { readonly template?: string; readonly top?: string };
}

const CHECKSUM = "checksum/config";
const annotated = (sum: string | undefined): JsonObject =>
  sum === undefined ? {} : { annotations: { [CHECKSUM]: sum } };

export const serving = (name: string, app: Serving): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, ...annotated(app.checksum?.top) },
  spec: {
    replicas: app.replicas,
    selector: { matchLabels: labels(name) },
    strategy:
      app.strategy === undefined
        ? { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
        : { type: app.strategy },
    ...(app.deadlineS === undefined ? {} : { progressDeadlineSeconds: app.deadlineS }),
    template: {
      metadata: { labels: { ...labels(name), version: app.version }, ...annotated(app.checksum?.template) },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "nginx",
            image: app.image,
            command: ["nginx", "-c", app.config, "-g", "daemon off;"],
            ports: [{ containerPort: 8080 }],
            env: [...(app.env ?? [])],
            readinessProbe: {
              httpGet: { path: app.probe, port: 8080 },
              periodSeconds: 1,
              failureThreshold: 1,
            },
            volumeMounts: app.volumes.map(({ name: volume, mountPath, subPath }) => ({
              name: volume,
              mountPath,
              ...(subPath === undefined ? {} : { subPath }),
            })),
          },
        ],
        volumes: [
          ...new Map(
            app.volumes.map(({ name: volume, configMap: of }) => [
              volume,
              { name: volume, configMap: { name: of } },
            ]),
          ).values(),
        ],
      },
    },
  },
});

/** `locations`: beside `/`. Each reply names the Pod (nginx's `$hostname`). */
export const nginxConf = (status: number, locations = ""): string =>
  [
    "worker_processes 1;",
    "pid /tmp/nginx.pid;",
    "error_log stderr;",
    "events {}",
    "http {",
    "  access_log off;",
    "  add_header X-Pod $hostname always;",
    "  server {",
    "    listen 8080;",
    locations,
    `    location / { return ${status} "by its config: ${status}\\n"; }`,
    "  }",
    "}",
    "",
  ].join("\n");

export const keyOf = (object: JsonObject): string => {
  const { metadata } = object;
  return `${object["kind"]}/${isJsonObject(metadata) ? metadata["name"] : ""}`;
};
