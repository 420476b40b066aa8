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
const SECONDS = ["private-registry"] as const;

/** Started together by `start argocd`, each after the one that it asks; ended and started again one by one. */
export const ARGOCD_PARTS = [
  "redis",
  "git-server",
  "argocd-repo-server",
  "argocd-application-controller",
] as const;

export const BY_NAME = [...EXTRAS, ...SECONDS, ...ARGOCD_PARTS] as const;

export type ComponentName = (typeof COMPONENTS | typeof BY_NAME)[number];

/** File names of programs that are not called as their part is. Debian's redis-server is a link. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "private-registry": "registry",
  redis: "redis-check-rdb",
  "git-server": "node",
  "argocd-repo-server": "argocd",
  "argocd-application-controller": "argocd",
};

/** The file name of a part's program. */
export const programOf = (name: string): string => PROGRAMS[name] ?? name;
