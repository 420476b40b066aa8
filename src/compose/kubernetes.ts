/** Where the providers for a cluster meet its adapter: the one place in production that opens the half that writes. */
import { openWritableCluster } from "../adapters/cluster-https/write/open.ts";
import { argocdProvider } from "../adapters/provider-kubernetes/argocd/provider.ts";
import { drillProvider } from "../adapters/provider-kubernetes/drill/provider.ts";
import { namespaceProvider } from "../adapters/provider-kubernetes/namespace/provider.ts";
import { kubernetesProvider } from "../adapters/provider-kubernetes/provider.ts";
import type { Parts } from "../adapters/provider-kubernetes/reach.ts";
import { configProvider } from "../adapters/provider-kubernetes/rollback/config.ts";
import { templateProvider } from "../adapters/provider-kubernetes/rollback/template.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { configFiles } from "../adapters/system/config-files.ts";
import { type Reached, unreached } from "../domain/crash-point.ts";
import type { Provider } from "../ports/provider.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const partsOver = (environment: Environment, reached: Reached): Parts => ({
  clock: systemClock,
  readConfig: configFiles,
  open: async (way, io) => {
    const opened = await openWritableCluster({
      clock: systemClock,
      environment,
      workingDirectory: io.baseDirectory,
      kubeconfig: way.kubeconfig,
      context: way.context,
      namespace: way.namespace,
      reached,
      exec: { allow: way.allowExec, show: (text) => io.progress(text) },
    });
    return opened.kind === "refused" ? { fault: opened.sentence } : opened;
  },
});

export const kubernetesOver = (environment: Environment, reached: Reached = unreached): Provider =>
  kubernetesProvider(partsOver(environment, reached));

export const argocdOver = (environment: Environment, reached: Reached = unreached): Provider =>
  argocdProvider(partsOver(environment, reached));

/** What `drill` calls; no stack file needs it. */
export const drillOver = (environment: Environment, reached: Reached = unreached): Provider =>
  drillProvider(partsOver(environment, reached));

/** What `rollback run` calls. */
export const rollbackOver = (
  name: "kubernetes-config" | "kubernetes-template",
  environment: Environment,
  reached: Reached = unreached,
): Provider => {
  const parts = partsOver(environment, reached);
  return name === "kubernetes-config" ? configProvider(parts) : templateProvider(parts);
};

/** What a lab works in. */
export const namespaceOver = (environment: Environment, reached: Reached = unreached): Provider =>
  namespaceProvider(partsOver(environment, reached));
