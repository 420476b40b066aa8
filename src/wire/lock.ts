/**
 * `asfound.lock`, beside the stack file and meant to be committed: which stack this is, and which ledger knows it. With it
 * a fresh clone says that its ledger is missing, instead of believing that nothing exists. Holds no secret.
 */
import type { LedgerId, StackId, StackName } from "../domain/ids.ts";
import { ledgerId, nameFault, stackId, stackName } from "../domain/ids.ts";
import type { JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Fault, Path } from "./manifest/fault.ts";
import { FaultList } from "./manifest/fault.ts";

const API_VERSION = "asfound.dev/v1alpha1";

export interface LockedStack {
  readonly name: StackName;
  readonly id: StackId;
  /** The name of the stack file beside the lock; null in a lock that does not say. */
  readonly file: string | null;
}

export interface Lock {
  readonly stack: LockedStack;
  /** `location`: relative to the lock's folder, absolute, or a `postgres://` URL without a password. */
  readonly ledger: { readonly id: LedgerId; readonly location: string };
  /** Further stacks whose files lie in the same folder; they share the ledger. */
  readonly others: readonly LockedStack[];
}

const UUID7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/** The lock as it is written: always the same bytes for the same lock, so that it makes no noise in Git. */
export const formatLock = (lock: Lock): string =>
  [
    "# Written by asfound. Commit it: it ties this stack to its ledger.",
    `apiVersion: ${API_VERSION}`,
    "kind: Lock",
    "stack:",
    `  name: ${JSON.stringify(lock.stack.name)}`,
    `  id: ${lock.stack.id}`,
    ...(lock.stack.file === null ? [] : [`  file: ${JSON.stringify(lock.stack.file)}`]),
    "ledger:",
    `  id: ${lock.ledger.id}`,
    `  location: ${JSON.stringify(withoutPassword(lock.ledger.location))}`,
    ...(lock.others.length === 0 ? [] : ["others:", ...lock.others.flatMap(otherLines)]),
    "",
  ].join("\n");

const otherLines = ({ name, id, file }: LockedStack): string[] => [
  `  - name: ${JSON.stringify(name)}`,
  `    id: ${id}`,
  ...(file === null ? [] : [`    file: ${JSON.stringify(file)}`]),
];

/** A `postgres://` URL without what may be secret in it: the password, in both places where one can stand. */
export const withoutPassword = (location: string): string => {
  if (!/^postgres(ql)?:/i.test(location) || !URL.canParse(location)) return location;
  const url = new URL(location);
  url.password = "";
  for (const key of [...url.searchParams.keys()]) if (/pass/i.test(key)) url.searchParams.delete(key);
  return url.href;
};

/** Reads YAML or JSON. Never throws for what is in the text. */
export const parseLock = async (
  text: string,
  file: string,
): Promise<{ readonly lock: Lock } | { readonly faults: readonly Fault[] }> => {
  const own = asWritten(text);
  if (own !== undefined) return { lock: own };
  const { locator, readYaml } = await import("./manifest/text.ts");
  const read = await readYaml(text);
  if ("fault" in read) {
    const { at, message } = read.fault;
    return {
      faults: [
        {
          file,
          line: at?.line ?? null,
          column: at?.column ?? null,
          field: "",
          message: conflict(text) ?? message,
        },
      ],
    };
  }
  const faults = "faults" in read ? read.faults : new FaultList();
  const lock = "value" in read ? lockOf(read.value, faults) : undefined;
  if (lock !== undefined && faults.empty) return { lock };
  return { faults: faults.placed(file, await locator(text)) };
};

const LINES =
  /^# [^\n]*\napiVersion: asfound\.dev\/v1alpha1\nkind: Lock\nstack:\n {2}name: (".*")\n {2}id: (st_\S+)\n(?: {2}file: (".*")\n)?ledger:\n {2}id: (lg_\S+)\n {2}location: (".*")\n$/;

/** A lock exactly as `formatLock` writes it, read without the YAML library: every verb reads it at its start. */
const asWritten = (text: string): Lock | undefined => {
  const found = LINES.exec(text);
  if (found === null) return undefined;
  const [, name, stack, file, ledger, location] = found;
  const faults = new FaultList();
  const texts = [name, file, location].map((json) => (json === undefined ? undefined : quoted(json)));
  const value: JsonValue = {
    apiVersion: API_VERSION,
    kind: "Lock",
    stack: { name: texts[0] ?? null, id: stack ?? null, file: texts[1] ?? null },
    ledger: { id: ledger ?? null, location: texts[2] ?? null },
  };
  return lockOf(value, faults);
};

const quoted = (json: string): string | undefined => {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
};

/** The likeliest way for a committed file to break. */
const conflict = (text: string): string | undefined =>
  /^<{7} /m.test(text)
    ? "there are conflict marks of a Git merge here; keep the side whose ledger knows this stack"
    : undefined;

const lockOf = (value: JsonValue, faults: FaultList): Lock | undefined => {
  if (!isJsonObject(value)) {
    faults.add([], () => "the lock is empty or not an object; restore it from Git");
    return undefined;
  }
  const texts = new Map<string, string>();
  const text = (path: Path, valid: (text: string) => string | undefined): void => {
    const found = at(value, path);
    const why =
      typeof found === "string" ? valid(found) : found === undefined ? "is missing" : "must be text";
    if (why === undefined) texts.set(path.join("."), found as string);
    else faults.add(path, () => `${why}; restore the lock from Git`);
  };
  text(["apiVersion"], (is) =>
    is === API_VERSION ? undefined : `must be ${API_VERSION}, and a newer asfound may have written this`,
  );
  text(["kind"], (is) => (is === "Lock" ? undefined : "must be Lock"));
  text(["stack", "name"], nameFault);
  text(["stack", "id"], matches(`^st_${UUID7}$`, "must be a stack's id (st_…)"));
  text(["ledger", "id"], matches(`^lg_${UUID7}$`, "must be a ledger's id (lg_…)"));
  text(["ledger", "location"], (is) =>
    is.trim() === "" || is.includes("\0") ? "must say where the ledger is" : undefined,
  );
  const listed = at(value, ["others"]);
  const count = Array.isArray(listed) ? listed.length : 0;
  if (listed !== undefined && !Array.isArray(listed))
    faults.add(["others"], () => "must be a list of stacks; restore the lock from Git");
  for (let i = 0; i < count; i++) {
    text(["others", i, "name"], nameFault);
    text(["others", i, "id"], matches(`^st_${UUID7}$`, "must be a stack's id (st_…)"));
  }
  if (!faults.empty) return undefined;
  const got = (field: string): string => texts.get(field) as string;
  const stackAt = (path: Path): LockedStack => {
    const beside = at(value, [...path, "file"]);
    return {
      name: stackName(got([...path, "name"].join("."))),
      id: stackId(got([...path, "id"].join("."))),
      file: typeof beside === "string" ? beside : null,
    };
  };
  return {
    stack: stackAt(["stack"]),
    ledger: { id: ledgerId(got("ledger.id")), location: got("ledger.location") },
    others: Array.from({ length: count }, (_, i) => stackAt(["others", i])),
  };
};

const matches =
  (pattern: string, otherwise: string) =>
  (is: string): string | undefined =>
    new RegExp(pattern).test(is) ? undefined : otherwise;

const at = (value: JsonValue, path: Path): JsonValue | undefined => {
  let here: JsonValue | undefined = value;
  for (const key of path) {
    if (Array.isArray(here)) here = here[Number(key)] as JsonValue | undefined;
    else if (here === undefined || !isJsonObject(here) || !Object.hasOwn(here, key)) return undefined;
    else here = here[key];
  }
  return here;
};
