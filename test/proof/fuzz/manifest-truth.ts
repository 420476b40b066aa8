/**
 * What a stack file may be read as, told without the code under test: the model that it was written from; for a text that
 * is JSON, `JSON.parse`; and for each field of a step, the words of DESIGN §6.
 */
import { isDeepStrictEqual } from "node:util";
import type { Stack, Step } from "../../../src/domain/step.ts";
import type { ParsedStack } from "../../../src/wire/manifest/parse.ts";
import type { ManifestText } from "./manifest-text.ts";

type Plain = Readonly<Record<string, unknown>>;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  us: 0.001,
  ns: 0.000001,
  µs: 0.001,
  μs: 0.001,
};

/** Milliseconds of a duration as Go writes it. */
const milliseconds = (written: unknown, otherwise: number): number => {
  if (written === undefined) return otherwise;
  const parts = [...String(written).matchAll(/(\d*\.?\d*)(ms|us|µs|μs|ns|s|m|h)/g)];
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[String(unit)] as number), 0),
  );
};

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Steps that a `with` refers to, where no dollar is doubled. */
const referred = (inputs: unknown): string[] =>
  textsIn(inputs).flatMap((text) =>
    text.includes("$$")
      ? []
      : [...text.matchAll(/\$\{\s*steps\.([^.}]+)\.outputs\./g)].map(([, name]) => String(name)),
  );

const stepFault = (step: Step, written: Plain): string | undefined => {
  const orNull = (field: string): unknown => written[field] ?? null;
  const wanted: Readonly<Record<string, readonly [read: unknown, written: unknown]>> = {
    uses: [step.uses, written["uses"]],
    with: [step.with, written["with"] ?? {}],
    retry: [step.retry, orNull("retry")],
    retain: [step.retain, orNull("retain")],
    approve: [step.approve, orNull("approve")],
    partOf: [step.partOf, orNull("partOf")],
    onChange: [step.onChange, orNull("onChange")],
    keepSecrets: [step.keepSecrets, written["keepSecrets"] ?? false],
    public: [step.public, written["public"] ?? []],
    files: [step.files, written["files"] ?? []],
    renamedFrom: [step.renamedFrom, orNull("renamedFrom")],
    settle: [step.settleMs, milliseconds(written["settle"], 30_000)],
    deadline: [step.deadlineMs, milliseconds(written["deadline"], 600_000)],
    keyLifetime: [step.keyLifetimeMs, milliseconds(written["keyLifetime"], 86_400_000)],
    window: [step.windowMs, milliseconds(written["window"], 300_000)],
  };
  for (const [field, [read, said]] of Object.entries(wanted))
    if (!isDeepStrictEqual(read, said))
      return `${field} of the step ${step.name} says ${JSON.stringify(said)}, and was read as ${JSON.stringify(read)}`;
  const needs = new Set([...((written["needs"] ?? []) as readonly string[]), ...referred(written["with"])]);
  if (typeof written["partOf"] === "string") needs.add(written["partOf"]);
  const lost = [...needs].find((name) => !step.needs.some((need) => need === name));
  return lost === undefined ? undefined : `the step ${step.name} needs ${lost}, and that was lost`;
};

/** Why the stack is not what the plain value says. */
const stackFault = (stack: Stack, written: Plain): string | undefined => {
  const steps = Object(written["steps"]) as Readonly<Record<string, Plain>>;
  if (stack.name !== Object(written["metadata"])["name"]) return "it has another name";
  const names = [...stack.steps.keys()];
  if (!isDeepStrictEqual(new Set<string>(names), new Set(Object.keys(steps))))
    return `it has the steps ${names.join(", ")}, and ${Object.keys(steps).join(", ")} are written`;
  for (const step of stack.steps.values()) {
    const fault = stepFault(step, steps[step.name] as Plain);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Faults are for a person: a sentence, at a place that the file has. */
const refusalFault = (
  text: string,
  faults: Extract<ParsedStack, { faults: unknown }>["faults"],
): string | undefined => {
  if (faults.length === 0) return "it is refused without a reason";
  const lines = text.split("\n").length;
  for (const { message, line, column } of faults) {
    if (message.length < 5) return "a fault has no sentence";
    if (line !== null && (line < 1 || line > lines || column === null || column < 1))
      return `a fault stands at ${line}:${column}, in a file of ${lines} lines`;
  }
  return undefined;
};

/** Why the answer is wrong, or better than the text; undefined when it is neither. */
export const manifestFault = (
  { text, model, wanted, why }: ManifestText,
  parsed: ParsedStack,
): string | undefined => {
  if ("faults" in parsed) {
    if (wanted === "accept") return `a stack as it has to be is refused: ${parsed.faults[0]?.message}`;
    return refusalFault(text, parsed.faults);
  }
  if (wanted === "refuse") return `it is accepted with ${why}`;
  if (model !== null && !isDeepStrictEqual(parsed.written, model))
    return `it was read as ${JSON.stringify(parsed.written)}`;
  const json = jsonOf(text);
  if (json !== undefined && !isDeepStrictEqual(parsed.written, json))
    return `as JSON it says otherwise: ${JSON.stringify(json)}`;
  return stackFault(parsed.stack, parsed.written as unknown as Plain);
};
