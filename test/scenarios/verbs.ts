/** One verb over an opened project, in this process; the driver runs the same in a process of its own. */
import type { Project } from "../../src/compose.ts";
import { type Digest, type StepName, stepName } from "../../src/domain/ids.ts";
import type { OperationOptions } from "../../src/domain/operation.ts";
import type { Approve, Retain } from "../../src/domain/step.ts";
import { apply, type SavedPermission } from "../../src/runtime/apply.ts";
import { compensate } from "../../src/runtime/compensate.ts";
import { approveStep, forgetStep, importStep, resolveStep, retainStep } from "../../src/runtime/decisions.ts";
import { destroy } from "../../src/runtime/destroy.ts";
import type { Done } from "../../src/runtime/operation.ts";
import { reconcile } from "../../src/runtime/reconcile.ts";
import { lastResumable } from "../../src/runtime/resume.ts";
import type { Refused } from "../../src/runtime/runtime.ts";

/** JSON, so that it can be handed to the driver. */
export type Verb = { readonly reason?: string } & Named;

type Named =
  | { readonly verb: "apply"; readonly options?: Partial<OperationOptions>; readonly leaseWaitMs?: number }
  | { readonly verb: "destroy"; readonly only?: readonly string[] }
  /** The last apply or destroy again. */
  | { readonly verb: "resume" }
  | { readonly verb: "reconcile"; readonly wait?: boolean; readonly endSurvivors?: boolean }
  | { readonly verb: "compensate"; readonly steps: readonly string[] }
  | {
      readonly verb: "resolve";
      readonly step: string;
      readonly as: "present" | "absent";
      readonly id?: string;
      readonly owed?: "done" | "again";
    }
  | { readonly verb: "forget"; readonly step: string; readonly id?: string }
  | { readonly verb: "retain"; readonly step: string; readonly retain: Retain | null }
  | { readonly verb: "import"; readonly step: string; readonly id: string }
  | {
      readonly verb: "approve";
      readonly step: string;
      readonly before: Approve["before"];
      readonly plan?: string;
    };

const DEFAULT_OPTIONS: OperationOptions = { only: [], allowDestroy: false, failFast: false, parallelism: 4 };

export const CREATES = new Set<Verb["verb"]>(["apply", "import"]);

export const perform = (
  project: Project,
  verb: Verb,
  plan: SavedPermission | null = null,
): Promise<Done | Refused> => {
  const { runtime, stackName: stack, stackId, stack: file, fileDigest, described } = project;
  const common = { stack, stackId, reason: verb.reason ?? null, leaseWaitMs: 0 };
  const decided = (step: string) => ({
    ...common,
    step: stepName(step),
    file,
    reason: verb.reason ?? "a test decides so",
  });
  switch (verb.verb) {
    case "apply":
      if (file === null || fileDigest === null) throw new Error("no stack file");
      return apply(runtime, {
        ...common,
        stack: file,
        described,
        fileDigest,
        options: { ...DEFAULT_OPTIONS, ...verb.options },
        leaseWaitMs: verb.leaseWaitMs ?? 0,
        plan,
      });
    case "destroy":
      return destroy(runtime, {
        ...common,
        file,
        described,
        fileDigest,
        options: { ...DEFAULT_OPTIONS, only: (verb.only ?? []).map(stepName) },
      });
    case "resume":
      return resumed(project, plan);
    case "reconcile":
      return reconcile(runtime, {
        ...common,
        file,
        parallelism: 4,
        wait: verb.wait ?? true,
        endSurvivors: verb.endSurvivors ?? false,
      });
    case "compensate":
      if (file === null) throw new Error("no stack file");
      return compensate(runtime, {
        ...common,
        stack: file,
        described,
        steps: verb.steps.map(stepName),
        options: DEFAULT_OPTIONS,
      });
    case "resolve":
      return resolveStep(runtime, {
        ...decided(verb.step),
        as: verb.as,
        id: verb.id ?? null,
        owed: verb.owed ?? null,
      });
    case "forget":
      return forgetStep(runtime, { ...decided(verb.step), id: verb.id ?? null });
    case "retain":
      return retainStep(runtime, { ...decided(verb.step), retain: verb.retain });
    case "import": {
      const known = described.get(stepName(verb.step) as StepName);
      if (known === undefined) throw new Error(`no step ${verb.step} in the file`);
      return importStep(runtime, { ...decided(verb.step), id: verb.id, described: known });
    }
    case "approve":
      return approveStep(runtime, {
        ...decided(verb.step),
        before: verb.before,
        plan: (verb.plan ?? null) as Digest | null,
      });
  }
};

const resumed = async (project: Project, plan: SavedPermission | null): Promise<Done | Refused> => {
  const last = await lastResumable(project.runtime, project.stackName, project.fileDigest);
  if (last.kind === "refused") return last;
  const { verb, options } = last.operation;
  return perform(
    project,
    verb === "destroy" ? { verb, only: options.only } : { verb: "apply", options },
    plan,
  );
};
