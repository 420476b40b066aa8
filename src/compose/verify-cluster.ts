/** Where a live cluster meets the judge. Light: no ledger, no provider and no stack file is opened to verify. */
import { resolve } from "node:path";
import { openCluster } from "../adapters/cluster-https/open.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { armSignals, type Signals } from "../adapters/system/signals.ts";
import { passingKey, writeSnapshot } from "../adapters/system/snapshot-folder.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import type { Question, SweepQuestion } from "../domain/question.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { Reporter } from "../ports/reporter.ts";
import { otherCluster } from "../runtime/bystanders.ts";
import { type LiveOptions, type Look, liveEvidence } from "../runtime/collect.ts";
import { liveSweep, type SweepOptions, type Swept, sweptLive } from "../runtime/collect-sweep.ts";
import { BY_REVISION, type Comparison, NO_COMPARISON } from "../runtime/comparison.ts";
import {
  type ConfigConsumers,
  type ConfigNamed,
  configConsumersOf,
  consumersQuestion,
} from "../runtime/config-consumers.ts";
import { type ConfigTrace, configTraceOf, traceQuestion } from "../runtime/config-trace.ts";
import {
  type ConfigTraceList,
  configTraceSweepOf,
  traceSweepQuestion,
} from "../runtime/config-trace-sweep.ts";
import { otherClusterOfRelease } from "../runtime/release-cluster.ts";
import { clusterOf } from "../runtime/release-record-live.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import { snapshotOf } from "../runtime/snapshot.ts";
import { sweepOf, type VerdictList } from "../runtime/sweep.ts";
import { reportOf, type VerdictReport } from "../runtime/verify.ts";
import { type Watching, watchVerdict } from "../runtime/watch.ts";
import { watchSweep } from "../runtime/watch-sweep.ts";
import { comparingWith, type Earlier } from "./comparing.ts";
import { gitClone } from "./git.ts";
import { heldFolder } from "./held.ts";
import type { StackFaults } from "./place.ts";
import { proberFor } from "./prober.ts";
import type { Recording } from "./recording.ts";

export { systemClock } from "../adapters/system/clock.ts";

export interface Live {
  /** As the person gave them; null: not given. */
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly namespace: string | null;
  /** Commands of exec plug-ins that may run. */
  readonly allowExec: readonly string[];
  /** For one look. */
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reporter: Reporter;
  /** A recorder's folder, as the person wrote it. */
  readonly held?: string | undefined;
  /** A clone, as the person wrote it. */
  readonly git?: string | undefined;
}

/** `watching`: null for one look. `question.namespace` is not looked at: it is what `-n`, else the kubeconfig's context says. */
export const verifyLive = async (
  live: Live,
  question: Question,
  watching: Watching | null,
  { recording = null, ...earlier }: Earlier & Recorded,
): Promise<VerdictReport | Refused | StackFaults> => {
  const comparing = await comparingWith(earlier, live.cwd);
  if ("kind" in comparing) return comparing;
  return asking(live, question, async (asked) => {
    const { server } = asked.cluster.facts;
    const comparison = comparing.comparison(server, asked.question);
    if (isRefused(comparison)) return comparison;
    const options = { ...asked, comparison };
    const report =
      recording === null
        ? await lookedAt(options, watching, live.reporter)
        : await lookedAtAndKept(options, watching, live.reporter, recording);
    return told(live, report, await comparing.keep([report], server));
  });
};

/** Left out, or null: the verdict is not kept. */
export interface Recorded {
  readonly recording?: Recording | null;
}

const lookedAt = async (
  options: LiveOptions,
  watching: Watching | null,
  reporter: Reporter,
): Promise<VerdictReport> =>
  watching === null
    ? reportOf(await liveEvidence(options).collect(), options.question, options.comparison)
    : watchVerdict(options, watching, reporter);

/** What is told is judged from what is kept: the last look, less what is never written (E2, E5). */
const lookedAtAndKept = async (
  options: LiveOptions,
  watching: Watching | null,
  reporter: Reporter,
  recording: Recording,
): Promise<VerdictReport> => {
  const { keptLook, recordedOne } = await import("./recording.ts");
  const { comparison } = options;
  let last: { readonly look: Look; readonly question: Question } | null = null;
  const watched =
    watching === null
      ? null
      : await watchVerdict(options, watching, reporter, (look, question) => {
          last = { look, question };
        });
  const { look, question } = last ?? {
    look: await liveEvidence(options).collect(),
    question: options.question,
  };
  return options.stop.aborted && watched === null
    ? reportOf(look, question, comparison)
    : recordedOne(recording, keptLook(look, question, recording.key), comparison, watched);
};

/** What could not be recorded is said, and the verdict stands. */
const told = <T>(live: Live, verdict: T, faults: readonly string[]): T => {
  for (const text of faults) live.reporter.report({ kind: "note", text });
  return verdict;
};

/** Which config each container start was given. */
export const traceLive = (
  live: Live,
  target: Parameters<typeof traceQuestion>[0],
): Promise<ConfigTrace | Refused> =>
  asking(live, traceQuestion(target), async (options) =>
    configTraceOf(await liveEvidence({ ...options, comparison: NO_COMPARISON }).collect(), options.question),
  );

/** The same of all that a selection takes in. `everywhere`: in all namespaces, whatever the context says. */
export const traceSweepLive = (
  live: Live,
  selection: Omit<SweepQuestion, "claims">,
  everywhere: boolean,
): Promise<ConfigTraceList | Refused> =>
  openedFor(live, async (opened) => {
    const namespace = everywhere ? null : opened.cluster.facts.namespace;
    const question = traceSweepQuestion({ ...selection, namespace });
    return configTraceSweepOf(await liveSweep({ ...opened, question }), question);
  });

/** Who takes something from one ConfigMap or Secret. */
export const consumersLive = (
  live: Live,
  { secrets, ...named }: Omit<ConfigNamed, "namespace"> & { readonly secrets: boolean },
): Promise<ConfigConsumers | Refused> =>
  openedFor(live, async (opened) => {
    const object = { ...named, namespace: opened.cluster.facts.namespace };
    const question = consumersQuestion(object, secrets);
    return configConsumersOf(await liveSweep({ ...opened, question }), object);
  });

/** All that a selection takes in. `everywhere`: in all namespaces, whatever the context says. */
export const verifySweepLive = async (
  live: Live,
  question: SweepQuestion,
  everywhere: boolean,
  watching: Watching | null,
  { recording = null, ...earlier }: Earlier & Recorded,
): Promise<VerdictList | Refused | StackFaults> => {
  const comparing = await comparingWith(earlier, live.cwd);
  if ("kind" in comparing) return comparing;
  return openedFor(live, async (opened) => {
    const { server, namespace } = opened.cluster.facts;
    const comparison = comparing.comparison(server, null);
    if (isRefused(comparison)) return comparison;
    const options = { ...opened, question: { ...question, namespace: everywhere ? null : namespace } };
    const list =
      recording === null
        ? await sweptAt(options, watching, comparison, live.reporter)
        : await sweptAndKept(options, watching, comparison, { reporter: live.reporter, recording });
    return told(live, list, await comparing.keep(list.items, server));
  });
};

const sweptAt = async (
  options: SweepOptions,
  watching: Watching | null,
  comparison: Comparison,
  reporter: Reporter,
): Promise<VerdictList> =>
  watching === null
    ? sweepOf(await liveSweep(options), options.question, comparison)
    : watchSweep(options, watching, comparison, reporter);

const sweptAndKept = async (
  options: SweepOptions,
  watching: Watching | null,
  comparison: Comparison,
  { reporter, recording }: { readonly reporter: Reporter; readonly recording: Recording },
): Promise<VerdictList> => {
  const { keptSweep, recordedMany } = await import("./recording.ts");
  let last: { readonly look: Swept; readonly pins: ReadonlyMap<string, string> } | null = null;
  const watched =
    watching === null
      ? null
      : await watchSweep(options, watching, comparison, reporter, (look, pins) => {
          last = { look, pins };
        });
  const { look, pins } = last ?? { look: await sweptLive(options), pins: new Map<string, string>() };
  return options.stop.aborted && watched === null
    ? sweepOf(look.evidence, options.question, comparison)
    : recordedMany(recording, keptSweep(look, options.question, pins, recording.key), comparison, watched);
};

export interface Saved {
  readonly kind: "saved";
  readonly files: number;
  readonly namespace: string | null;
  /** Questions that had no answer, each a sentence. */
  readonly unanswered: readonly string[];
  readonly exit: ExitCode;
}

/** Writes what a verdict about the target rests on into a new folder; nothing where the target was not observed. */
export const saveSnapshot = (live: Live, question: Question, folder: string): Promise<Saved | Refused> =>
  asking(live, question, async (asked) => {
    const options = { ...asked, comparison: BY_REVISION };
    const look = await liveEvidence(options).collect();
    const files = snapshotOf(look, passingKey());
    if (files === null) {
      const { statement } = reportOf(look, options.question, NO_COMPARISON);
      return refused(EXIT.refused, `nothing was written: ${statement}`);
    }
    const written = await writeSnapshot(
      resolve(live.cwd, folder),
      files.map(({ name, value }) => ({ name, text: `${JSON.stringify(value, null, 2)}\n` })),
    );
    if (written !== undefined) return refused(EXIT.usage, `${folder}: ${written.fault}`);
    const unanswered = look.evidence.asked.flatMap(({ answer }) => ("why" in answer ? [answer.why] : []));
    return {
      kind: "saved",
      files: files.length,
      namespace: look.meant === null ? null : look.meant.namespace,
      unanswered,
      exit: unanswered.length === 0 ? EXIT.proven : EXIT.undetermined,
    };
  });

/** `question.namespace` is not looked at: it is what `-n`, else the kubeconfig's context says. */
export const asking = <T>(
  live: Live,
  question: Question,
  use: (options: Omit<LiveOptions, "comparison">) => Promise<T>,
): Promise<T | Refused> =>
  openedFor(live, async (opened) => {
    const { response } = question.expected;
    const made = proberFor(response === null ? null : response.ca, live.cwd);
    if ("fault" in made) return refused(EXIT.usage, made.fault);
    const { namespace, server } = opened.cluster.facts;
    const other = otherCluster(question, server);
    if (other !== null) return refused(EXIT.usage, other);
    const elsewhere = await releasedElsewhere(opened, question);
    if (elsewhere !== null) return refused(EXIT.usage, elsewhere);
    return use({ ...opened, prober: made.prober, question: { ...question, namespace } });
  });

const releasedElsewhere = async (
  { cluster, timeoutMs, stop }: Opened,
  question: Question,
): Promise<string | null> => {
  if (question.expected.release === null) return null;
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    return otherClusterOfRelease(question, (await clusterOf(round, cluster.facts.server)).cluster);
  } finally {
    round.end();
  }
};

export type Opened = Omit<LiveOptions, "question" | "prober" | "comparison">;

/** Opens the cluster for one use, and closes it. A signal ends it without a result. */
export const openedFor = <T>(live: Live, use: (opened: Opened) => Promise<T>): Promise<T | Refused> =>
  openedUntil(live, async (opened, signals) => {
    const used = await use(opened);
    const exit = exitOfSignal(signals);
    return exit === null
      ? used
      : refused(exit, `ended by ${signals.first()} before there was a verdict; nothing was changed anywhere`);
  });

/** null: none came. */
export const exitOfSignal = (signals: Signals): 130 | 143 | null => {
  const signal = signals.first();
  if (signal === null) return null;
  return signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
};

/** The cluster that a person named; which commands its exec plug-ins run is told. Whoever opens it closes it. */
export const openLive = async (live: Live): Promise<Cluster | Refused> => {
  const opened = await openCluster({
    clock: systemClock,
    environment: live.environment,
    workingDirectory: live.cwd,
    kubeconfig: live.kubeconfig,
    context: live.context,
    namespace: live.namespace,
    exec: { allow: live.allowExec, show: (text) => live.reporter.report({ kind: "note", text }) },
  });
  return opened.kind === "refused" ? refused(EXIT.usage, opened.sentence) : opened.cluster;
};

/** As `openedFor`, for what ends by a signal and has its result all the same. */
export const openedUntil = async <T>(
  live: Live,
  use: (opened: Opened, signals: Signals) => Promise<T>,
): Promise<T | Refused> => {
  const folder = await heldFolder(live.held, live.cwd);
  if (folder.kind === "refused") return folder;
  const clone = await gitClone(live.git, live);
  if (clone.kind === "refused") return clone;
  const { git } = clone;
  const cluster = await openLive(live);
  if (isRefused(cluster)) {
    git?.close();
    return cluster;
  }
  const signals = armSignals({ clock: systemClock, graceMs: 0, onDrain: () => undefined });
  try {
    const { timeoutMs } = live;
    const { held } = folder;
    return await use({ cluster, clock: systemClock, timeoutMs, stop: signals.drain, held, git }, signals);
  } finally {
    signals.disarm();
    cluster.close();
    git?.close();
  }
};
