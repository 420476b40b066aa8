/** A JavaScript object from a TypeScript stack file, made into plain JSON: what JSON cannot hold is a fault, never dropped. */
import type { JsonValue } from "../../domain/json.ts";
import { FaultList } from "./fault.ts";
import { refusedKey } from "./text.ts";

const MAX_NESTING = 100;
/** Values a stack object may hold; a shared object counts each time it is reached. */
const MAX_VALUES = 4_000_000;

export const plainJson = (
  value: unknown,
  most: number = MAX_VALUES,
): { readonly value: JsonValue } | { readonly faults: FaultList } => {
  const copy = new Copy(most);
  try {
    const made = copy.of(value);
    return copy.faults.empty ? { value: made } : { faults: copy.faults };
  } catch (error) {
    if (!(error instanceof TooMany)) throw error;
    return { faults: copy.faults };
  }
};

/** Ends the walk at once: what is left may be without end. */
class TooMany extends Error {}

class Copy {
  readonly faults = new FaultList();
  readonly #most: number;
  readonly #open = new Set<object>();
  /** Where the walk is. */
  readonly #path: (string | number)[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  of(value: unknown): JsonValue {
    this.#count += 1;
    if (this.#count > this.#most) this.#tooMany();
    if (typeof value === "string")
      return value.isWellFormed() ? value : this.#no("this text has half of a surrogate pair");
    if (typeof value === "number")
      return Number.isFinite(value) ? value : this.#no(`${value} is not a number that JSON has`);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value !== "object")
      return this.#no(`a ${typeof value} cannot stand in a stack; only JSON values can`);
    if (this.#open.has(value))
      return this.#no("this object contains itself; a stack is a tree of JSON values");
    if (this.#path.length >= MAX_NESTING) return this.#no(`nested deeper than ${MAX_NESTING} levels`);
    this.#open.add(value);
    const made = Array.isArray(value) ? this.#list(value) : this.#object(value);
    this.#open.delete(value);
    return made;
  }

  #at(key: string | number, value: unknown): JsonValue {
    this.#path.push(key);
    const made = this.of(value);
    this.#path.pop();
    return made;
  }

  /** By its indexes: its own iterator, or a hole for each of four billion places, would never end. */
  #list(value: readonly unknown[]): JsonValue {
    if (!(this.#count + value.length <= this.#most)) this.#tooMany();
    const list: JsonValue[] = [];
    for (let index = 0; index < value.length; index += 1) list.push(this.#at(index, value[index]));
    return list;
  }

  #object(value: object): JsonValue {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return this.#no("an object of a class cannot stand in a stack; write a plain object");
    const keys = Object.keys(value);
    if (this.#count + keys.length > this.#most) this.#tooMany();
    const object: Record<string, JsonValue> = {};
    for (const key of keys) {
      const item = (value as Record<string, unknown>)[key];
      // A field that is undefined was left out: `retain: keep ? {…} : undefined` is how TypeScript says it.
      if (item === undefined) continue;
      const refusal = refusedKey(key, new Set());
      if (refusal !== undefined) this.faults.add([...this.#path, key], () => refusal);
      else object[key] = this.#at(key, item);
    }
    return object;
  }

  #tooMany(): never {
    this.faults.add([], () => `the stack has more than ${this.#most} values; split it`);
    throw new TooMany();
  }

  #no(message: string): null {
    this.faults.add([...this.#path], () => message);
    return null;
  }
}
