/** Where the kubernetes provider meets the cluster's adapter: the one place in production that opens the half that writes. */
import { openWritableCluster } from "../adapters/cluster-https/write/open.ts";
import { kubernetesProvider } from "../adapters/provider-kubernetes/provider.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { type Reached, unreached } from "../domain/crash-point.ts";
import type { Provider } from "../ports/provider.ts";

export const kubernetesOver = (
  environment: Readonly<Record<string, string | undefined>>,
  reached: Reached = unreached,
): Provider =>
  kubernetesProvider({
    clock: systemClock,
    open: async (spec, io) => {
      const opened = await openWritableCluster({
        clock: systemClock,
        environment,
        workingDirectory: io.baseDirectory,
        kubeconfig: spec.kubeconfig,
        context: spec.context,
        namespace: spec.namespace,
        reached,
        exec: { allow: spec.allowExec, show: (text) => io.progress(text) },
      });
      return opened.kind === "refused" ? { fault: opened.sentence } : opened;
    },
  });
