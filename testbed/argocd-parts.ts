/**
 * Argo CD as processes beside the cluster, without an argocd-server: what that one shows, the API server has. All that it writes
 * is in the testbed's memory.
 */
import { join } from "node:path";
import type { Component } from "./component.ts";
import type { ARGOCD_PARTS } from "./component-name.ts";
import { ARGOCD_NAMESPACE, NETWORK, type Place, SOURCE } from "./place.ts";
import type { Tools } from "./tools.ts";

const FOLDER = "/run/testbed/argocd";
const REDIS_PORT = 6379;
const REPO_SERVER_PORT = 8081;

export const argocdParts = (
  place: Place,
  tools: Tools,
): Readonly<Record<(typeof ARGOCD_PARTS)[number], Component>> => {
  const argocd = (
    name: "argocd-repo-server" | "argocd-application-controller",
    words: readonly string[],
    metricsPort: number,
  ): Component => ({
    name,
    program: join(tools.folders.argocd, "argocd"),
    words: [...words, `--metrics-port=${metricsPort}`, `--redis=127.0.0.1:${REDIS_PORT}`],
    environment: {
      // One program, and it is what it is called.
      ARGOCD_BINARY_NAME: name,
      // https://kubernetes.default.svc is the kubeconfig's cluster.
      ARGOCD_FAKE_IN_CLUSTER: "true",
      KUBECONFIG: place.kubeconfig,
      ARGOCD_GPG_ENABLED: "false",
      ARGOCD_TLS_DATA_PATH: FOLDER,
      ARGOCD_SSH_DATA_PATH: FOLDER,
      ARGOCD_ASK_PASS_SOCK: `${FOLDER}/ask-pass.sock`,
      // Each socket in it is taken for a plug-in, and waited for.
      ARGOCD_PLUGINSOCKFILEPATH: `${FOLDER}-plugins`,
      TMPDIR: FOLDER,
      HOME: FOLDER,
      PATH: `${tools.folders.kustomize}:${tools.folders.helm}:/usr/bin:/bin`,
    },
    ready: { kind: "url", url: `http://127.0.0.1:${metricsPort}/healthz` },
  });
  return {
    redis: {
      name: "redis",
      program: "/usr/bin/redis-server",
      words: [
        ...["--bind", "127.0.0.1", "--port", String(REDIS_PORT), "--unixsocket", `${FOLDER}/redis.sock`],
        ...["--save", "", "--appendonly", "no", "--dir", FOLDER],
        // A title would be written over its environment, by which a part is known.
        ...["--set-proc-title", "no"],
      ],
      ready: { kind: "socket", path: `${FOLDER}/redis.sock` },
    },
    "git-server": {
      name: "git-server",
      program: process.execPath,
      words: [`${SOURCE}/git-server.ts`, "/run/testbed/git", NETWORK.node, String(NETWORK.gitPort)],
      ready: { kind: "url", url: `http://${NETWORK.git}/` },
    },
    "argocd-repo-server": argocd(
      "argocd-repo-server",
      [
        ...[
          "--address=127.0.0.1",
          `--port=${REPO_SERVER_PORT}`,
          "--metrics-address=127.0.0.1",
          "--disable-tls",
        ],
        // For how long it takes a branch for where it was: three minutes, else.
        "--revision-cache-expiration=5s",
        "--loglevel=warn",
      ],
      8084,
    ),
    "argocd-application-controller": argocd(
      "argocd-application-controller",
      [
        ...[`--namespace=${ARGOCD_NAMESPACE}`, `--kubeconfig=${place.kubeconfig}`],
        ...[`--repo-server=127.0.0.1:${REPO_SERVER_PORT}`, "--repo-server-plaintext"],
        // How often it looks by itself, and how soon it mends what somebody changed: minutes, else.
        ...["--app-resync=10", "--app-resync-jitter=0"],
        ...["--self-heal-timeout-seconds=1", "--self-heal-backoff-timeout-seconds=1"],
        "--loglevel=info",
      ],
      8082,
    ),
  };
};
