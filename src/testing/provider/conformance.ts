/**
 * Which guarantees a provider keeps, and at which class: every check by name with what was seen, a result for each class,
 * and the highest class that may honestly be declared.
 *
 *     console.log(conformanceText(await conformance(subject)));
 *
 * The same checks for a test runner, as conditions of the class that is declared:
 *
 *     for (const check of providerChecks(subject, "keyed")) it(check.name, check.run);
 */
import { RETRY_CLASSES, type RetryClass } from "../../domain/step.ts";
import { isFaults } from "../../ports/provider.ts";
import { BASIC_CHECKS } from "./basic-checks.ts";
import { type CheckBody, CheckFailed, runCheck, type Subject } from "./check.ts";
import { CLASS_CHECKS } from "./class-checks.ts";
import { TOOL_CHECKS } from "./tool-checks.ts";

/** A check for a test runner. `run` resolves when it holds, and rejects with one sentence when it does not. */
export interface Check {
  readonly name: string;
  run(): Promise<void>;
}

export interface CheckResult {
  readonly name: string;
  /** The classes that it is a condition of. */
  readonly of: readonly RetryClass[];
  /** `not-run`: the subject has not the switch that it needs, so it shows nothing. */
  readonly result: "kept" | "broken" | "not-run";
  /** What was seen, what must not be, or which switch is missing. One sentence. */
  readonly saw: string;
}

export interface ClassResult {
  /** `not-shown`: nothing is broken, and some of its checks did not run. */
  readonly result: "kept" | "broken" | "not-shown";
  /** The names of the checks that are broken, else of those that did not run. */
  readonly because: readonly string[];
}

export interface Conformance {
  /** The provider's name. */
  readonly provider: string;
  readonly checks: readonly CheckResult[];
  readonly classes: Readonly<Record<RetryClass, ClassResult>>;
  /** In the order once, named, keyed, idempotent; null: not even `once` was shown. */
  readonly highest: RetryClass | null;
  /** What the provider says of itself, or the subject's step; null: it leaves that to the person. */
  readonly declares: RetryClass | null;
}

const ALL: readonly CheckBody[] = [...BASIC_CHECKS, ...TOOL_CHECKS, ...CLASS_CHECKS];

/** Checks under way at the same time: most of what they do is wait. */
const TOGETHER = 4;

/** Runs every check, each on a fresh subject that `make` gives. */
export const conformance = async (make: () => Promise<Subject>): Promise<Conformance> => {
  const { provider, step, with: inputs, end } = await make();
  const facts = provider.describe(inputs);
  await end?.();
  const results: CheckResult[] = [];
  const waiting = [...ALL.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next[0]] = await resultOf(next[1], make);
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  const classes = Object.fromEntries(
    RETRY_CLASSES.map((retry) => [retry, classResult(retry, results)]),
  ) as Conformance["classes"];
  return {
    provider: provider.name,
    checks: results,
    classes,
    highest: RETRY_CLASSES.findLast((retry) => classes[retry].result === "kept") ?? null,
    declares: step?.retry ?? (isFaults(facts) ? null : facts.retry),
  };
};

const resultOf = async (check: CheckBody, make: () => Promise<Subject>): Promise<CheckResult> => {
  const common = { name: check.name, of: check.of ?? RETRY_CLASSES };
  try {
    const ran = await runCheck(check, make);
    return "saw" in ran
      ? { ...common, result: "kept", saw: ran.saw }
      : { ...common, result: "not-run", saw: without(ran.missing) };
  } catch (error) {
    return { ...common, result: "broken", saw: error instanceof Error ? error.message : String(error) };
  }
};

const without = (missing: readonly string[]): string => `the subject has no switch ${missing.join(", ")}`;

const classResult = (retry: RetryClass, results: readonly CheckResult[]): ClassResult => {
  const named = (result: CheckResult["result"]): string[] =>
    results.filter((one) => one.result === result && one.of.includes(retry)).map(({ name }) => name);
  const [broken, notRun] = [named("broken"), named("not-run")];
  if (broken.length > 0) return { result: "broken", because: broken };
  return notRun.length > 0 ? { result: "not-shown", because: notRun } : { result: "kept", because: [] };
};

/**
 * The checks for a test runner. With a class: all that it asks for, and a missing switch fails. Without: those that every
 * provider has to hold and that need no switch of the tool. `make` gives a fresh subject for each check, so that none
 * sees what another left.
 */
export const providerChecks = (make: () => Promise<Subject>, retry?: RetryClass): readonly Check[] =>
  (retry === undefined ? BASIC_CHECKS : ALL.filter(({ of }) => of === null || of.includes(retry))).map(
    (check) => ({
      name: check.name,
      run: async () => {
        const ran = await runCheck(check, make);
        if ("missing" in ran) throw new CheckFailed(`not run: ${without(ran.missing)}`);
      },
    }),
  );

/** The report for a person: a line a check, a line a class, and what may be declared. */
export const conformanceText = ({ provider, checks, classes, highest, declares }: Conformance): string => {
  const lines = checks.map(({ name, result, saw }) => `${result.padEnd(8)} ${name}: ${saw}`);
  const ranks = RETRY_CLASSES.map((retry) => {
    const { result, because } = classes[retry];
    return `${retry.padEnd(10)} ${result}${because.length === 0 ? "" : `: ${because.join("; ")}`}`;
  });
  const may = highest === null ? "no class was shown" : `it may declare retry: ${highest}`;
  const told = declares === null ? "it declares none" : `it declares ${declares}`;
  return [...lines, "", ...ranks, "", `${provider}: ${may}; ${told}`].join("\n");
};
