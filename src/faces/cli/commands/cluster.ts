/** What the verbs that ask a cluster have in common: the target as it is typed, and the way to the cluster. */
import type { Live } from "../../../compose/verify-cluster.ts";
import type { Cli } from "../context.ts";
import type { Asking, Everywhere, ProgressMode } from "../flags.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";

const TIMEOUT_MS = 30_000;

/** KIND/NAME. */
export const targetIn = (typed: string): { readonly kind: string; readonly name: string } => {
  const [, kind, name] = /^([^/]+)\/([^/]+)$/.exec(typed) ?? [];
  if (kind === undefined || name === undefined) throw new Usage(VERDICT.noTarget(typed));
  return { kind, name };
};

/** Shows on the error stream what is told on the way. */
export const askingCluster = async <T>(
  cli: Cli,
  flags: Asking &
    Everywhere & { readonly progress?: ProgressMode; readonly held?: string; readonly git?: string },
  use: (live: Live) => Promise<T>,
): Promise<T> => {
  const { systemClock } = await import("../../../compose/verify-cluster.ts");
  const { progressFor } = await import("../progress/choose.ts");
  const { cwd, environment } = cli.terminal;
  const shown = { color: flags.color, progress: flags.progress ?? ("plain" as const) };
  const progress = await progressFor(cli, shown, systemClock);
  try {
    return await use({
      kubeconfig: flags.kubeconfig ?? null,
      context: flags.context ?? null,
      namespace: flags.namespace ?? null,
      allowExec: flags.allowExec ?? [],
      timeoutMs: flags.timeout ?? TIMEOUT_MS,
      cwd,
      environment,
      reporter: progress,
      held: flags.held,
      git: flags.git,
    });
  } finally {
    progress.stop();
  }
};

/** The first flag that is about asking a cluster, where one is given. */
export const askingFlag = ({ context, kubeconfig, allowExec, timeout }: Asking): string | undefined => {
  const asks = [
    ["--context", context],
    ["--kubeconfig", kubeconfig],
    ["--allow-exec", allowExec],
    ["--timeout", timeout],
  ] as const;
  return asks.find(([, value]) => value !== undefined)?.[0];
};
