/** What Argo CD wants to find in its namespace: settings, most of them empty, and the one project that there is. */
import { randomBytes } from "node:crypto";
import { ARGOCD_NAMESPACE } from "./place.ts";

const SETTINGS = {
  "argocd-cm": { "timeout.reconciliation": "10s", "timeout.reconciliation.jitter": "0s" },
  "argocd-rbac-cm": {},
  "argocd-tls-certs-cm": {},
  "argocd-ssh-known-hosts-cm": {},
  "argocd-gpg-keys-cm": {},
} as const;

const metadata = (name: string): object => ({
  name,
  namespace: ARGOCD_NAMESPACE,
  labels: { "app.kubernetes.io/part-of": "argocd" },
});

export const argocdObjects = (): object => ({
  apiVersion: "v1",
  kind: "List",
  items: [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: ARGOCD_NAMESPACE } },
    ...Object.entries(SETTINGS).map(([name, data]) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: metadata(name),
      data,
    })),
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: metadata("argocd-secret"),
      stringData: { "server.secretkey": randomBytes(32).toString("base64") },
    },
    {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "AppProject",
      metadata: metadata("default"),
      spec: {
        sourceRepos: ["*"],
        destinations: [{ namespace: "*", server: "*" }],
        clusterResourceWhitelist: [{ group: "*", kind: "*" }],
      },
    },
  ],
});
