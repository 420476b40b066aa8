/** The parts of a cluster, which `up` starts. Each is named as its program is, by which its process is known. */
export const COMPONENTS = [
  "etcd",
  "containerd",
  "registry",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "coredns",
] as const;

/** Parts that are started by their name: an Ingress and Gateway controller, and nodes that only seem to be there. */
export const EXTRAS = ["traefik", "kwok"] as const;

export type ComponentName = (typeof COMPONENTS)[number] | (typeof EXTRAS)[number];
