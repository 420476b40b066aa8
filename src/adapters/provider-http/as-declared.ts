/** Whether an object is as declared and ready. Sentences name places, never values: a value may be a secret. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { type Known, known, notAsked, unreadable } from "../../domain/known.ts";
import { at } from "./pointer.ts";
import type { ObserveSpec, ReadySpec } from "./spec.ts";

/** Objects may hold more than was declared; everything else must be equal. */
export const covers = (there: JsonValue, wanted: JsonValue): boolean => {
  if (Array.isArray(wanted))
    return (
      Array.isArray(there) &&
      there.length === wanted.length &&
      wanted.every((one: JsonValue, index) => covers(there[index] ?? null, one))
    );
  if (isJsonObject(wanted))
    return (
      isJsonObject(there) &&
      Object.entries(wanted).every(
        ([name, one]) => Object.hasOwn(there, name) && covers(there[name] ?? null, one),
      )
    );
  return there === wanted;
};

export interface Judged {
  readonly asDeclared: Known<boolean>;
  readonly reason: string | null;
}

const state = (object: JsonValue, ready: ReadySpec): Judged | undefined => {
  const found = at(object, ready.pointer);
  if (found === undefined)
    return {
      asDeclared: unreadable(`its state is not at ${ready.pointer}`),
      reason: `its state is not at ${ready.pointer}`,
    };
  const word = String(found).slice(0, 60);
  if (ready.is.includes(word)) return undefined;
  const says = ready.failed.includes(word)
    ? "which means it failed"
    : ready.pending.includes(word)
      ? "so it is not ready yet"
      : "which is not among the states that mean ready";
  return { asDeclared: known(false), reason: `its state is '${word}', ${says}` };
};

/** True for a state that means it is no longer there. */
export const isGone = (object: JsonValue, ready: ReadySpec | null): boolean =>
  ready?.gone.includes(String(at(object, ready.pointer) ?? "")) === true;

export const judge = (object: JsonValue, observe: ObserveSpec): Judged => {
  const unready = observe.ready === null ? undefined : state(object, observe.ready);
  if (unready !== undefined) return unready;
  const declared: readonly (readonly [string, JsonValue])[] = Object.entries(observe.asDeclared);
  const missing = declared
    .filter(([pointer]) => at(object, pointer) === undefined)
    .map(([pointer]) => pointer);
  const other = declared
    .filter(([pointer, wanted]) => !missing.includes(pointer) && !covers(at(object, pointer) ?? null, wanted))
    .map(([pointer]) => pointer);
  if (other.length > 0) return { asDeclared: known(false), reason: `not as declared at ${other.join(", ")}` };
  const lacking = `the reply shows nothing at ${missing.join(", ")}, so that cannot be compared`;
  if (missing.length > 0) return { asDeclared: unreadable(lacking), reason: lacking };
  if (declared.length === 0 && observe.ready === null) return { asDeclared: notAsked, reason: null };
  return { asDeclared: known(true), reason: null };
};

/** Those outputs that are there. */
export const outputsFrom = (value: JsonValue, places: { readonly [name: string]: string }): JsonObject =>
  Object.fromEntries(
    Object.entries(places).flatMap(([name, pointer]) => {
      const found = at(value, pointer);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
