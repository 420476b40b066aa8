/**
 * `drill`: where the decision, the operation and the watch meet. The cluster is read over one connection; the Pod is
 * removed by the provider `kubernetes-drill` alone, through the ledger (`compose/recovery.ts`).
 */
import { resolve } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import type { Io } from "../compose.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { OperationId, StackName } from "../domain/ids.ts";
import { operationId, stackName, stepName } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Question } from "../domain/question.ts";
import type { RecoveryTarget } from "../domain/recovery.ts";
import { type ResponseExpectation, viaText } from "../domain/response.ts";
import type { StepState } from "../domain/state.ts";
import type { Chosen, Wish } from "../judge/drill/choice.ts";
import type { Previewed } from "../ports/provider.ts";
import type { Verified } from "../ports/verifier.ts";
import type { LiveOptions } from "../runtime/collect.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import { clusterUid, type Decision, decide, type Outcome, watchDrill } from "../runtime/drill.ts";
import { isRefused, type Refused, refused } from "../runtime/runtime.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import type { StackFaults, Where } from "./place.ts";
import { proberFor } from "./prober.ts";
import { type Ran, runRecovery, stackOf } from "./recovery.ts";
import { type Live, openLive } from "./verify-cluster.ts";

export interface DrillAsked {
  readonly target: { readonly kind: string; readonly name: string };
  /** The reply that has to come from the new Pod; null: none is asked for. */
  readonly response: ResponseExpectation | null;
  readonly wish: Wish;
  /** Namespaces in which a Pod may be removed. */
  readonly allowNamespaces: readonly string[];
  /** In which what comes has to be Ready and right. */
  readonly windowMs: number;
  readonly leaseWaitMs: number;
  readonly reason: string | null;
}

export interface DrillRan {
  readonly kind: "ran";
  readonly stack: StackName;
  readonly operation: OperationId;
  readonly step: Pick<StepState, "status" | "reason" | "effect">;
  /** null: it was not looked at, as no Pod was removed. */
  readonly outcome: Outcome | null;
  readonly exit: ExitCode;
}

/** One drill, as far as the person lets it go. */
export interface Drill {
  /** `https://10.0.0.1:6443`, for the person who is asked. */
  readonly server: string;
  readonly namespace: string;
  decide(): Promise<Decision>;
  /** What the server says to the removal now. Changes nothing. */
  rehearse(decision: Decision): Promise<Previewed | null>;
  /** Removes the Pod that was chosen, and looks until what comes is right. */
  run(decision: Decision): Promise<DrillRan | Refused | StackFaults>;
}

/** A watch tells of the target itself; what goes on around it is looked for this often. */
const EVERY_MS = 2_000;
/** The API server shows a removal at once. */
const SETTLE_MS = 5_000;

export const withDrill = async <T>(
  live: Live,
  where: Omit<Where, "file" | "stack" | "needsFile">,
  io: Io,
  asked: DrillAsked,
  use: (drill: Drill) => Promise<T>,
): Promise<T | Refused> => {
  const { response } = asked;
  const made = proberFor(response === null ? null : response.ca, live.cwd);
  if ("fault" in made) return refused(EXIT.usage, made.fault);
  const cluster = await openLive(live);
  if (isRefused(cluster)) return cluster;
  const { server, namespace } = cluster.facts;
  const options: LiveOptions = {
    cluster,
    prober: made.prober,
    clock: systemClock,
    question: {
      ...asked.target,
      namespace,
      expected: { ...NOTHING_EXPECTED, response },
      claims: null,
    },
    comparison: NO_COMPARISON,
    timeoutMs: live.timeoutMs,
    stop: io.interrupt.drain,
  };
  try {
    return await use({
      server,
      namespace,
      decide: () => decide(options, asked.wish),
      rehearse: (decision) => rehearse({ live, io, asked, options }, decision),
      run: (decision) => run({ live, io, asked, options }, where, decision),
    });
  } finally {
    cluster.close();
  }
};

interface Going {
  readonly live: Live;
  readonly io: Io;
  readonly asked: DrillAsked;
  readonly options: LiveOptions;
}

interface Made {
  readonly target: RecoveryTarget;
  readonly inputs: JsonObject;
  readonly chosen: Chosen;
  readonly workload: NonNullable<Decision["workload"]>;
}

/** All that the call and its settlement need. */
const madeOf = async ({ live, asked, options }: Going, decision: Decision): Promise<Made | null> => {
  const { choice, workload } = decision;
  if (choice.kind !== "chosen" || workload === null) return null;
  const { ref, uid } = workload.subject;
  const { group, version, resource, kind } = ref.resource;
  const cluster = await clusterUid(options);
  const { server, context } = options.cluster.facts;
  const namespace = ref.namespace ?? "";
  return {
    target: { cluster: cluster ?? server, group, kind, namespace, name: ref.name },
    inputs: {
      workload: {
        apiVersion: group === "" ? version : `${group}/${version}`,
        kind,
        resource,
        namespace,
        name: ref.name,
        uid: uid ?? "",
      },
      pod: { ...choice.pod },
      beside: choice.beside.map((one) => one.uid),
      reply: asked.response === null ? null : viaText(asked.response.via),
      by: asked.wish.by,
      allowNamespaces: [...asked.allowNamespaces],
      cluster,
      kubeconfig: live.kubeconfig === null ? null : resolve(live.cwd, live.kubeconfig),
      context,
      allowExec: [...live.allowExec],
    },
    chosen: choice,
    workload,
  };
};

const rehearse = async (going: Going, decision: Decision): Promise<Previewed | null> => {
  const made = await madeOf(going, decision);
  if (made === null) return null;
  const { drillOver } = await import("./kubernetes.ts");
  const { live, io } = going;
  const question = {
    stack: stackName(stackOf(made.target)),
    step: stepName("drill"),
    operation: operationId("none"),
    attempt: 0,
    key: null,
    keys: [],
    epoch: 0,
    inputs: made.inputs,
    identity: null,
    outputs: {},
    previousInputs: null,
  };
  const previewed = await drillOver(live.environment).preview?.(question, {
    deadlineMs: live.timeoutMs,
    stop: io.interrupt.drain,
    identity: async () => undefined,
    progress: () => undefined,
    baseDirectory: live.cwd,
  });
  return previewed?.[0] ?? null;
};

const run = async (
  going: Going,
  where: Omit<Where, "file" | "stack" | "needsFile">,
  decision: Decision,
): Promise<DrillRan | Refused | StackFaults> => {
  const made = await madeOf(going, decision);
  if (made === null) throw new Error("a drill runs only after a Pod was chosen");
  const { asked, io } = going;
  const { kind, namespace, name } = made.target;
  let outcome: Outcome | null = null;
  const verify = async (
    windowMs: number,
    stop: AbortSignal,
    note: (text: string) => void,
  ): Promise<Verified> => {
    outcome = await watched(going, made, windowMs, stop, note);
    return verifiedOf(outcome);
  };
  return runRecovery(
    where,
    io,
    {
      target: made.target,
      steps: [
        {
          name: "drill",
          uses: "kubernetes-drill",
          with: made.inputs,
          confirm: ["pod-replaced"],
          windowMs: asked.windowMs,
          settleMs: SETTLE_MS,
        },
      ],
      reason: asked.reason ?? `drill of ${kind} ${namespace}/${name}: Pod ${made.chosen.pod.name}`,
      leaseWaitMs: asked.leaseWaitMs,
      verifier: async () => ({
        verify: (_, { windowMs, stop, note }) => verify(windowMs, stop, note),
        close: () => undefined,
      }),
    },
    (ran) => ranOf(ran, outcome),
  );
};

const watched = (
  { options }: Going,
  { workload, chosen }: Made,
  windowMs: number,
  stop: AbortSignal,
  note: (text: string) => void,
): Promise<Outcome> => {
  const { uid, generation } = workload.subject;
  const expected = { ...options.question.expected, uid };
  const question: Question = { ...options.question, expected, claims: ["pod-replaced"] };
  return watchDrill(
    { ...options, question, stop },
    { generation, podUid: chosen.pod.uid, beside: chosen.beside },
    { windowMs, everyMs: EVERY_MS, note },
  );
};

const verifiedOf = ({ report, disturbed }: Outcome): Verified => {
  const sentence = sentenceOf(report);
  return disturbed === null
    ? { finding: report.verdict, sentence }
    : { finding: "undetermined", sentence: `${disturbed}; ${sentence}` };
};

/** The claim's own sentence, and what else is refuted. */
const sentenceOf = ({ findings, statement }: VerdictReport): string => {
  const told = findings.filter(({ claim, finding }) => claim === "pod-replaced" || finding === "refuted");
  return told.length === 0
    ? statement
    : told.map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`).join("; ");
};

/** A removal that was refused did nothing: that is a refusal (23), and no drill that failed. */
const ranOf = async ({ project, done }: Ran, outcome: Outcome | null): Promise<DrillRan> => {
  const states = await project.runtime.store.steps(project.stackName);
  const state = states.get(stepName("drill"));
  if (state === undefined) throw new Error("the drill's step has no record");
  const isRefused = state.status === "error" && state.effect === "none" && state.open.length === 0;
  return {
    kind: "ran",
    stack: project.stackName,
    operation: done.operation.id,
    step: {
      status: state.status,
      reason: reasonOf(state, done.endings.get(stepName("drill"))),
      effect: state.effect,
    },
    outcome,
    exit: isRefused && done.exit === EXIT.refuted ? EXIT.refused : done.exit,
  };
};

const reasonOf = (state: StepState, ending: { readonly kind: string } | undefined): string =>
  ending !== undefined && "why" in ending ? String(ending.why) : state.reason;
