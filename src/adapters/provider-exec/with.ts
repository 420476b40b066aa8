/**
 * The `with` of an exec step: argument arrays, inputs, directory, environment, protocol (DESIGN §6).
 * Read twice by the same rules: as written, for `describe` (references still stand), and resolved, right before a call.
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { InputFault } from "../../ports/provider.ts";

/** What a command can be asked for; the value of `action` in the request. */
export const EXEC_ACTIONS = ["observe", "create", "update", "destroy", "compensate", "owed"] as const;
export type ExecAction = (typeof EXEC_ACTIONS)[number];

export interface ExecWith {
  readonly commands: Readonly<Partial<Record<ExecAction, readonly string[]>>>;
  readonly inputs: JsonObject;
  /** Relative to the stack file's folder; null: that folder itself. */
  readonly directory: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** `exit-code`: an ordinary command that knows nothing of the protocol. */
  readonly protocol: "json-lines" | "exit-code";
}

const KEYS = [...EXEC_ACTIONS, "inputs", "directory", "environment", "protocol"] as const;

/** What people write when they mean another key. */
const MEANT: Readonly<Record<string, string>> = {
  args: "create",
  argv: "create",
  command: "create",
  run: "create",
  apply: "create",
  delete: "destroy",
  remove: "destroy",
  check: "observe",
  read: "observe",
  status: "observe",
  probe: "observe",
  cwd: "directory",
  dir: "directory",
  env: "environment",
  variables: "inputs",
  input: "inputs",
};

type Path = readonly (string | number)[];

/**
 * `resolved`: references have been replaced. A whole-string reference may have become a number or a boolean; as an
 * argument or in the environment it then stands for its text. As written only strings are accepted there.
 */
export const readWith = (written: JsonObject, resolved: boolean): ExecWith | readonly InputFault[] => {
  const faults: InputFault[] = [];
  const fault = (path: Path, message: string): void => {
    faults.push({ path, message });
  };
  /** The text of one argument or variable, or undefined after a fault. */
  const text = (value: JsonValue, path: Path, what: string): string | undefined => {
    if (typeof value === "string") {
      if (!value.includes("\0")) return value;
      fault(path, `${what} holds a NUL byte, which no command can be given; remove it`);
      return undefined;
    }
    if (resolved && (typeof value === "number" || typeof value === "boolean")) return String(value);
    fault(path, `${what} is ${nameOf(value)}; write it as a string, in quotes`);
    return undefined;
  };

  for (const name of Object.keys(written))
    if (!(KEYS as readonly string[]).includes(name)) fault([name], unknownKey(name));

  const commands: Partial<Record<ExecAction, readonly string[]>> = {};
  for (const action of EXEC_ACTIONS) {
    const value = written[action];
    if (value === undefined) continue;
    const argv = readArgv(value, [action], fault, text);
    if (argv !== undefined) commands[action] = argv;
  }
  if (written["create"] === undefined && written["compensate"] === undefined)
    fault(
      ["create"],
      'an exec step needs a command to run; give at least create, such as create: ["./apply.sh"] (or compensate, in a compensation)',
    );

  const inputs = written["inputs"];
  if (inputs !== undefined && !isJsonObject(inputs))
    fault(["inputs"], `inputs is ${nameOf(inputs)}; write a map of names to values`);

  const directory = written["directory"];
  if (directory !== undefined) {
    const path = text(directory, ["directory"], "directory");
    if (path === "") fault(["directory"], "directory is empty; leave it out to run beside the stack file");
  }

  const protocol = written["protocol"];
  if (protocol !== undefined && protocol !== "exit-code")
    fault(
      ["protocol"],
      "protocol can only be exit-code; leave it out for a command that prints JSON lines (see the exec protocol)",
    );

  const environment = readEnvironment(written["environment"], fault, text);
  if (faults.length > 0) return faults;
  return {
    commands,
    inputs: isJsonObject(inputs) ? inputs : {},
    directory: directory === undefined ? null : String(directory),
    environment,
    protocol: protocol === "exit-code" ? "exit-code" : "json-lines",
  };
};

/** One sentence about the first fault, with its path, for a call that is refused because of it. */
export const firstFault = (faults: readonly InputFault[]): string => {
  const [first] = faults;
  return first === undefined ? "its `with` cannot be used" : `with.${first.path.join(".")}: ${first.message}`;
};

type Fault = (path: Path, message: string) => void;
type Text = (value: JsonValue, path: Path, what: string) => string | undefined;

const readArgv = (value: JsonValue, path: Path, fault: Fault, text: Text): readonly string[] | undefined => {
  if (!Array.isArray(value)) {
    const hint = typeof value === "string" ? `, such as ["sh", "-c", …] where a shell is wanted` : "";
    fault(path, `${path[0]} is ${nameOf(value)}; write an array of arguments${hint}`);
    return undefined;
  }
  if (value.length === 0) {
    fault(path, `${path[0]} is empty; its first element is the command`);
    return undefined;
  }
  const argv: string[] = [];
  for (const [index, argument] of value.entries()) {
    const as = text(argument, [...path, index], index === 0 ? "the command" : `argument ${index}`);
    if (as !== undefined) argv.push(as);
    if (index === 0 && as === "") fault([...path, 0], "the command is an empty string; name a program");
  }
  return argv;
};

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const readEnvironment = (
  value: JsonValue | undefined,
  fault: Fault,
  text: Text,
): Readonly<Record<string, string>> => {
  const environment: Record<string, string> = {};
  if (value === undefined) return environment;
  if (!isJsonObject(value)) {
    fault(["environment"], `environment is ${nameOf(value)}; write a map of names to strings`);
    return environment;
  }
  for (const [name, setting] of Object.entries(value)) {
    const path = ["environment", name];
    if (!VARIABLE.test(name))
      fault(path, "a variable's name has letters, digits and '_', and does not begin with a digit");
    else if (/^ASFOUND_/i.test(name))
      fault(path, "names that begin with ASFOUND_ are the protocol's own; choose another");
    const as = text(setting, path, `the variable ${name}`);
    if (as !== undefined) environment[name] = as;
  }
  return environment;
};

const nameOf = (value: JsonValue): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : `a ${typeof value}`;
};

const unknownKey = (name: string): string => {
  const meant = MEANT[name.toLowerCase()] ?? KEYS.find((key) => isNear(name.toLowerCase(), key));
  const list = `exec knows ${KEYS.join(", ")}`;
  return meant === undefined
    ? `"${name}" is not known here; ${list}`
    : `"${name}" is not known here; did you mean ${meant}? (${list})`;
};

/** One letter too many, missing, wrong, or two swapped. */
const isNear = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const restA = a.slice(start, a.length - end);
  const restB = b.slice(start, b.length - end);
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB === `${restA[1]}${restA[0]}`;
};
