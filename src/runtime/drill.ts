/**
 * A drill's two halves that only read: what is decided from before, and what is looked at until the Pod that came is right.
 *
 * Laws: what is decided rests on one reading, and is decided anew right before the call (E4). A change of the workload by
 * others while it is drilled ends it: what came then says nothing of the state that was to be shown. By when it has to be
 * Ready is told by the API server's clock.
 */
import type { Seen } from "../domain/evidence.ts";
import { type Instant, instant } from "../domain/ids.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case } from "../judge/case.ts";
import { Collection } from "../judge/collection.ts";
import { type Choice, chooseFor, type Wish } from "../judge/drill/choice.ts";
import { isTerminating } from "../judge/pod.ts";
import { rulesOf } from "../judge/rules.ts";
import { counted, listed } from "../judge/words.ts";
import type { ObjectRef } from "../ports/cluster.ts";
import { type LiveOptions, type Look, liveEvidence, type Subject } from "./collect.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { untilNextLook } from "./next-look.ts";
import { evidenceOf, listNamed } from "./readings.ts";
import { reportIn, type VerdictReport } from "./verify.ts";
import { cannotChange } from "./watch.ts";

export interface Decision {
  readonly choice: Choice;
  /** As it was read; null: it is not there, or was not read. */
  readonly workload: { readonly subject: Subject; readonly seen: Seen } | null;
  /** Of the claims that have to be proven before. */
  readonly report: VerdictReport;
}

/** A workload that is drilled runs as it should. */
const BEFORE = ["spec-observed", "rollout-complete", "old-gone", "capacity"] as const;

const KINDS: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** Beside what a verdict takes: what speaks against taking a Pod away. */
const MORE = [RESOURCES.PodDisruptionBudget, RESOURCES.Node] as const;

export const decide = async (options: LiveOptions, wish: Wish): Promise<Decision> => {
  const question = {
    ...options.question,
    claims: null,
    expected: { ...options.question.expected, response: null },
  };
  const look = await liveEvidence({ ...options, question }).collect();
  const evidence = { ...look.evidence, ...(await withMore(options, look)) };
  const collection = new Collection(evidence);
  const report = reportIn(collection, { ...look, evidence }, question, NO_COMPARISON);
  const { subject: seen } = report;
  if (seen === null || look.subject === null) {
    const choice = { kind: "refused", reason: "not-there", sentence: report.statement } as const;
    return { choice, workload: null, report };
  }
  const rule = rulesOf(question).of(seen);
  const given: Case = {
    target: seen,
    expected: question.expected,
    collection,
    at: evidence.at,
    before: new Map(report.findings.map((one) => [one.claim, one])),
    observed: rule?.observed,
  };
  const before = report.findings.filter(({ claim }) => BEFORE.some((one) => one === claim));
  const choice: Choice = KINDS.has(seen.kind)
    ? chooseFor({ given, population: rule?.population?.(given), before }, wish)
    : {
        kind: "refused",
        reason: "no-such-drill",
        sentence: `a Pod of a Deployment, StatefulSet or DaemonSet can be drilled, and this is a ${seen.kind}`,
      };
  return { choice, workload: { subject: look.subject, seen }, report };
};

const withMore = async (
  { cluster, timeoutMs, stop }: LiveOptions,
  { evidence, subject }: Look,
): Promise<Pick<Look["evidence"], "objects" | "asked">> => {
  if (subject === null) return evidence;
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    const lists = await Promise.all(
      MORE.map(({ plural, group }) =>
        listNamed(round, group === "" ? plural : `${plural}.${group}`, subject.ref.namespace),
      ),
    );
    const read = lists.map((list) =>
      evidenceOf(list, list.resource.namespaced ? subject.ref.namespace : null),
    );
    return {
      objects: [...evidence.objects, ...read.flatMap(({ objects }) => objects)],
      asked: [...evidence.asked, ...read.map(({ asked }) => asked)],
    };
  } finally {
    round.end();
  }
};

const KUBE_SYSTEM: ObjectRef = {
  resource: { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false },
  namespace: null,
  name: "kube-system",
};

/** By which a cluster is told from another; null: it could not be read. */
export const clusterUid = async ({
  cluster,
  timeoutMs,
  stop,
}: Pick<LiveOptions, "cluster" | "timeoutMs" | "stop">): Promise<string | null> => {
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    const read = await round.get(KUBE_SYSTEM);
    return read.kind === "observed" ? read.uid : null;
  } finally {
    round.end();
  }
};

// ---- after the Pod was removed ---------------------------------------------------------------------------------

/** What has to stay as it was while it is watched. */
export interface Drilled {
  readonly generation: number | null;
  readonly podUid: string;
  readonly beside: readonly { readonly name: string; readonly uid: string }[];
}

export interface Outcome {
  readonly report: VerdictReport;
  /** Who came between, one sentence; null: nobody. */
  readonly disturbed: string | null;
}

const REST_MS = 250;

/** Looks until it is proven, the time for it is over, somebody comes between, or it is stopped. */
export const watchDrill = async (
  options: LiveOptions,
  drilled: Drilled,
  watching: { readonly windowMs: number; readonly everyMs: number; readonly note: (text: string) => void },
): Promise<Outcome> => {
  const { clock, stop } = options;
  let by: Instant | null = null;
  let said = "";
  for (;;) {
    const beganMs = clock.monotonicMs();
    const look = await liveEvidence(options).collect();
    by ??= instant(look.evidence.at + watching.windowMs);
    const replaced = {
      uids: [drilled.podUid],
      beside: drilled.beside.map(({ uid }) => uid),
      by,
      reply: null,
    };
    const question = { ...options.question, expected: { ...options.question.expected, replaced } };
    const collection = new Collection(look.evidence);
    const report = reportIn(collection, look, question, NO_COMPARISON);
    const disturbed = disturbance(drilled, look, collection);
    said = tell(report, said, watching.note);
    const isOver = look.evidence.at >= by;
    const isEnd = report.verdict === "proven" || cannotChange(report);
    if (disturbed !== null || isEnd || isOver || stop.aborted)
      return { report: { ...report, window: { ...report.window, ended: isOver } }, disturbed };
    await untilNextLook(options, look, {
      waitMs: Math.max(REST_MS, Math.min(watching.everyMs, by - look.evidence.at)),
      restMs: Math.max(REST_MS, clock.monotonicMs() - beganMs),
    });
  }
};

const tell = ({ findings }: VerdictReport, said: string, note: (text: string) => void): string => {
  const one = findings.find(({ claim }) => claim === "pod-replaced");
  if (one === undefined) return said;
  const now = `${one.finding} ${one.reason}`;
  if (now !== said) note(`${one.finding}: ${one.sentence}`);
  return now;
};

const disturbance = (drilled: Drilled, { subject }: Look, collection: Collection): string | null => {
  if (subject === null) return null;
  if (drilled.generation !== null && subject.generation !== null && subject.generation !== drilled.generation)
    return `the spec of the workload was changed while it was drilled (generation ${drilled.generation}, now ${subject.generation}): what comes in the Pod's place is of another state`;
  const pods = collection.list(RESOURCES.Pod, subject.ref.namespace);
  if (pods.kind !== "known") return null;
  const there = new Map(pods.value.objects.map((pod) => [pod.uid, pod]));
  const gone = drilled.beside.filter(({ uid }) => {
    const pod = there.get(uid);
    return pod === undefined || isTerminating(pod);
  });
  return gone.length === 0
    ? null
    : `${counted(gone.length, "Pod")} that ran beside it ${gone.length === 1 ? "was" : "were"} removed by somebody else while it was drilled: ${listed(gone.map(({ name }) => name))}`;
};
