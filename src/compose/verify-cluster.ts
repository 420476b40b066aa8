/** Where a live cluster meets the judge. Light: no ledger, no provider and no stack file is opened to verify. */
import { openCluster } from "../adapters/cluster-https/open.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { armSignals } from "../adapters/system/signals.ts";
import { EXIT } from "../domain/exit.ts";
import type { Reporter } from "../ports/reporter.ts";
import { liveEvidence } from "../runtime/collect.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { type Question, reportOf, type VerdictReport } from "../runtime/verify.ts";
import { type Watching, watchVerdict } from "../runtime/watch.ts";

export { systemClock } from "../adapters/system/clock.ts";

export interface Live {
  /** As the person gave them; null: not given. */
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly namespace: string | null;
  /** Commands of exec plug-ins that may run. */
  readonly allowExec: readonly string[];
  readonly timeoutMs: number;
  /** null: one look. */
  readonly watch: Watching | null;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reporter: Reporter;
}

/** `question.namespace` is not looked at: it is what `-n`, else the kubeconfig's context says. */
export const verifyLive = async (live: Live, question: Question): Promise<VerdictReport | Refused> => {
  const { reporter } = live;
  const note = (text: string): void => reporter.report({ kind: "note", text });
  const opened = await openCluster({
    clock: systemClock,
    environment: live.environment,
    workingDirectory: live.cwd,
    kubeconfig: live.kubeconfig,
    context: live.context,
    namespace: live.namespace,
    exec: { allow: live.allowExec, show: note },
  });
  if (opened.kind === "refused") return refused(EXIT.usage, opened.sentence);
  const { cluster } = opened;
  const signals = armSignals({ clock: systemClock, graceMs: 0, onDrain: () => undefined });
  try {
    const options = {
      cluster,
      clock: systemClock,
      question: { ...question, namespace: cluster.facts.namespace },
      timeoutMs: live.timeoutMs,
      stop: signals.drain,
    };
    const report =
      live.watch === null
        ? reportOf(await liveEvidence(options).collect(), options.question)
        : await watchVerdict(options, live.watch, reporter);
    const signal = signals.first();
    if (signal === null) return report;
    const exit = signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
    return refused(exit, `ended by ${signal} before there was a verdict; nothing was changed anywhere`);
  } finally {
    signals.disarm();
    cluster.close();
  }
};
