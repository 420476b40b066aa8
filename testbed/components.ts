/** The parts of the cluster: how each is started. */
import { join } from "node:path";
import { argocdParts } from "./argocd-parts.ts";
import type { Component, Readiness } from "./component.ts";
import type { ComponentName } from "./component-name.ts";
import { accountKeyOf, accountPublicKeyOf, authorityOf, certificateOf, keyOf } from "./keys.ts";
import { NETWORK, NODE_NAME, type Place, SOURCE } from "./place.ts";
import { kubeconfigPath, PRIVATE_REGISTRY_HEALTH_PORT, settingPath } from "./settings.ts";
import type { Tools } from "./tools.ts";

const url = (url: string): Readiness => ({ kind: "url", url });

export const componentsOf = (place: Place, tools: Tools): Readonly<Record<ComponentName, Component>> => {
  const kubernetes = (name: ComponentName, words: readonly string[], ready: Readiness): Component => ({
    name,
    program: join(tools.folders.kubernetes, name),
    words,
    ready,
  });
  return {
    etcd: {
      name: "etcd",
      program: join(tools.folders.etcd, "etcd"),
      // Its data is in memory, and goes with the testbed: nothing to sync.
      words: [
        "--name=testbed",
        "--data-dir=/run/testbed/etcd",
        "--unsafe-no-fsync",
        "--log-level=warn",
        "--listen-client-urls=http://127.0.0.1:2379",
        "--advertise-client-urls=http://127.0.0.1:2379",
        "--listen-peer-urls=http://127.0.0.1:2380",
        "--initial-advertise-peer-urls=http://127.0.0.1:2380",
        "--initial-cluster=testbed=http://127.0.0.1:2380",
      ],
      ready: url("http://127.0.0.1:2379/health"),
    },
    containerd: {
      name: "containerd",
      program: "/usr/bin/containerd",
      words: ["--config=/etc/containerd/config.toml"],
      ready: { kind: "socket", path: "/run/containerd/containerd.sock" },
    },
    registry: {
      name: "registry",
      program: join(tools.folders.registry, "registry"),
      words: ["serve", settingPath(place, "registry.json")],
      ready: url(`http://${NETWORK.node}:${NETWORK.registryPort}/v2/`),
    },
    "kube-apiserver": kubernetes(
      "kube-apiserver",
      [
        "--etcd-servers=http://127.0.0.1:2379",
        "--secure-port=6443",
        // Loopback is no address for the endpoint of the Service `kubernetes`.
        `--advertise-address=${NETWORK.node}`,
        `--service-cluster-ip-range=${NETWORK.services}`,
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        "--allow-privileged=true",
        `--client-ca-file=${authorityOf(place)}`,
        `--tls-cert-file=${certificateOf(place, "apiserver")}`,
        `--tls-private-key-file=${keyOf(place, "apiserver")}`,
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${accountPublicKeyOf(place)}`,
        `--service-account-signing-key-file=${accountKeyOf(place)}`,
        `--kubelet-client-certificate=${certificateOf(place, "apiserver-to-kubelet")}`,
        `--kubelet-client-key=${keyOf(place, "apiserver-to-kubelet")}`,
        `--kubelet-certificate-authority=${authorityOf(place)}`,
        "--kubelet-preferred-address-types=InternalIP",
        `--requestheader-client-ca-file=${authorityOf(place)}`,
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        `--proxy-client-cert-file=${certificateOf(place, "front-proxy")}`,
        `--proxy-client-key-file=${keyOf(place, "front-proxy")}`,
        "--profiling=false",
      ],
      url("https://127.0.0.1:6443/readyz"),
    ),
    "kube-controller-manager": kubernetes(
      "kube-controller-manager",
      [
        ...asClient(kubeconfigPath(place, "controller-manager")),
        "--use-service-account-credentials=true",
        `--service-account-private-key-file=${accountKeyOf(place)}`,
        `--root-ca-file=${authorityOf(place)}`,
        `--cluster-signing-cert-file=${authorityOf(place)}`,
        `--cluster-signing-key-file=${join(place.keys, "ca.key")}`,
        "--allocate-node-cidrs=false",
        "--node-monitor-grace-period=20s",
      ],
      url("https://127.0.0.1:10257/healthz"),
    ),
    "kube-scheduler": kubernetes(
      "kube-scheduler",
      asClient(kubeconfigPath(place, "scheduler")),
      url("https://127.0.0.1:10259/healthz"),
    ),
    kubelet: kubernetes(
      "kubelet",
      [
        `--config=${settingPath(place, "kubelet.json")}`,
        `--kubeconfig=${kubeconfigPath(place, "kubelet")}`,
        `--hostname-override=${NODE_NAME}`,
        `--node-ip=${NETWORK.node}`,
      ],
      url("http://127.0.0.1:10248/healthz"),
    ),
    "kube-proxy": kubernetes(
      "kube-proxy",
      [`--config=${settingPath(place, "kube-proxy.json")}`],
      url("http://127.0.0.1:10249/healthz"),
    ),
    coredns: {
      name: "coredns",
      program: join(tools.folders.coredns, "coredns"),
      words: ["-conf", settingPath(place, "Corefile")],
      ready: url("http://127.0.0.1:8181/ready"),
    },
    traefik: {
      name: "traefik",
      program: join(tools.folders.traefik, "traefik"),
      objects: [tools.folders.traefik, `${SOURCE}/ingress-class.yaml`],
      words: [
        `--entrypoints.web.address=${NETWORK.node}:80`,
        `--entrypoints.websecure.address=${NETWORK.node}:443`,
        "--entrypoints.traefik.address=127.0.0.1:8088",
        "--ping=true",
        // Its pages are not in its module.
        "--api=false",
        "--global.checknewversion=false",
        "--global.sendanonymoususage=false",
        "--providers.kubernetesingress=true",
        "--providers.kubernetesingress.ingressclass=traefik",
        `--providers.kubernetesingress.ingressendpoint.ip=${NETWORK.node}`,
        // A Service without endpoints answers 503, as it does through the Gateway.
        "--providers.kubernetesingress.allowemptyservices=true",
        "--providers.kubernetesgateway=true",
        `--providers.kubernetesgateway.statusaddress.ip=${NETWORK.node}`,
      ],
      environment: { KUBECONFIG: place.kubeconfig },
      ready: url("http://127.0.0.1:8088/ping"),
    },
    "private-registry": {
      name: "private-registry",
      program: join(tools.folders.registry, "registry"),
      words: ["serve", settingPath(place, "private-registry.json")],
      ready: url(`http://127.0.0.1:${PRIVATE_REGISTRY_HEALTH_PORT}/debug/health`),
    },
    kwok: {
      name: "kwok",
      program: join(tools.folders.kwok, "kwok"),
      words: [
        `--kubeconfig=${place.kubeconfig}`,
        `--config=${settingPath(place, "kwok.json")}`,
        ...KWOK_STAGES.map((stage) => `--config=${join(tools.folders.kwok, `${stage}.yaml`)}`),
      ],
      ready: url("http://127.0.0.1:10247/healthz"),
    },
    ...argocdParts(place, tools),
  };
};

/** What KWOK makes of nodes and Pods; it has none of them built in. */
const KWOK_STAGES = [
  "node-initialize",
  "node-heartbeat-with-lease",
  "pod-ready",
  "pod-complete",
  "pod-delete",
] as const;

/** There is one of each, so nobody to elect a leader against; the standard limits on requests would slow tests down. */
const asClient = (kubeconfig: string): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  "--leader-elect=false",
  "--bind-address=127.0.0.1",
  "--kube-api-qps=200",
  "--kube-api-burst=400",
];
