/** What the two steps of a rollback have in common: how a call begins, and how the workload is named. */
import type { Call, CommittedIntent } from "../../../domain/committed-intent.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import type { CallIo, InputFault, Provider, ProviderFacts, Question } from "../../../ports/provider.ts";
import { type Fence, fenceOf, opened } from "../call.ts";
import { type ClusterReach, clusterReachOf, type Parts, type Way } from "../reach.ts";
import type { Parsed } from "./spec.ts";

interface Spec extends Way {
  readonly cluster: string | null;
}

export interface RollbackStep<S extends Spec> {
  readonly name: string;
  readonly cannotKnow: string;
  readonly parse: (inputs: JsonObject) => Parsed<S>;
  /** Sends; `id`: of the step. */
  readonly send: (reach: ClusterReach, spec: S, fence: Fence, id: string) => Promise<Outcome>;
  readonly look: (reach: ClusterReach, spec: S, question: Question) => Promise<Reading>;
  readonly idOf: (spec: S) => string;
}

export const refused = (reason: string): Outcome => ({
  kind: "refused",
  reason: `nothing was changed: ${reason}`,
});

const messages = (faults: readonly InputFault[]): string => faults.map(({ message }) => message).join("; ");

export const rollbackProvider = <S extends Spec>(parts: Parts, step: RollbackStep<S>): Provider => {
  const call = async (intent: CommittedIntent<"create" | "update">, io: CallIo): Promise<Outcome> => {
    const begun: Call | Outcome = await opened(intent);
    if (!("intent" in begun)) return begun;
    const fence = fenceOf(parts.clock, begun);
    const parsed = step.parse(begun.inputs);
    if ("faults" in parsed) return refused(messages(parsed.faults));
    const { spec } = parsed;
    const reach = await clusterReachOf(parts, spec, io, spec.cluster);
    if ("fault" in reach) return refused(reach.fault);
    try {
      return await step.send(reach, spec, fence, begun.identity?.id ?? step.idOf(spec));
    } finally {
      reach.cluster.close();
    }
  };
  const observe = async (question: Question, io: CallIo): Promise<Reading> => {
    const parsed = step.parse(question.inputs);
    if ("faults" in parsed) return { kind: "failed", reason: messages(parsed.faults) };
    const reach = await clusterReachOf(parts, parsed.spec, io, parsed.spec.cluster);
    if ("fault" in reach) return { kind: "failed", reason: reach.fault };
    try {
      return await step.look(reach, parsed.spec, question);
    } finally {
      reach.cluster.close();
    }
  };
  return {
    name: step.name,
    describe: (inputs): ProviderFacts | readonly InputFault[] => {
      const parsed = step.parse(inputs);
      if ("faults" in parsed) return parsed.faults;
      return {
        can: { observe: true, create: true, update: true, destroy: false, compensate: false, owed: false },
        // A call in doubt is looked at until it is past; it is not sent again before.
        retry: "once",
        inputFiles: [],
        cannotKnow: [step.cannotKnow],
      };
    },
    observe,
    create: call,
    update: call,
    destroy: async () => refused("a rollback leaves nothing that could be destroyed"),
    compensate: async () => refused("a rollback has nothing to compensate with"),
    owed: async () => refused("a rollback owes nothing"),
  };
};
