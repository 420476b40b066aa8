/** rollback plan: what a rollback would meet and would change. Reads only. */
import type { StackFaults } from "../../../compose/place.ts";
import type { RollbackAsk } from "../../../compose/rollback.ts";
import type { CheckName } from "../../../domain/rollback.ts";
import type { RollbackPlan } from "../../../runtime/rollback-plan.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { rollbackCheck, rollbackPlan } from "../../../wire/api/rollback-plan.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RollbackFlags } from "../flags-rollback.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { rollbackPlanPage } from "../output/rollback-plan-page.ts";
import { ROLLBACK } from "../texts/rollback.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag, targetIn } from "./cluster.ts";
import { placeIn } from "./release.ts";
import { refuse } from "./where.ts";

type Flags = RollbackFlags & PrintFlags & Everywhere;

export async function rollbackPlanOf(this: Cli, flags: Flags, typed: string): Promise<void> {
  const ask = askOf(this, flags, typed);
  if (flags.from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  const asking = askingFlag(flags);
  if (flags.from !== undefined && asking !== undefined) throw new Usage(VERDICT.asksNone(asking));
  const plan = await plannedBy(this, flags, ask);
  if ("kind" in plan) return void (await refuse(this, plan));
  await printPlan(this, flags, typed, plan);
}

/** Also what `rollback run` shows where it does not go on. */
export const printPlan = async (
  cli: Cli,
  flags: Omit<Flags, "from" | "at">,
  typed: string,
  plan: RollbackPlan,
): Promise<void> => {
  const advice = planAdvice(typed, flags, plan);
  await print(cli, flags, {
    page: (page) => rollbackPlanPage(plan, advice, page),
    json: () => rollbackPlan(plan, advice),
    stream: () => plan.checks.map(rollbackCheck),
    names: () => plan.checks.map(({ check, finding }) => `${check}/${finding}`),
  });
  cli.exit(plan.exit);
};

export const askOf = (cli: Cli, flags: Omit<Flags, "from" | "at">, typed: string): RollbackAsk => {
  if ((flags.toRevision === undefined) === (flags.to === undefined)) throw new Usage(ROLLBACK.noTarget);
  const accepted = new Set<CheckName>(flags.accept ?? []);
  if (flags.acceptIrreversible) accepted.add("irreversible");
  return {
    ...targetIn(typed),
    to: flags.toRevision === undefined ? String(flags.to) : flags.toRevision,
    place: placeIn(cli, flags),
    means: { restoreConfig: flags.restoreConfig, accepted },
    secrets: flags.secrets,
  };
};

const plannedBy = async (
  cli: Cli,
  flags: Flags,
  ask: RollbackAsk,
): Promise<RollbackPlan | StackFaults | Refused> => {
  const { planLive, planSaved } = await import("../../../compose/rollback.ts");
  if (flags.from === undefined) return askingCluster(cli, flags, (live) => planLive(live, ask));
  const { cwd } = cli.terminal;
  return planSaved(
    { from: flags.from, at: flags.at ?? null, namespace: flags.namespace ?? "default", cwd },
    ask,
  );
};

export const planAdvice = (
  typed: string,
  flags: Omit<Flags, "from" | "at"> & { readonly from?: string },
  plan: RollbackPlan,
): Advice => {
  const { namespace, from } = flags;
  const where = namespace === undefined ? "" : ` -n ${quoted(namespace)}`;
  const files = from === undefined ? "" : ` --from ${quoted(from)}`;
  const there = `${quoted(typed)}${where}${files}`;
  const may = plan.decision === "proven";
  return {
    next: [
      ...(may && from === undefined
        ? [ROLLBACK.run(`asfound rollback run ${quoted(typed)}${where}${targetWords(flags)}`)]
        : []),
      ROLLBACK.verify(`asfound verify ${there}`),
      ROLLBACK.trace(`asfound config trace ${there}`),
    ],
    notOffered: [
      ...(may
        ? []
        : [
            ROLLBACK.notRun(
              `asfound rollback run ${quoted(typed)}${where}${targetWords(flags)}`,
              plan.decision,
            ),
          ]),
      ROLLBACK.notUndone(`kubectl rollout undo ${quoted(typed)}${where}`),
    ],
  };
};

/** What is rolled back to, and by which permissions, as it has to be typed again. */
const targetWords = (flags: Omit<Flags, "from" | "at">): string =>
  [
    flags.to === undefined ? ` --to-revision ${flags.toRevision}` : ` --to ${quoted(flags.to)}`,
    ...(flags.releases === undefined ? [] : [` --releases ${quoted(flags.releases)}`]),
    ...(flags.secrets ? [" --secrets"] : []),
    ...(flags.restoreConfig ? [" --restore-config"] : []),
    ...(flags.acceptIrreversible ? [" --accept-irreversible"] : []),
    ...(flags.accept ?? []).map((check) => ` --accept ${check}`),
  ].join("");
