/** The parts of a cluster, which `up` starts. A part's process is known by its program. */
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

/** Started by their name, too, from programs that every cluster has: the registry's images once more, behind a login. */
export const SECONDS = ["private-registry"] as const;

export type ComponentName = (typeof COMPONENTS | typeof EXTRAS | typeof SECONDS)[number];

/** The file name of a part's program. */
export const programOf = (name: string): string => (name === "private-registry" ? "registry" : name);
