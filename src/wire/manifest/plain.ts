/** A JavaScript object from a TypeScript stack file, made into plain JSON: what JSON cannot hold is a fault, never dropped. */
import type { JsonValue } from "../../domain/json.ts";
import type { Path } from "./fault.ts";
import { FaultList } from "./fault.ts";
import { refusedKey } from "./text.ts";

const MAX_NESTING = 100;
/** Values a stack object may hold; a shared object counts each time it is reached. */
const MAX_VALUES = 4_000_000;

export const plainJson = (value: unknown): { readonly value: JsonValue } | { readonly faults: FaultList } => {
  const copy = new Copy();
  const made = copy.of(value, []);
  return copy.faults.empty ? { value: made } : { faults: copy.faults };
};

class Copy {
  readonly faults = new FaultList();
  readonly #open = new Set<object>();
  #count = 0;

  of(value: unknown, path: Path): JsonValue {
    this.#count += 1;
    if (this.#count > MAX_VALUES)
      return this.#no(path, `the stack has more than ${MAX_VALUES} values; split it`);
    if (typeof value === "string")
      return value.isWellFormed() ? value : this.#no(path, "this text has half of a surrogate pair");
    if (typeof value === "number")
      return Number.isFinite(value) ? value : this.#no(path, `${value} is not a number that JSON has`);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value !== "object")
      return this.#no(path, `a ${typeof value} cannot stand in a stack; only JSON values can`);
    if (this.#open.has(value))
      return this.#no(path, "this object contains itself; a stack is a tree of JSON values");
    if (path.length >= MAX_NESTING) return this.#no(path, `nested deeper than ${MAX_NESTING} levels`);
    this.#open.add(value);
    const made = this.#inside(value, path);
    this.#open.delete(value);
    return made;
  }

  #inside(value: object, path: Path): JsonValue {
    if (Array.isArray(value)) return Array.from(value, (item, index) => this.of(item, [...path, index]));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
      return this.#no(path, "an object of a class cannot stand in a stack; write a plain object");
    const object: Record<string, JsonValue> = {};
    for (const [key, item] of Object.entries(value)) {
      // A field that is undefined was left out: `retain: keep ? {…} : undefined` is how TypeScript says it.
      if (item === undefined) continue;
      const refusal = refusedKey(key, new Set());
      if (refusal !== undefined) this.#no([...path, key], refusal);
      else object[key] = this.of(item, [...path, key]);
    }
    return object;
  }

  #no(path: Path, message: string): null {
    this.faults.add(path, () => message);
    return null;
  }
}
