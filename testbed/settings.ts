/** The files that configure the parts. JSON where a part takes YAML; what goes under `etc` becomes the testbed's /etc. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argocdObjects } from "./argocd-objects.ts";
import { authorityOf, certificateOf, keyOf, kubeconfigOf } from "./keys.ts";
import { NETWORK, NODE_NAME, type Place } from "./place.ts";

/** Path → text of every file, once the keys are made. */
export const writeSettings = (place: Place): void => {
  const files = {
    [kubeconfigPath(place, "controller-manager")]: kubeconfigOf(place, "controller-manager"),
    [kubeconfigPath(place, "scheduler")]: kubeconfigOf(place, "scheduler"),
    [kubeconfigPath(place, "proxy")]: kubeconfigOf(place, "proxy"),
    [kubeconfigPath(place, "coredns")]: kubeconfigOf(place, "coredns"),
    [kubeconfigPath(place, "kubelet")]: kubeconfigOf(place, "kubelet"),
    [place.kubeconfig]: kubeconfigOf(place, "admin"),
    [settingPath(place, "kubelet.json")]: json(kubelet(place)),
    [settingPath(place, "kube-proxy.json")]: json(kubeProxy(place)),
    [settingPath(place, "registry.json")]: json(registry),
    [settingPath(place, "private-registry.json")]: json(privateRegistry),
    [settingPath(place, "kwok.json")]: json(kwok),
    [settingPath(place, "argocd.json")]: json(argocdObjects()),
    [settingPath(place, "Corefile")]: corefile(place),
    [etcPath(place, "containerd/config.toml")]: containerd,
    [etcPath(place, `containerd/certs.d/${NETWORK.registry}/hosts.toml`)]: registryHost(NETWORK.registry),
    [etcPath(place, `containerd/certs.d/${NETWORK.privateRegistry}/hosts.toml`)]: registryHost(
      NETWORK.privateRegistry,
    ),
    [etcPath(place, "cni/net.d/10-testbed.conflist")]: json(cni),
    [etcPath(place, "resolv.conf")]:
      `nameserver ${NETWORK.node}\nsearch default.svc.cluster.local svc.cluster.local cluster.local\n`,
    [etcPath(place, "resolv.pods.conf")]: "",
    [etcPath(place, "hosts")]: `127.0.0.1 localhost\n${NETWORK.node} ${NETWORK.registry.split(":")[0]}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  }
};

/** Where it answers without a login. */
export const PRIVATE_REGISTRY_HEALTH_PORT = 5002;

export const settingPath = (place: Place, name: string): string => join(place.state, "settings", name);
export const kubeconfigPath = (
  place: Place,
  holder: "controller-manager" | "scheduler" | "proxy" | "coredns" | "kubelet",
): string => settingPath(place, `${holder}.kubeconfig`);
const etcPath = (place: Place, name: string): string => join(place.state, "etc", name);
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * `restrict_oom_score_adj`, here and `oomScoreAdj: 0` below: a root without CAP_SYS_RESOURCE may not lower a score, and
 * runc, the kubelet and kube-proxy would give up over it.
 */
const containerd = `version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${NETWORK.registry}/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "/etc/containerd/certs.d"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
`;

/** Read at every pull. */
const registryHost = (host: string): string => `server = "http://${host}"
[host."http://${host}"]
  capabilities = ["pull", "resolve"]
`;

const registry = {
  version: 0.1,
  log: { level: "warn", accesslog: { disabled: true } },
  storage: { filesystem: { rootdirectory: "/run/testbed/registry" }, delete: { enabled: true } },
  http: { addr: `:${NETWORK.registryPort}` },
} as const;

/** The same images, for whoever logs in: with no file there it makes one, and writes user and password to its log. */
const privateRegistry = {
  ...registry,
  auth: { htpasswd: { realm: "testbed", path: "/run/testbed/htpasswd" } },
  http: {
    addr: `:${NETWORK.privateRegistryPort}`,
    debug: { addr: `127.0.0.1:${PRIVATE_REGISTRY_HEALTH_PORT}` },
  },
} as const;

const cni = {
  cniVersion: "0.4.0",
  name: "testbed",
  plugins: [
    {
      type: "bridge",
      bridge: "cni0",
      isGateway: true,
      hairpinMode: true,
      ipMasq: false,
      ipam: { type: "host-local", ranges: [[{ subnet: NETWORK.pods }]], routes: [{ dst: "0.0.0.0/0" }] },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
} as const;

/** Quicker than its defaults where a test would wait, and never out of room on a full machine. */
const kubelet = (place: Place) => ({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: true },
    x509: { clientCAFile: authorityOf(place) },
  },
  authorization: { mode: "Webhook" },
  tlsCertFile: certificateOf(place, "kubelet"),
  tlsPrivateKeyFile: keyOf(place, "kubelet"),
  containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock",
  cgroupDriver: "cgroupfs",
  cgroupRoot: `/${place.cgroup}`,
  failCgroupV1: false,
  failSwapOn: false,
  // Without servers of its own: with `nameserver` the kubelet would hand them to Pods whose DNS policy is Default.
  resolvConf: "/etc/resolv.pods.conf",
  clusterDomain: "cluster.local",
  clusterDNS: [NETWORK.node],
  syncFrequency: "5s",
  fileCheckFrequency: "5s",
  nodeStatusUpdateFrequency: "5s",
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  evictionHard: {
    "memory.available": "100Mi",
    "nodefs.available": "1%",
    "imagefs.available": "1%",
    "nodefs.inodesFree": "1%",
  },
  serializeImagePulls: false,
  podPidsLimit: -1,
  oomScoreAdj: 0,
});

/** kube-proxy ends by itself when this file is written again. Connection tracking stays as the machine has it. */
const kubeProxy = (place: Place) => ({
  apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
  kind: "KubeProxyConfiguration",
  clientConnection: { kubeconfig: kubeconfigPath(place, "proxy") },
  hostnameOverride: NODE_NAME,
  mode: "iptables",
  oomScoreAdj: 0,
  clusterCIDR: NETWORK.pods,
  bindAddress: NETWORK.node,
  metricsBindAddress: "127.0.0.1:10249",
  conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  iptables: { minSyncPeriod: "0s", syncPeriod: "30s" },
});

/**
 * The real node stays the kubelet's. With its standard four Pods at a time thousands would take minutes; what is not set
 * here is zero, not the standard.
 */
const kwok = {
  apiVersion: "config.kwok.x-k8s.io/v1alpha1",
  kind: "KwokConfiguration",
  options: {
    manageAllNodes: false,
    manageNodesWithAnnotationSelector: "kwok.x-k8s.io/node=fake",
    cidr: "10.100.0.0/16",
    nodeIP: NETWORK.node,
    serverAddress: "127.0.0.1:10247",
    nodeLeaseDurationSeconds: 40,
    nodeLeaseParallelism: 4,
    nodePlayStageParallelism: 16,
    podPlayStageParallelism: 64,
    podsOnNodeSyncParallelism: 4,
  },
} as const;

const corefile = (place: Place): string => `.:53 {
  bind ${NETWORK.node}
  errors
  ready 127.0.0.1:8181
  kubernetes cluster.local in-addr.arpa {
    kubeconfig ${kubeconfigPath(place, "coredns")}
    pods insecure
    ttl 1
  }
}
`;
