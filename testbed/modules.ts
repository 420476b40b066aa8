/** The Go modules that pin the testbed's programs, each a folder with a go.mod and a go.sum of ours. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SOURCE } from "./place.ts";

export interface Module {
  /** The folder with its go.mod, under this one. */
  readonly folder: string;
  /** File name of each program, and its package. */
  readonly programs: Readonly<Record<string, string>>;
  /** Whose version is shown and built in; null for what is written here. */
  readonly pinned: string | null;
  /** Linker flags that tell the programs their own version. */
  readonly versionFlags?: (version: string) => readonly string[];
  /** Folders of YAML files, of that module, which the programs need beside them. */
  readonly files?: { readonly module: string; readonly paths: readonly string[] };
  /** Debian packages that only whoever runs these needs. */
  readonly packages?: readonly string[];
}

const kubernetes = (name: string): readonly [string, string] => [name, `k8s.io/kubernetes/cmd/${name}`];

export const MODULES = {
  etcd: {
    folder: "tools/etcd",
    programs: { etcd: "go.etcd.io/etcd/server/v3" },
    pinned: "go.etcd.io/etcd/server/v3",
  },
  registry: {
    folder: "tools/registry",
    programs: { registry: "." },
    pinned: "github.com/distribution/distribution/v3",
  },
  coredns: { folder: "tools/coredns", programs: { coredns: "." }, pinned: "github.com/coredns/coredns" },
  images: { folder: "images", programs: { app: "./app", pause: "./pause" }, pinned: null },
  kubernetes: {
    folder: "tools/kubernetes",
    programs: Object.fromEntries(
      ["kube-apiserver", "kubelet", "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubectl"].map(
        kubernetes,
      ),
    ),
    pinned: "k8s.io/kubernetes",
    versionFlags: (version) => {
      const [major, minor] = version.slice(1).split(".");
      return [
        `-X=k8s.io/component-base/version.gitVersion=${version}`,
        `-X=k8s.io/component-base/version.gitMajor=${major}`,
        `-X=k8s.io/component-base/version.gitMinor=${minor}`,
        `-X=k8s.io/client-go/pkg/version.gitVersion=${version}`,
      ];
    },
  },
  traefik: {
    folder: "tools/traefik",
    programs: { traefik: "github.com/traefik/traefik/v3/cmd/traefik" },
    pinned: "github.com/traefik/traefik/v3",
    files: { module: "sigs.k8s.io/gateway-api", paths: ["config/crd/standard"] },
  },
  kwok: {
    folder: "tools/kwok",
    programs: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
    pinned: "sigs.k8s.io/kwok",
    files: {
      module: "sigs.k8s.io/kwok",
      paths: [
        "kustomize/stage/node/fast",
        "kustomize/stage/node/heartbeat-with-lease",
        "kustomize/stage/pod/fast",
      ],
    },
  },
  argocd: {
    folder: "tools/argocd",
    programs: { argocd: "github.com/argoproj/argo-cd/v3/cmd" },
    pinned: "github.com/argoproj/argo-cd/v3",
    versionFlags: (version) => [`-X=github.com/argoproj/argo-cd/v3/common.version=${version.slice(1)}`],
    files: { module: "github.com/argoproj/argo-cd/v3", paths: ["manifests/crds"] },
    packages: ["redis-server", "git"],
  },
  kustomize: {
    folder: "tools/kustomize",
    programs: { kustomize: "sigs.k8s.io/kustomize/kustomize/v5" },
    pinned: "sigs.k8s.io/kustomize/kustomize/v5",
  },
  helm: {
    folder: "tools/helm",
    programs: { helm: "helm.sh/helm/v3/cmd/helm" },
    pinned: "helm.sh/helm/v3",
    versionFlags: (version) => [`-X=helm.sh/helm/v3/internal/version.version=${version}`],
  },
} satisfies Readonly<Record<string, Module>>;

export type ModuleName = keyof typeof MODULES;

/** Without these there is no cluster. */
export const CORE_MODULES = [
  "etcd",
  "registry",
  "coredns",
  "images",
  "kubernetes",
] as const satisfies readonly ModuleName[];

/** Programs that are asked beside a cluster: built by `setup NAME` alone, on the PATH of `exec`. argocd is both. */
export const BESIDE_MODULES = ["argocd", "helm", "kustomize"] as const satisfies readonly ModuleName[];

/** Stripped of symbols, and told their own version. */
export const linkFlagsOf = (module: Module): readonly string[] => {
  const version = pinnedVersion(module);
  return ["-s", "-w", ...(version === null ? [] : (module.versionFlags?.(version) ?? []))];
};

/** The version that go.mod pins. */
export const pinnedVersion = ({ folder, pinned }: Module): string | null => {
  if (pinned === null) return null;
  const pins = readFileSync(join(SOURCE, folder, "go.mod"), "utf8");
  const line = pins.split("\n").find((line) =>
    line
      .replace(/^require/, "")
      .trim()
      .startsWith(`${pinned} v`),
  );
  const version = line
    ?.trim()
    .split(" ")
    .find((word) => /^v\d/.test(word));
  if (version === undefined) throw new Error(`${folder}/go.mod does not require ${pinned}`);
  return version;
};
