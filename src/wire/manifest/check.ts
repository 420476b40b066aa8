/**
 * From a plain value to a checked stack: the schema first, then what a shape cannot say: names, needs, circles,
 * references, variables. Every fault is collected, each at its field.
 */
import { parseConfirm } from "../../domain/confirm.ts";
import { parseDuration } from "../../domain/duration.ts";
import { referencesIn, substituteVars } from "../../domain/expression.ts";
import { graphFaultText, graphOf } from "../../domain/graph.ts";
import type { StepName } from "../../domain/ids.ts";
import { nameFault, stackName, stepName } from "../../domain/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Stack, Step } from "../../domain/step.ts";
import { DEFAULTS } from "../../domain/step.ts";
import type { HeadFile, StepFile } from "../stack-schema.ts";
import { headSchema, stepSchema } from "../stack-schema.ts";
import type { Path } from "./fault.ts";
import { FaultList, shown } from "./fault.ts";
import { globFault } from "./glob.ts";
import { addIssues } from "./issues.ts";
import { nearest } from "./nearest.ts";

export interface CheckOptions {
  readonly vars: ReadonlyMap<string, string>;
}

/** `order`: the step names as the file has them. */
export const checkStack = (
  value: JsonValue,
  order: readonly string[],
  options: CheckOptions,
): { readonly stack: Stack } | { readonly faults: FaultList } => {
  const check = new Check(options);
  const head = check.head(value);
  const written =
    isJsonObject(value) && isJsonObject(value["steps"] ?? null) ? (value["steps"] as JsonObject) : {};
  const steps = check.steps(written, order.length > 0 ? order : Object.keys(written));
  if (head === undefined || !check.faults.empty) return { faults: check.faults };
  const { name, directory } = head.metadata;
  return {
    stack: { name: stackName(name), steps, ledger: head.ledger ?? null, directory: directory ?? null },
  };
};

class Check {
  readonly faults = new FaultList();
  readonly #options: CheckOptions;
  readonly #usedVars = new Set<string>();
  #names: ReadonlySet<string> = new Set();

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  head(value: JsonValue): HeadFile | undefined {
    const parsed = headSchema.safeParse(value, { reportInput: true });
    if (!parsed.success) {
      addIssues(this.faults, [], parsed.error.issues);
      return undefined;
    }
    const { metadata, ledger } = parsed.data;
    this.#name(["metadata", "name"], metadata.name);
    if (ledger?.includes("${") === true)
      this.faults.add(["ledger"], () => "references work in with only, not here");
    if (metadata.directory?.includes("${") === true)
      this.faults.add(["metadata", "directory"], () => "references work in with only, not here");
    return parsed.data;
  }

  steps(written: JsonObject, order: readonly string[]): ReadonlyMap<StepName, Step> {
    this.#names = new Set(order);
    const steps = new Map<StepName, Step>();
    let broken = false;
    for (const name of order) {
      const path = ["steps", name];
      this.#name(path, name);
      const parsed = stepSchema.safeParse(written[name], { reportInput: true });
      if (parsed.success) steps.set(stepName(name), this.#step(path, name, parsed.data));
      else addIssues(this.faults, path, parsed.error.issues);
      broken ||= !parsed.success;
    }
    this.#circles(steps);
    this.#renames(steps);
    if (!broken) this.#unusedVars();
    return steps;
  }

  #name(path: Path, name: string): void {
    const fault = nameFault(name);
    if (fault !== undefined) this.faults.add(path, () => fault);
  }

  #step(path: Path, name: string, file: StepFile): Step {
    const inputs = this.#inputs([...path, "with"], (file.with ?? {}) as JsonObject);
    const needs = this.#needs(path, name, file, inputs);
    this.#simpleFields(path, name, file);
    return {
      name: stepName(name),
      uses: file.uses,
      with: inputs,
      needs,
      partOf: file.partOf === undefined ? null : stepName(file.partOf),
      confirm: (file.confirm ?? []) as readonly JsonValue[],
      retry: file.retry ?? null,
      keyLifetimeMs: milliseconds(file.keyLifetime, DEFAULTS.keyLifetimeMs),
      settleMs: milliseconds(file.settle, DEFAULTS.settleMs),
      deadlineMs: milliseconds(file.deadline, DEFAULTS.deadlineMs),
      windowMs: milliseconds(file.window, DEFAULTS.windowMs),
      files: file.files ?? [],
      onChange: file.onChange ?? null,
      retain: file.retain ?? null,
      approve: file.approve ?? null,
      compensate: this.#compensation(path, file),
      public: file.public ?? [],
      keepSecrets: file.keepSecrets ?? false,
      renamedFrom: file.renamedFrom === undefined ? null : stepName(file.renamedFrom),
    };
  }

  /** Variables replaced; malformed references and missing variables said. */
  #inputs(path: Path, written: JsonObject): JsonObject {
    const replaced = substituteVars(written, this.#options.vars);
    if ("faults" in replaced) {
      for (const fault of replaced.faults) this.faults.add([...path, ...fault.path], () => fault.message);
      // Named although something else is wrong: not unused.
      for (const { reference } of referencesIn(written).references)
        if (reference.kind === "var") this.#usedVars.add(reference.name);
      return written;
    }
    for (const name of replaced.used) this.#usedVars.add(name);
    return replaced.value;
  }

  #compensation(path: Path, file: StepFile): Step["compensate"] {
    if (file.compensate === undefined) return null;
    const at = [...path, "compensate", "with"];
    const inputs = this.#inputs(at, file.compensate.with as JsonObject);
    // It may use its own step's outputs, and runs when asked to, so it adds no needs.
    for (const { reference, path: place } of referencesIn(inputs).references)
      if (reference.kind === "output") this.#exists([...at, ...place], reference.step);
    return { uses: file.compensate.uses ?? file.uses, with: inputs };
  }

  /** Declared, contained in, referred to: in this order, without doubles; unknown names are said once each. */
  #needs(path: Path, name: string, file: StepFile, inputs: JsonObject): readonly StepName[] {
    const needs = new Set<StepName>();
    const add = (at: Path, needed: string, self: string): void => {
      if (needed === name) this.faults.add(at, () => self);
      else if (this.#exists(at, needed)) needs.add(stepName(needed));
    };
    for (const [index, needed] of (file.needs ?? []).entries())
      add([...path, "needs", index], needed, "a step cannot need itself");
    if (file.partOf !== undefined) add([...path, "partOf"], file.partOf, "a step cannot be part of itself");
    for (const { reference, path: place } of referencesIn(inputs).references)
      if (reference.kind === "output")
        add([...path, "with", ...place], reference.step, "a step cannot use its own outputs");
    return [...needs];
  }

  #exists(at: Path, name: string): boolean {
    if (this.#names.has(name)) return true;
    this.faults.add(at, () => {
      const near = nearest(name, this.#names);
      return `there is no step ${shown(name)}${near === undefined ? "" : `; did you mean ${shown(near)}?`}`;
    });
    return false;
  }

  #simpleFields(path: Path, name: string, file: StepFile): void {
    const confirm = parseConfirm((file.confirm ?? []) as readonly JsonValue[]);
    for (const fault of "faults" in confirm ? confirm.faults : [])
      this.faults.add([...path, "confirm", ...fault.path], () => fault.message);
    for (const [index, glob] of (file.files ?? []).entries()) {
      const fault = globFault(glob);
      if (fault !== undefined) this.faults.add([...path, "files", index], () => fault);
    }
    const from = file.renamedFrom;
    if (from === undefined) return;
    this.#name([...path, "renamedFrom"], from);
    if (from === name)
      this.faults.add([...path, "renamedFrom"], () => "a step cannot be renamed from itself");
    else if (this.#names.has(from))
      this.faults.add(
        [...path, "renamedFrom"],
        () => `the step ${shown(from)} still exists; a rename leaves only the new name`,
      );
  }

  #circles(steps: ReadonlyMap<StepName, Step>): void {
    // Steps that are broken themselves, and needs that are already said to be unknown, cannot close a circle.
    const known = new Map(
      [...steps].map(([name, step]) => {
        const partOf =
          step.partOf !== null && step.partOf !== name && steps.has(step.partOf) ? step.partOf : null;
        return [name, { needs: step.needs.filter((needed) => steps.has(needed)), partOf }];
      }),
    );
    const built = graphOf(known);
    if ("graph" in built) return;
    for (const fault of built.faults) {
      const first = fault.kind === "cycle" ? fault.steps[0] : fault.step;
      this.faults.add(["steps", String(first), "needs"], () => graphFaultText(fault));
    }
  }

  #renames(steps: ReadonlyMap<StepName, Step>): void {
    const seen = new Map<StepName, StepName>();
    for (const step of steps.values()) {
      if (step.renamedFrom === null) continue;
      const other = seen.get(step.renamedFrom);
      if (other !== undefined)
        this.faults.add(
          ["steps", step.name, "renamedFrom"],
          () => `the step ${shown(other)} was already renamed from ${shown(String(step.renamedFrom))}`,
        );
      seen.set(step.renamedFrom, step.name);
    }
  }

  #unusedVars(): void {
    for (const name of this.#options.vars.keys())
      if (!this.#usedVars.has(name))
        this.faults.add([], () => {
          const near = nearest(name, this.#usedVars);
          return `--var ${shown(name)} is not used in this file${near === undefined ? "" : `; did you mean ${shown(near)}?`}`;
        });
  }
}

const milliseconds = (written: string | undefined, otherwise: number): number => {
  if (written === undefined) return otherwise;
  const parsed = parseDuration(written);
  return "ms" in parsed ? parsed.ms : otherwise;
};
