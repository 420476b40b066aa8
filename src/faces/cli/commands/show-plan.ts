/** The plan of apply and of destroy, as a result of its own and as what is shown before a person is asked. */
import type { Project } from "../../../compose.ts";
import type { StepName } from "../../../domain/ids.ts";
import { type PlanReport, planApply, planDestroy } from "../../../runtime/plan.ts";
import { previewed } from "../../../runtime/preview.ts";
import { plan as planJson, plannedStep } from "../../../wire/api/plan.ts";
import type { Cli } from "../context.ts";
import { type Advice, located, quoted } from "../output/next.ts";
import { planLines, planPage } from "../output/plan-page.ts";
import { type PrintFlags, pageOn, print } from "../output/print.ts";
import { ADVICE } from "../texts/advice.ts";
import type { PlaceFlags } from "./where.ts";

export type Wanted =
  | { readonly verb: "apply"; readonly allowDestroy: boolean }
  | { readonly verb: "destroy"; readonly only: readonly string[] };

export const planOf = async (project: Project, wanted: Wanted): Promise<PlanReport> => {
  if (wanted.verb === "destroy")
    return planDestroy(
      project.runtime,
      project.stackName,
      wanted.only as readonly StepName[],
      project.fileDigest,
    );
  const { stack, fileDigest } = inFile(project);
  return planApply(project.runtime, {
    stack,
    described: project.described,
    fileDigest,
    allowDestroy: wanted.allowDestroy,
  });
};

/** With what the tools themselves say that it would change: for whoever has not decided yet. */
export const previewOf = async (project: Project, wanted: Wanted): Promise<PlanReport> =>
  previewed(project.runtime, project.described, await planOf(project, wanted));

/** The file's stack, for a verb that was opened with `needsFile`. */
export const inFile = (project: Project) => {
  const { stack, fileDigest } = project;
  if (stack === null || fileDigest === null) throw new Error("a stack file was needed, and none was opened");
  return { stack, fileDigest };
};

/** As the result of `plan` and `--dry-run`. */
export const printPlan = async (
  cli: Cli,
  flags: PlaceFlags & PrintFlags,
  report: PlanReport,
  savedAs: string | null,
  only: readonly string[] = [],
): Promise<void> => {
  const advice = located(adviceFor(report, savedAs, only), flags);
  await print(cli, flags, {
    page: (page) => planPage(report, advice, page),
    json: () => ({
      ...planJson(report),
      next: advice.next.map(({ command, why }) => ({ command, why })),
      notOffered: advice.notOffered.map(({ command, why }) => ({ command, why })),
    }),
    stream: () => report.steps.map(plannedStep),
    names: () => report.steps.filter(({ do: what }) => what !== "leave").map(({ step }) => step),
  });
};

/** On the error stream, before asking or going on. */
export const tellPlan = (cli: Cli, flags: PrintFlags, report: PlanReport): void => {
  const lines = planLines(report, pageOn(cli, { ...flags, output: "table" }, "err"));
  cli.terminal.err.write(lines.map((line) => `${line}\n`).join(""));
};

const adviceFor = (report: PlanReport, savedAs: string | null, only: readonly string[]): Advice => {
  const having = (kind: string) =>
    report.steps.filter(({ do: what }) => what === kind).map(({ step }) => step);
  if (report.verb === "destroy") {
    // The named steps and no others: without them it would be the whole stack.
    const command = { command: ["asfound destroy", ...only.map(quoted)].join(" "), why: ADVICE.apply.why };
    return {
      next: report.steps.some(({ do: what }) => what !== "leave") ? [command] : [ADVICE.status],
      notOffered: [],
    };
  }
  const replaced = having("replace");
  // What left the file is shown as destroyed only where that was permitted.
  const permitted = having("destroy").length > 0;
  const next =
    savedAs !== null
      ? [
          ADVICE.applyPlan(savedAs),
          ...(report.steps.some(({ needsApproval }) => needsApproval !== null)
            ? [ADVICE.approvePlan(savedAs)]
            : []),
        ]
      : [
          ...(having("observe-first").length > 0 ? [ADVICE.reconcile] : []),
          report.changes === 0 ? ADVICE.status : permitted ? ADVICE.applyAndDestroy : ADVICE.apply,
        ];
  return {
    next,
    notOffered: replaced.length > 0 && savedAs === null ? [ADVICE.destroys(replaced.join(", "))] : [],
  };
};
