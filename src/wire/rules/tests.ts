/** Tests and signs of a rule file as what the judge takes, or what is wrong with them, each at its field. */
import type { ConditionStatus, FieldPath, Scalar, Sign, Test } from "../../domain/custom-rule.ts";
import { parseJsonPath } from "../../domain/response.ts";
import type { FaultList, Path } from "../manifest/fault.ts";
import type { SignInFile, TestInFile } from "./schema.ts";

export interface Reading {
  readonly faults: FaultList;
  /** Nothing but a condition says which generation it speaks of. */
  readonly conditionsOnly: boolean;
}

/** `status.phase`, `metadata.annotations['a/b']`; undefined: it was none, and that was said. */
export const fieldPath = (text: string, at: Path, { faults }: Reading): FieldPath | undefined => {
  const parsed = parseJsonPath(`$.${text}`);
  if ("fault" in parsed) {
    faults.add(at, () => "must be a field as status.phase or metadata.annotations['a/b']");
    return undefined;
  }
  const [top] = parsed.path;
  if (top === "status" || top === "spec" || top === "metadata") return parsed.path;
  faults.add(at, () => "must begin with status, spec or metadata");
  return undefined;
};

/** A field whose generation is told by another field than a condition's own. */
const statusPath = (text: string, at: Path, reading: Reading): FieldPath | undefined => {
  const path = fieldPath(text, at, reading);
  if (path?.[0] !== "status" || !reading.conditionsOnly) return path;
  reading.faults.add(
    at,
    () =>
      "with generation: conditions nothing says which generation this field speaks of; only conditions can be used",
  );
  return undefined;
};

export const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);

const SAYS = ["is", "isNot", "same", "other", "exists"] as const;

export const testOf = (file: TestInFile, at: Path, reading: Reading): Test | undefined => {
  const { faults } = reading;
  const { condition, field, reason } = file;
  if ((condition === undefined) === (field === undefined)) {
    faults.add(at, () => "must name one condition or one field");
    return undefined;
  }
  if (condition !== undefined) return conditionOf(condition, file, at, reading);
  if (field === undefined) return undefined;
  if (reason !== undefined) faults.add([...at, "reason"], () => "is of a condition, and this is a field");
  const said = SAYS.filter((name) => file[name] !== undefined);
  if (said.length !== 1) {
    faults.add(at, () => `must say one of ${SAYS.join(", ")} of the field`);
    return undefined;
  }
  const path = statusPath(field, [...at, "field"], reading);
  return path === undefined ? undefined : ofField(path, file, at, reading);
};

const ofField = (
  path: FieldPath,
  { is, isNot, same, other, exists }: TestInFile,
  at: Path,
  reading: Reading,
): Test | undefined => {
  if (is !== undefined) return { kind: "is", path, values: listOf<Scalar>(is) };
  if (isNot !== undefined) return { kind: "is-not", path, values: listOf<Scalar>(isNot) };
  if (exists !== undefined) return { kind: "there", path, there: exists };
  const [name, text] = same === undefined ? (["other", other] as const) : (["same", same] as const);
  const as = text === undefined ? undefined : statusPath(text, [...at, name], reading);
  return as === undefined ? undefined : { kind: name, path, as };
};

const STATUSES: ReadonlyMap<unknown, ConditionStatus> = new Map<unknown, ConditionStatus>([
  ["True", "True"],
  ["False", "False"],
  ["Unknown", "Unknown"],
  // YAML reads an unquoted True as a truth value.
  [true, "True"],
  [false, "False"],
]);

const conditionOf = (type: string, file: TestInFile, at: Path, { faults }: Reading): Test | undefined => {
  for (const name of ["isNot", "same", "other", "exists"] as const)
    if (file[name] !== undefined)
      faults.add(
        [...at, name],
        () => "is of a field, and this is a condition; say is: True, False or Unknown",
      );
  const is = listOf<Scalar>(file.is === undefined ? "True" : file.is).flatMap((value) => {
    const status = STATUSES.get(value);
    if (status === undefined)
      faults.add([...at, "is"], () => "must be True, False or Unknown, of a condition");
    return status === undefined ? [] : [status];
  });
  return {
    kind: "condition",
    type,
    is,
    reasons: file.reason === undefined ? null : listOf<string>(file.reason),
  };
};

export const signOf = (file: SignInFile, at: Path, reading: Reading): Sign | undefined => {
  const { all, says = null, ...single } = file;
  const alone = Object.values(single).some((value) => value !== undefined);
  if (all !== undefined && alone) {
    reading.faults.add(at, () => "must be one test, or several under all; not both");
    return undefined;
  }
  const tests =
    all === undefined
      ? [testOf(single, at, reading)]
      : all.map((one, index) => testOf(one, [...at, "all", index], reading));
  const [first, ...rest] = tests.filter((one) => one !== undefined);
  return first === undefined ? undefined : { tests: [first, ...rest], says };
};
