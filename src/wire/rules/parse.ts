/** A rule file's text as rules, or all that is wrong with it, each at its field. Never throws for what is in it. */
import type {
  CustomChildren,
  CustomPods,
  CustomRule,
  GenerationAt,
  Need,
  Scalar,
  Test,
  VersionBy,
} from "../../domain/custom-rule.ts";
import type { JsonValue } from "../../domain/json.ts";
import { checkedText } from "../manifest/checked-text.ts";
import { type Fault, FaultList, type Path, shown } from "../manifest/fault.ts";
import type { About } from "../manifest/text.ts";
import type { RuleInFile, RulesFile } from "./schema.ts";
import { fieldPath, listOf, type Reading, signOf, testOf } from "./tests.ts";

export type ParsedRules = { readonly rules: readonly CustomRule[] } | { readonly faults: readonly Fault[] };

const ABOUT: About = {
  tooLarge: "a rule has a few lines",
  second: "write several rules as a list under rules, or in files of their own",
  directive: "leave it out",
  empty: "the file is empty; write apiVersion, kind: KindRules and rules",
};

/** `isOwn`: kinds that asfound judges by rules of its own. */
export const parseRules = async (
  text: string,
  file: string,
  isOwn: (group: string, kind: string) => boolean,
): Promise<ParsedRules> => {
  const checked = await checkedText(text, file, ABOUT, (value) => check(value, file, isOwn));
  return "made" in checked ? { rules: checked.made } : checked;
};

const check = async (
  value: JsonValue,
  file: string,
  isOwn: (group: string, kind: string) => boolean,
): Promise<{ readonly made: readonly CustomRule[] } | { readonly faults: FaultList }> => {
  const [{ rulesSchema }, { schemaFaults }] = await Promise.all([
    import("./schema.ts"),
    import("../manifest/schema-faults.ts"),
  ]);
  const parsed = rulesSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return { faults: schemaFaults(parsed.error) };
  const faults = new FaultList();
  const rules = parsed.data.rules.flatMap((rule, index) => {
    const made = ruleOf(rule, ["rules", index], file, faults);
    return made === undefined ? [] : [made];
  });
  checkKinds(parsed.data, faults, isOwn);
  return faults.empty ? { made: rules } : { faults };
};

const checkKinds = (
  { rules }: RulesFile,
  faults: FaultList,
  isOwn: (group: string, kind: string) => boolean,
): void => {
  const seen = new Set<string>();
  for (const [index, { group, kind }] of rules.entries()) {
    const at = ["rules", index, "kind"];
    if (isOwn(group, kind)) faults.add(at, () => `asfound judges ${kind} by rules of its own`);
    const key = JSON.stringify([group, kind]);
    if (seen.has(key)) faults.add(at, () => `${shown(kind)} has a rule above already`);
    seen.add(key);
  }
};

/** undefined: something is wrong with it, and was said. */
const ruleOf = (rule: RuleInFile, at: Path, file: string, faults: FaultList): CustomRule | undefined => {
  const reading: Reading = { faults, conditionsOnly: rule.generation === "conditions" };
  const generation = generationOf(rule.generation, [...at, "generation"], reading);
  const ready = readyOf(rule, [...at, "ready"], reading);
  const signsOf = (name: "failed" | "undetermined" | "progressing") =>
    (rule[name] ?? []).flatMap((sign, index) => {
      const made = signOf(sign, [...at, name, index], reading);
      return made === undefined ? [] : [made];
    });
  const message = rule.message === undefined ? null : fieldPath(rule.message, [...at, "message"], reading);
  const pods = rule.pods === undefined ? null : podsOf(rule, rule.pods, [...at, "pods"], reading);
  const children = (rule.children ?? []).flatMap((child, index) => {
    const made = childOf(child, [...at, "children", index], reading);
    return made === undefined ? [] : [made];
  });
  const made = {
    failed: signsOf("failed"),
    undetermined: signsOf("undetermined"),
    progressing: signsOf("progressing"),
  };
  if (generation === undefined || ready === undefined || message === undefined || pods === undefined)
    return undefined;
  const { group, kind, plural, shortNames = [] } = rule;
  return {
    group,
    kind,
    plural,
    short: shortNames,
    source: file,
    generation,
    ready,
    ...made,
    message,
    pods,
    children,
  };
};

const generationOf = (
  generation: RuleInFile["generation"],
  at: Path,
  reading: Reading,
): GenerationAt | undefined => {
  if (generation === "conditions" || generation === "none") return { kind: generation };
  const path = fieldPath(generation.field, [...at, "field"], reading);
  if (path === undefined) return undefined;
  if (path[0] !== "status")
    reading.faults.add([...at, "field"], () => "must be a field of status: what the controller wrote there");
  return { kind: "field", path, as: generation.as ?? "number" };
};

const readyOf = ({ ready }: RuleInFile, at: Path, reading: Reading): CustomRule["ready"] | undefined => {
  const needs = ready.flatMap((test, index) => {
    const made = testOf(test, [...at, index], reading);
    const need = made === undefined ? undefined : needOf(made, [...at, index], reading);
    return need === undefined ? [] : [need];
  });
  const [first, ...rest] = needs;
  if (first === undefined) return undefined;
  const speaks = needs.some(
    (need) =>
      need.kind === "condition" ||
      need.path[0] === "status" ||
      (need.kind === "same" && need.as[0] === "status"),
  );
  if (!speaks)
    reading.faults.add(
      at,
      () => "must read status somewhere: a spec says what is wanted, not what came of it",
    );
  return [first, ...rest];
};

/** V7: nothing is ready by what nobody said of it. */
const needOf = (test: Test, at: Path, { faults }: Reading): Need | undefined => {
  switch (test.kind) {
    case "is":
    case "same":
      return test;
    case "condition":
      if (test.is.includes("Unknown"))
        faults.add([...at, "is"], () => "Unknown is not ready; say True or False");
      return test;
    case "there":
      faults.add(
        [...at, "exists"],
        () => "says only that something is there, whatever it is; say what the field has to be",
      );
      return undefined;
    default:
      faults.add(
        [...at, test.kind === "is-not" ? "isNot" : "other"],
        () => "says only what the field is not; say what it has to be",
      );
      return undefined;
  }
};

const podsOf = (
  { generation }: RuleInFile,
  pods: NonNullable<RuleInFile["pods"]>,
  at: Path,
  reading: Reading,
): CustomPods | undefined => {
  if (typeof generation === "string") {
    reading.faults.add(
      at,
      () =>
        `with generation: ${generation} nothing says which generation its counters speak of, so its Pods cannot be judged; leave pods out`,
    );
    return undefined;
  }
  const of = (name: "selector" | "template" | "wanted", otherwise: string) =>
    fieldPath(pods[name] ?? otherwise, [...at, name], reading);
  const [selector, template, wanted] = [
    of("selector", "spec.selector"),
    of("template", "spec.template"),
    of("wanted", "spec.replicas"),
  ];
  const total = pods.total === undefined ? null : counterOf(pods.total, [...at, "total"], reading);
  const updated = counterOf(pods.updated, [...at, "updated"], reading);
  const available = counterOf(pods.available, [...at, "available"], reading);
  const version = pods.version === undefined ? null : versionOf(pods.version, [...at, "version"], reading);
  if (selector === undefined || template === undefined || wanted === undefined || version === undefined)
    return undefined;
  if (total === undefined || updated === undefined || available === undefined) return undefined;
  return { owners: pods.owners ?? [], selector, template, version, wanted, total, updated, available };
};

const versionOf = (
  { field, label }: NonNullable<NonNullable<RuleInFile["pods"]>["version"]>,
  at: Path,
  reading: Reading,
): VersionBy | undefined => {
  const path = fieldPath(field, [...at, "field"], reading);
  return path === undefined ? undefined : { path, label };
};

/** V8: a zero is left out by Kubernetes, which only holds for counters of status. */
const counterOf = (text: string, at: Path, reading: Reading): string | undefined => {
  const path = fieldPath(text, at, reading);
  if (path === undefined) return undefined;
  const [top, name, ...rest] = path;
  if (top === "status" && typeof name === "string" && rest.length === 0) return name;
  reading.faults.add(at, () => "must be a counter of status: status.updatedReplicas");
  return undefined;
};

const childOf = (
  child: NonNullable<RuleInFile["children"]>[number],
  at: Path,
  reading: Reading,
): CustomChildren | undefined => {
  const path = fieldPath(child.field, [...at, "field"], reading);
  const version = child.version === undefined ? null : versionOf(child.version, [...at, "version"], reading);
  if (path === undefined || version === undefined) return undefined;
  const { group, kind, plural, done, progressing } = child;
  return {
    group,
    kind,
    plural,
    version,
    path,
    done: listOf<Scalar>(done),
    progressing: progressing === undefined ? [] : listOf<Scalar>(progressing),
  };
};
