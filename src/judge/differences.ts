/**
 * The leaves in which two JSON values differ. Pure.
 *
 * Laws: equal values differ in nothing, whatever the order of their keys; each leaf that differs is told, once, by a path
 * that is its own; the differences of two leaves do not depend on each other. An absent member, a null and an empty list
 * are one, as they are in Go (`template.ts`). Items of lists with keys are compared by their key, whatever their place; that
 * they stand in another order is a difference of the list.
 */
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { keyIn, keysOf } from "./list-keys.ts";

export type Step =
  | { readonly kind: "member"; readonly name: string }
  | { readonly kind: "item"; readonly at: number }
  | { readonly kind: "keyed"; readonly key: JsonObject };

export interface Difference {
  readonly steps: readonly Step[];
  /** undefined: it is not there. Of two values that are no leaves both (a list that became a text) the whole. */
  readonly was: JsonValue | undefined;
  readonly is: JsonValue | undefined;
}

/** `steps`: where both stand. */
export const differencesOf = (
  was: JsonValue | undefined,
  is: JsonValue | undefined,
  steps: readonly Step[] = [],
): readonly Difference[] => {
  if (was === is || (isNothing(was) && isNothing(is))) return [];
  if (areBoth(isJsonObject, was, is)) return inMembers(steps, membersOf(was), membersOf(is));
  if (areBoth(Array.isArray, was, is)) return inItems(steps, itemsOf(was), itemsOf(is));
  return [{ steps, was: isNothing(was) ? undefined : was, is: isNothing(is) ? undefined : is }];
};

/** Both are of a kind, or one is and the other is nothing; an empty object is a leaf of its own (a pointer in Go). */
const areBoth = (
  isOne: (value: unknown) => boolean,
  was: JsonValue | undefined,
  is: JsonValue | undefined,
): boolean => {
  if (isOne(was) && isOne(is)) return true;
  const there = isNothing(was) ? is : was;
  return (isNothing(was) || isNothing(is)) && isOne(there) && !isEmptyObject(there);
};

const isNothing = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const isEmptyObject = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.values(value).every(isNothing);

const membersOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const itemsOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const inMembers = (steps: readonly Step[], was: JsonObject, is: JsonObject): readonly Difference[] =>
  [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .sort()
    .flatMap((name) => differencesOf(own(was, name), own(is, name), [...steps, { kind: "member", name }]));

const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const inItems = (
  steps: readonly Step[],
  was: readonly JsonValue[],
  is: readonly JsonValue[],
): readonly Difference[] => {
  const last = steps.at(-1);
  const keys = last?.kind === "member" ? keysOf(last.name, was, is) : undefined;
  if (keys !== undefined) return inKeyed(steps, byKey(was, keys), byKey(is, keys));
  const longer = was.length > is.length ? was : is;
  return longer.flatMap((_, at) => differencesOf(was[at], is[at], [...steps, { kind: "item", at }]));
};

interface KeyedItem {
  readonly key: JsonObject;
  readonly item: JsonValue;
}
type Keyed = ReadonlyMap<string, KeyedItem>;

const byKey = (items: readonly JsonValue[], keys: readonly string[]): Keyed =>
  new Map(
    items.map((item) => {
      const key = keyIn(item, keys);
      return [JSON.stringify(key), { key, item }];
    }),
  );

const inKeyed = (steps: readonly Step[], was: Keyed, is: Keyed): readonly Difference[] => {
  const before = [...was.keys()].filter((key) => is.has(key));
  const now = [...is.keys()].filter((key) => was.has(key));
  const isMoved = before.some((key, at) => key !== now[at]);
  const items = new Map([...was, ...is]);
  return [
    ...(isMoved ? [{ steps, was: orderOf(was), is: orderOf(is) }] : []),
    ...[...items.keys()].sort().flatMap((name) => {
      const { key } = items.get(name) as KeyedItem;
      return differencesOf(was.get(name)?.item, is.get(name)?.item, [...steps, { kind: "keyed", key }]);
    }),
  ];
};

/** `in the order web, side`. */
const orderOf = (list: Keyed): string =>
  `in the order ${[...list.values()].map(({ key }) => Object.values(key).join("/")).join(", ")}`;

/** `spec.template.spec.containers[name=web].image`: one text for one path. */
export const pathText = (steps: readonly Step[]): string =>
  steps.map((step, at) => (at === 0 ? stepText(step).replace(/^\./, "") : stepText(step))).join("");

const stepText = (step: Step): string => {
  if (step.kind === "item") return `[${step.at}]`;
  if (step.kind === "keyed")
    return `[${Object.entries(step.key)
      .map(([name, value]) => `${name}=${plainOr(value)}`)
      .join(",")}]`;
  return /^[A-Za-z_][\w-]*$/.test(step.name) ? `.${step.name}` : `[${JSON.stringify(step.name)}]`;
};

/** Texts that could be taken for a number, or end the brackets, are quoted. */
const plainOr = (value: JsonValue): string =>
  typeof value === "string" && /^[A-Za-z/][\w./:@-]*$/.test(value) ? value : JSON.stringify(value);
