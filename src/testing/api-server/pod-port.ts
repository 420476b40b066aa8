/** A GET of `pods/NAME:PORT/proxy`: what the test says that the Pod answers there. */
import type { Asked } from "./asked.ts";
import type { Objects } from "./objects.ts";
import type { ServedResource } from "./resources.ts";
import { type Answer, json, notFound } from "./status.ts";

export interface PodReply {
  readonly status: number;
  readonly body: string;
}

export const podPort = (
  objects: Objects,
  replies: ReadonlyMap<string, PodReply | null>,
  { namespace, name }: Asked,
  served: ServedResource,
): Answer => {
  const pod = { ...served, resource: "pods" };
  const [its = "", port = ""] = (name ?? "").split(":");
  if (objects.get({ served: pod, namespace, name: its }, objects.revision) === undefined)
    return notFound(pod, its);
  const reply = replies.get(JSON.stringify([namespace, name])) ?? null;
  return reply === null
    ? nobody(port)
    : { status: reply.status, headers: { "content-type": "text/plain" }, body: reply.body };
};

/** As kube-apiserver tells it (apimachinery, util/proxy). */
const nobody = (port: string): Answer =>
  json(503, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `error trying to reach service: dial tcp 10.0.0.1:${port}: connect: connection refused`,
    reason: "ServiceUnavailable",
    code: 503,
  });
