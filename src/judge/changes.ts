/**
 * What changed of an object since an earlier state of it: each field with its old and its new value, and who owns it now.
 * Pure.
 *
 * Laws: a state is called proven only where a judgement says so; values that are never written (E5) are never told, only
 * that they changed; what cannot be compared is named, never left out. What the server and the controllers write for
 * themselves (status, metadata's own bookkeeping) is no change.
 */
import type { Changes, FieldChange, Part, Since, Writer } from "../domain/difference.ts";
import { PARTS } from "../domain/difference.ts";
import type { Seen } from "../domain/evidence.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { type Difference, differencesOf, pathText, type Step } from "./differences.ts";
import { hint, LIST, WHOLE } from "./read.ts";
import { counted } from "./words.ts";
import { writersOf } from "./writers.ts";

/** An earlier state of an object, or of a part of it. */
export interface Earlier {
  readonly since: Since;
  /** Says which state it is, as the end of "3 fields changed ...": `since the state that was proven at ...`. */
  readonly says: string;
  readonly object: JsonObject;
  /** Of the object that it is a state of, as is its generation; null: it does not say. */
  readonly uid: string | null;
  readonly generation: number | null;
  /** Only this is kept of it; empty: all is. */
  readonly only: readonly string[];
  readonly limits: readonly string[];
}

/** How many are told one by one. */
const MOST_TOLD = 50;
const MOST_NOT_COMPARED = 20;
const MOST_TEXT = 200;

export const changesSince = (earlier: Earlier, target: Seen): Changes => {
  const { since, only, uid } = earlier;
  const differences = differencesIn(declared(earlier.object), declared(target.raw), only);
  const { open, plain } = withoutDigests(differences, isSameSpec(earlier, target));
  const isKnown = hint(target.raw, ["metadata", "managedFields"], LIST) !== undefined;
  const items = plain
    .map((one) => fieldChange(one, target))
    .sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part) || (a.path < b.path ? -1 : 1));
  const recreated =
    uid === null || target.uid === null || uid === target.uid ? null : { was: uid, is: target.uid };
  return {
    since,
    statement: `${items.length === 0 ? "no field" : counted(items.length, "field")} changed ${earlier.says}${againText(recreated)}${openText(open.length)}`,
    recreated,
    items: items.slice(0, MOST_TOLD),
    total: items.length,
    notCompared: open.slice(0, MOST_NOT_COMPARED).map(({ steps }) => shortPath(steps)),
    limits: [
      ...earlier.limits,
      ...(isKnown || items.length === 0
        ? []
        : [
            "who wrote it is not known: it was read without its managedFields (kubectl get --show-managed-fields)",
          ]),
    ],
  };
};

/** There is nothing to compare with. `why`: a clause. */
export const notComparable = (why: string, since: Since | null = null): Changes => ({
  since,
  statement: `what changed is not known: ${why}`,
  recreated: null,
  items: [],
  total: 0,
  notCompared: [],
  limits: [],
});

const againText = (recreated: Changes["recreated"]): string =>
  recreated === null ? "" : "; it was deleted and made again in between (another UID)";

const openText = (count: number): string =>
  count === 0 ? "" : `; of ${counted(count, "more field")} it cannot be told`;

/** What a person or a controller declares of it. */
const NOT_DECLARED: ReadonlySet<string> = new Set(["apiVersion", "kind", "status"]);
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "managedFields",
  "selfLink",
]);
/** A copy of all of it, and counts that follow from the template. */
const FOLLOWING: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deployment.kubernetes.io/revision",
  "deprecated.daemonset.template.generation",
]);

const declared = (object: JsonObject): JsonObject => {
  const { metadata, ...others } = without(object, NOT_DECLARED);
  if (!isJsonObject(metadata)) return others;
  const { annotations, ...meta } = without(metadata, BOOKKEEPING);
  const its = isJsonObject(annotations) ? without(annotations, FOLLOWING) : undefined;
  return {
    ...others,
    metadata: its === undefined || Object.keys(its).length === 0 ? meta : { ...meta, annotations: its },
  };
};

const without = (object: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));

/** A part is compared at its place. */
const differencesIn = (was: JsonObject, is: JsonObject, only: readonly string[]): readonly Difference[] =>
  only.length === 0 ? differencesOf(was, is) : differencesOf(partOf(was, only), partOf(is, only));

const partOf = (object: JsonObject, [name, ...rest]: readonly string[]): JsonObject => {
  if (name === undefined || !Object.hasOwn(object, name)) return {};
  const value = object[name];
  if (rest.length === 0) return value === undefined ? {} : { [name]: value };
  return isJsonObject(value) ? { [name]: partOf(value, rest) } : {};
};

/** What `wire/objects/without-secrets.ts` puts in place of a value. Two of different keys tell nothing of each other. */
export const DIGEST = /removed:hmac-sha256:/;

/** The API server counts a generation for each change of a spec (API conventions). */
const isSameSpec = ({ uid, generation }: Earlier, target: Seen): boolean =>
  uid !== null &&
  uid === target.uid &&
  generation !== null &&
  generation === hint(target.raw, ["metadata", "generation"], WHOLE);

const withoutDigests = (
  all: readonly Difference[],
  sameSpec: boolean,
): { readonly open: readonly Difference[]; readonly plain: readonly Difference[] } => {
  const isOpen = ({ was, is }: Difference): boolean =>
    was !== undefined &&
    is !== undefined &&
    [was, is].some((one) => typeof one === "string" && DIGEST.test(one));
  const open = all.filter(isOpen);
  return {
    open: sameSpec ? open.filter(({ steps }) => memberAt(steps, 0) !== "spec") : open,
    plain: all.filter((one) => !isOpen(one)),
  };
};

const fieldChange = ({ steps, was, is }: Difference, target: Seen): FieldChange => {
  const hidden = isNeverWritten(steps, target);
  const writers: readonly Writer[] | undefined = is === undefined ? [] : writersOf(target.raw, steps);
  return {
    path: shortPath(steps),
    part: partIn(steps),
    was: valueText(was, hidden),
    is: valueText(is, hidden),
    hidden,
    writers: writers === undefined ? [] : writers,
  };
};

/** One text for one path, cut. */
export const shortPath = (steps: readonly Step[]): string => cut(pathText(steps));

const cut = (text: string): string =>
  text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}… (${text.length} characters)` : text;

const NOT_SHOWN = "(not shown)";

/** A leaf, cut; of what is never written that it is not shown; null: it is not there. */
export const valueText = (value: JsonValue | undefined, hidden: boolean): string | null => {
  if (value === undefined) return null;
  if (hidden) return NOT_SHOWN;
  // Inside may be what is never written.
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? "{}" : "an object";
  return cut(JSON.stringify(value).replace(USER, "$1…@"));
};

/** Of a URL; a password may stand in it. */
const USER = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]+@/gi;

const memberAt = (steps: readonly Step[], at: number): string | undefined => {
  const step = steps.at(at);
  return step?.kind === "member" ? step.name : undefined;
};
const names = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step) => (step.kind === "member" ? [step.name] : []));

/**
 * As `wire/objects/without-secrets.ts` has it: a literal of an `env` list anywhere, what a source of Argo CD hands on, and the
 * data of a Secret.
 */
const isNeverWritten = (steps: readonly Step[], { group, kind }: Seen): boolean => {
  const first = memberAt(steps, 0);
  if (group === "" && kind === "Secret" && (first === "data" || first === "stringData")) return true;
  if (isHandedOn(names(steps))) return true;
  return steps.some(
    (step, at) =>
      step.kind !== "member" &&
      memberAt(steps.slice(0, at), -1) === "env" &&
      memberAt(steps, at + 1) === "value",
  );
};

const HANDED: ReadonlySet<string> = new Set([
  "helm parameters value",
  "helm values",
  "helm valuesObject",
  "jsonnet extVars value",
  "jsonnet tlas value",
  "plugin parameters string",
  "plugin parameters array",
  "plugin parameters map",
]);

const isHandedOn = (all: readonly string[]): boolean =>
  all.some((_, at) => [2, 3].some((length) => HANDED.has(all.slice(at, at + length).join(" "))));

const CONFIG_SOURCES: ReadonlySet<string> = new Set([
  "configMap",
  "secret",
  "projected",
  "envFrom",
  "valueFrom",
]);

const partIn = (steps: readonly Step[]): Part => {
  const all = names(steps);
  if (all[0] === "spec" && all[1] === "replicas") return "replicas";
  if (!all.includes("template") && all[0] !== "spec") return "object";
  if (all.at(-1) === "image") return "image";
  if (all.some((name) => CONFIG_SOURCES.has(name))) return "config";
  if (all.includes("env")) return "environment";
  return all.includes("template") ? "template" : "object";
};
