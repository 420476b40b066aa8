/** Makes the objects that a part needs. Runs in the testbed's network. */
import { join } from "node:path";
import { API, type Api } from "./api.ts";
import { until } from "./component-start.ts";
import type { Place } from "./place.ts";
import { must } from "./run.ts";
import type { Tools } from "./tools.ts";

/** Applies every object in these files and folders, and waits until the API server serves the resources they define. */
export const define = async (
  place: Place,
  tools: Tools,
  api: Api,
  paths: readonly string[],
): Promise<void> => {
  const applied = await must("Making objects", join(tools.folders.kubernetes, "kubectl"), [
    ...[`--kubeconfig=${place.kubeconfig}`, "apply", "--server-side", "-o", "name"],
    ...paths.map((path) => `--filename=${path}`),
  ]);
  const definitions = [...applied.matchAll(/^customresourcedefinition\.apiextensions\.k8s\.io\/(\S+)/gm)];
  for (const [, name] of definitions)
    await until(`the resource ${name} is not served`, join(place.logs, "kube-apiserver.log"), () =>
      isServed(api, String(name)),
    );
};

/** A fresh definition has no conditions at all. */
const isServed = async (api: Api, name: string): Promise<boolean> => {
  const { text } = await api.get(`${API}/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
  const { status } = JSON.parse(text) as {
    readonly status?: {
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  };
  return status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") === true;
};
