/** A condition as a declared rule takes it. */
import type { Seen } from "../../domain/evidence.ts";
import { type Condition, conditionOf } from "../conditions.ts";
import { type ObservedCondition, observedCondition } from "../observed-condition.ts";
import { type Path, valueAt } from "../read.ts";
import { quoted } from "../words.ts";

/**
 * `each`: every condition has to say which generation it speaks of, since nothing else does. Elsewhere it may leave that
 * out; one that says another generation is out of date, or cannot be told, all the same (O1).
 */
export const conditionNow = (target: Seen, type: string, each: boolean): ObservedCondition => {
  const found = observedCondition(target, type);
  if (each || found.kind !== "unreadable") return found;
  const plain = conditionOf(target, type);
  return plain.kind === "known" &&
    valueAt(target.raw, [...plain.value.path, "observedGeneration"]) === undefined
    ? { kind: "current", condition: plain.value }
    : found;
};

/** What makes it count. */
export const conditionFields = ({ path }: Condition, each: boolean): readonly Path[] =>
  ["type", "status", ...(each ? ["observedGeneration"] : [])].map((field) => [...path, field]);

/** `Ready is False (Failed: no such image)`. */
export const conditionText = ({ type, status, reason, message }: Condition): string => {
  const said = [reason, message].filter((text) => text !== "").map(quoted);
  return `${quoted(type)} is ${status}${said.length === 0 ? "" : ` (${said.join(": ")})`}`;
};
