/**
 * A workload that has come to rest, by the API server's word. `kubectl rollout status` ends before that: old Pods may still be
 * on their way out then, and a Service's endpoints on their way in, and a single look would see them.
 */
import { expect } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { writerFor } from "../support/cluster-writer.ts";
import { eventually } from "./eventually.ts";
import type { KubeObject, Namespace } from "./kubectl.ts";

const PLURALS = { deployment: "deployments", statefulset: "statefulsets", daemonset: "daemonsets" } as const;

interface Endpoint {
  readonly conditions: { readonly ready?: boolean };
  readonly targetRef?: { readonly uid?: string };
}
interface Slice {
  readonly endpoints: readonly Endpoint[] | null;
}

let reading: Promise<(path: string) => Promise<JsonObject | null>> | undefined;

/** One GET; null: there is no such object. Less work than a kubectl, and it is asked many times. */
const get = async <T>(path: string): Promise<T | null> => {
  reading ??= writerFor(String(process.env["KUBECONFIG"])).then(({ raw }) => async (asked) => {
    const { status, text } = await raw("GET", asked);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`${asked} was answered with ${status}: ${text}`);
    return JSON.parse(text) as JsonObject;
  });
  return (await (
    await reading
  )(path)) as T | null;
};

/** How many Pods a workload wants, and what it reports of them once it has them all. */
const reported = (kind: keyof typeof PLURALS, { metadata, spec, status }: KubeObject) => {
  const observed = status?.observedGeneration === metadata.generation;
  if (kind === "daemonset")
    return {
      wants: Number(status?.desiredNumberScheduled ?? Number.NaN),
      seen: [observed, status?.updatedNumberScheduled ?? 0, status?.numberAvailable ?? 0],
    };
  const held = Number(spec.updateStrategy?.rollingUpdate?.partition ?? 0);
  return {
    wants: Number(spec.replicas),
    // What a partition holds back is not updated, and at rest.
    seen: [observed, (status?.updatedReplicas ?? 0) + held, status?.availableReplicas ?? 0],
  };
};

const isReady = ({ status }: KubeObject): boolean =>
  (status.conditions ?? []).some(
    ({ type, status: is }: { readonly type: string; readonly status: string }) =>
      type === "Ready" && is === "True",
  );
const isGoing = ({ metadata }: KubeObject): boolean => "deletionTimestamp" in metadata;

/** UIDs of the ready Pods behind the Service of that name; null: there is no such Service. */
export const readyBehind = async (
  { name: space }: Pick<Namespace, "name">,
  name: string,
): Promise<readonly string[] | null> => {
  if ((await get(`/api/v1/namespaces/${space}/services/${name}`)) === null) return null;
  const slices = await get<{ readonly items: readonly Slice[] }>(
    `/apis/discovery.k8s.io/v1/namespaces/${space}/endpointslices?labelSelector=kubernetes.io/service-name%3D${name}`,
  );
  return (slices?.items ?? [])
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions.ready === true)
    .map(({ targetRef }) => String(targetRef?.uid))
    .sort();
};

/**
 * Resolves to its Pods when its controller has reported on its last change, exactly the Pods that it wants are there, all of them
 * Ready and none on its way out, and the Service of its name, if there is one, has all of them behind it. Pods are those with
 * the label `app=NAME`.
 */
export const atRest = async (
  namespace: Pick<Namespace, "name">,
  name: string,
  kind: keyof typeof PLURALS = "deployment",
): Promise<readonly KubeObject[]> =>
  eventually(async () => {
    const space = namespace.name;
    const workload = await get<KubeObject>(`/apis/apps/v1/namespaces/${space}/${PLURALS[kind]}/${name}`);
    if (workload === null) throw new Error(`there is no ${kind} ${name}`);
    const { wants, seen } = reported(kind, workload);
    const pods =
      (
        await get<{ readonly items: readonly KubeObject[] }>(
          `/api/v1/namespaces/${space}/pods?labelSelector=app%3D${name}`,
        )
      )?.items ?? [];
    const ready = pods.filter((pod) => isReady(pod) && !isGoing(pod));
    const behind = await readyBehind(namespace, name);
    const all = pods.map(({ metadata }) => metadata.uid).sort();
    expect(
      { reported: seen, pods: pods.length, ready: ready.length, behind: behind ?? all },
      `${kind} ${name}, its Pods and its Service`,
    ).toEqual({ reported: [true, wants, wants], pods: wants, ready: wants, behind: all });
    return pods;
  });
