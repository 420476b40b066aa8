/** Whether two JSON values are equal, in whatever order their keys stand. */
import { OBJECT } from "./read.ts";

export const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => sameJson(one, b[at]));
  const left = OBJECT.read(a as never);
  const right = OBJECT.read(b as never);
  if (left === undefined || right === undefined) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]))
  );
};
