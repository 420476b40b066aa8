/**
 * O6: one statement for a person, with counts, versions, reason, and who serves. Made from the same sets as the findings,
 * and never says more than they do.
 */
import type { Judgement } from "../domain/finding.ts";
import type { Case } from "./case.ts";
import type { Found } from "./inquiry.ts";
import { type Population, standing } from "./population.ts";
import { troubles } from "./troubles.ts";
import { counted } from "./words.ts";

/** `findings`: what decides, the worst first. */
export const statementOf = (
  given: Case,
  population: Population | undefined,
  verdict: Judgement,
  findings: readonly Found[],
): string => {
  const deciding = findings.find(({ finding }) => finding === verdict);
  const people = population === undefined ? [] : peopled(given, population, findings);
  if (people.length === 0) return sentence(withoutPods(findings, deciding), verdict);
  return sentence([...people, ...whyBeside(verdict, deciding, population)], verdict);
};

/** A claim that only begins is not told where another says what came of it, and nothing is told twice in other words. */
const withoutPods = (findings: readonly Found[], deciding: Found | undefined): readonly string[] => {
  const main = findings.find(({ claim }) => claim !== "spec-observed") ?? deciding;
  const served = findings.find(
    ({ claim, finding }) => claim === "endpoints-ready" && finding === deciding?.finding,
  );
  const told = main?.finding === deciding?.finding ? [main, served] : [deciding, main];
  return [...new Set(told.flatMap((one) => (one === undefined ? [] : [one.sentence])))];
};

/** What decides, where counting Pods does not show it. */
const whyBeside = (
  verdict: Judgement,
  deciding: Found | undefined,
  population: Population | undefined,
): readonly string[] => {
  if (deciding === undefined) return [];
  const short = SHORT[deciding.reason];
  if (short !== undefined) return [short];
  const shown = population !== undefined && isShown(population);
  return TELLS_MORE.has(deciding.reason) || (verdict !== "proven" && !shown) ? [deciding.sentence] : [];
};

/** Whether the Pods themselves show that something is not as it is to be. */
const isShown = ({ fresh, old }: Population): boolean => {
  const [now, before] = [standing(fresh), standing(old)];
  return now.ready.length < now.active.length || before.active.length + before.terminating.length > 0;
};

/** Reasons whose sentence would tell the counts again. */
const SHORT: Readonly<Record<string, string | undefined>> = {
  paused: "the rollout is paused",
  "on-delete": "the strategy OnDelete replaces no Pod by itself",
  "progress-deadline-exceeded": "the rollout made no progress within its deadline",
};

/** Reasons that counting Pods does not show. */
const TELLS_MORE: ReadonlySet<string> = new Set([
  "quota",
  "limit-range",
  "admission",
  "service-account",
  "create-refused",
  "generation-behind",
  "not-reported",
  "being-deleted",
  "object-replaced",
  "contradiction",
  "no-ready-endpoint",
  "replicas-differ",
  "autoscaler-unknown",
  "autoscaler-wants-more",
  "other-image",
  "surplus-container",
  "missing",
  "reported-failed",
  "reported-undetermined",
  "reported-progressing",
  "child-not-done",
  "not-told",
  "unknown",
]);

const sentence = (parts: readonly string[], verdict: Judgement): string =>
  parts.length === 0 ? `${verdict}.` : `${parts.join("; ")}.`;

const peopled = (given: Case, population: Population, findings: readonly Found[]): readonly string[] => {
  const { fresh, old, freshVersion, oldVersions } = population;
  const now = standing(fresh);
  const before = standing(old);
  if (fresh.length + old.length === 0) return [];
  const serves = servesBy(findings);
  const runs = freshVersion === null ? "run the new template" : `run ${freshVersion}`;
  const run = freshVersion === null ? "runs the new template" : `runs ${freshVersion}`;
  return [
    ...freshPart(given, now, { runs, run, serves }),
    ...oldPart(before, oldVersions, serves),
    ...heldPart(standing(population.held).active.length),
    ...ending(now.terminating.length, freshVersion),
    ...ending(before.terminating.length, namesOf(oldVersions)),
  ];
};

/** Pods serve where their endpoints are ready; without a look at those they are only ready. */
const servesBy = (findings: readonly Found[]): boolean =>
  findings.some(({ claim, finding }) => claim === "endpoints-ready" && finding === "proven");

const namesOf = (versions: readonly string[]): string | null =>
  versions.length === 0 ? null : versions.join(" and ");

interface Words {
  readonly run: string;
  readonly runs: string;
  readonly serves: boolean;
}

const freshPart = (
  given: Case,
  { active, ready }: ReturnType<typeof standing>,
  { run, runs, serves }: Words,
): readonly string[] => {
  const count = active.length;
  if (count === 0) return [`no new replica ${run}`];
  const is = count === 1 ? run : runs;
  const lead = `${counted(count, "new replica")} ${is}`;
  if (ready.length === count)
    return [
      `${lead} and ${serves ? (count === 1 ? "serves" : "serve") : count === 1 ? "is ready" : "are ready"}`,
    ];
  const [worst] = troubles(active, given);
  const clause =
    worst === undefined
      ? ""
      : count === 1
        ? worst.trouble.clause
        : `Pod ${worst.pod.name} ${worst.trouble.clause}`;
  if (count === 1) return [`${lead} and ${clause === "" ? "is not ready" : clause}`];
  return [`${lead}, ${ready.length} of them ready${clause === "" ? "" : `: ${clause}`}`];
};

const oldPart = (
  { active, ready }: ReturnType<typeof standing>,
  versions: readonly string[],
  serves: boolean,
): readonly string[] => {
  if (active.length === 0) return [];
  const name = namesOf(versions);
  const of = (count: number) =>
    name === null ? counted(count, "old replica") : `${counted(count, "replica")} of ${name}`;
  if (ready.length === 0)
    return [`${of(active.length)} ${active.length === 1 ? "is" : "are"} there and not ready`];
  const verb = serves
    ? ready.length === 1
      ? "serves"
      : "serve"
    : ready.length === 1
      ? "is ready"
      : "are ready";
  const rest = active.length - ready.length;
  return [`${of(ready.length)} ${verb}${rest === 0 ? "" : ` (${rest} more not ready)`}`];
};

const heldPart = (count: number): readonly string[] =>
  count === 0
    ? []
    : [`${counted(count, "replica")} ${count === 1 ? "is" : "are"} held back by the partition`];

const ending = (count: number, version: string | null): readonly string[] =>
  count === 0
    ? []
    : [
        `${counted(count, "replica")}${version === null ? "" : ` of ${version}`} ${count === 1 ? "is" : "are"} terminating`,
      ];
