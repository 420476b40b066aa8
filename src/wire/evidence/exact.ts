/**
 * An object with these members and no other. Left-out and surplus members are both refused: what a question does not say in
 * so many words would be judged as another question.
 */
import { isJsonObject } from "../../domain/json.ts";
import type { Shape } from "../shape.ts";

export const exactly = (members: Readonly<Record<string, Shape>>): Shape => {
  const entries = Object.entries(members);
  return (value, at) => {
    if (!isJsonObject(value)) return value === undefined ? `${at} is missing` : `${at} is not an object`;
    for (const [key, shape] of entries) {
      const fault = shape(Object.hasOwn(value, key) ? value[key] : undefined, `${at}.${key}`);
      if (fault !== null) return fault;
    }
    const surplus = Object.keys(value).find((key) => !Object.hasOwn(members, key));
    return surplus === undefined ? null : `${at} has a member that is not known here (${cut(surplus)})`;
  };
};

/** A union told apart by `kind`. */
export const byKind = (cases: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape => {
  const shapes = new Map(
    Object.entries(cases).map(([kind, members]) => [kind, exactly({ kind: () => null, ...members })]),
  );
  return (value, at) => {
    if (!isJsonObject(value)) return value === undefined ? `${at} is missing` : `${at} is not an object`;
    const kind = Object.hasOwn(value, "kind") ? value["kind"] : undefined;
    const shape = typeof kind === "string" ? shapes.get(kind) : undefined;
    return shape === undefined
      ? `${at}.kind is not one of ${[...shapes.keys()].join(", ")}`
      : shape(value, at);
  };
};

/** One of several shapes; the fault is the last one's. */
export const anyOf =
  (...shapes: readonly Shape[]): Shape =>
  (value, at) => {
    let fault: string | null = `${at} cannot be had`;
    for (const shape of shapes) {
      fault = shape(value, at);
      if (fault === null) return null;
    }
    return fault;
  };

const cut = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
