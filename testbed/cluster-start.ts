/** Starts the whole cluster in namespaces that are there, in the order in which the parts need each other. */
import { join } from "node:path";
import { API, type Api, openApi } from "./api.ts";
import type { ComponentName } from "./component-name.ts";
import { startComponent, until } from "./component-start.ts";
import { componentsOf } from "./components.ts";
import { APP_VERSIONS, appImages, pauseImage } from "./images.ts";
import { demandInit, entering } from "./namespaces.ts";
import { nginxImage } from "./nginx.ts";
import { NETWORK, NODE_NAME, type Place } from "./place.ts";
import type { Process } from "./processes.ts";
import { push } from "./push.ts";
import { must } from "./run.ts";
import type { Tools } from "./tools.ts";

export const startCluster = async (
  place: Place,
  tools: Tools,
  say: (line: string) => void,
): Promise<void> => {
  const init = demandInit(place);
  const components = componentsOf(place, tools);
  using api = openApi(place);
  const start = (name: ComponentName): (() => Promise<void>) => {
    const started = startComponent(place, init, components[name]);
    say(`${name} started`);
    return async () => {
      await started.ready(api);
      say(`${name} works`);
    };
  };

  const etcd = start("etcd");
  const containerd = start("containerd");
  const registry = start("registry");
  await etcd();
  const apiServer = start("kube-apiserver");
  const images = async (): Promise<void> => {
    await registry();
    await pushImages(place, tools);
    await containerd();
    await pullPause(init);
    say("images pushed");
  };
  await Promise.all([apiServer(), images()]);
  // Not before the API server answers: whoever asks in vain waits longer each time.
  const rest = (
    ["kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "coredns"] as const
  ).map(start);
  await Promise.all(rest.map((ready) => ready()));
  await until("the node is not ready", join(place.logs, "kubelet.log"), () => isNodeReady(api));
  say("node is Ready");
  await until(
    "the default service account is missing",
    join(place.logs, "kube-controller-manager.log"),
    async () => (await api.get(`${API}/api/v1/namespaces/default/serviceaccounts/default`)).status === 200,
  );
};

const pushImages = async (place: Place, { folders }: Tools): Promise<void> => {
  await push("pause", "1", pauseImage(join(folders.images, "pause")));
  for (const { version, image } of appImages(join(folders.images, "app"), APP_VERSIONS))
    await push("app", version, image);
  await push("nginx", "1", await nginxImage(place));
};

/** As on any node, it is there before the first Pod, and no Pod needs the registry for it. */
const pullPause = async (init: Process): Promise<void> => {
  const [enter = "", ...words] = entering(init, "all");
  const pull = ["ctr", "--namespace=k8s.io", "images", "pull", "--plain-http", `${NETWORK.registry}/pause:1`];
  await must("Pulling the pause image", enter, [...words, ...pull]);
};

/** Ready, and without a taint that would keep Pods away. */
const isNodeReady = async (api: Api): Promise<boolean> => {
  const { status, text } = await api.get(`${API}/api/v1/nodes/${NODE_NAME}`);
  if (status !== 200) return false;
  const node = JSON.parse(text) as {
    readonly spec: { readonly taints?: readonly unknown[] };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  };
  return (
    node.spec.taints === undefined &&
    node.status.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true
  );
};
