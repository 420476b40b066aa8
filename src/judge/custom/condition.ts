/**
 * A condition of this generation. Kubernetes' API conventions: a condition may say which generation it speaks of
 * (`observedGeneration`); one of an earlier generation is out of date, and counts as missing (V3, O4).
 */
import type { Seen } from "../../domain/evidence.ts";
import { type Condition, conditionOf } from "../conditions.ts";
import { dotted, fieldAt, hint, type Path, WHOLE } from "../read.ts";
import { quoted } from "../words.ts";

export type ConditionNow =
  | { readonly kind: "current"; readonly condition: Condition; readonly cited: readonly Path[] }
  | { readonly kind: "absent" }
  /** It speaks of an earlier generation. */
  | { readonly kind: "stale"; readonly condition: Condition; readonly observed: number }
  | { readonly kind: "unreadable"; readonly why: string };

/** `each`: every condition has to say which generation it speaks of, since nothing else does. */
export const conditionNow = (target: Seen, type: string, each: boolean): ConditionNow => {
  const found = conditionOf(target, type);
  if (found.kind === "unreadable") return found;
  if (found.kind !== "known") return { kind: "absent" };
  const condition = found.value;
  const path = [...condition.path, "observedGeneration"];
  const own = fieldAt(target.raw, path, WHOLE);
  if (own.kind === "unreadable") return own;
  const cited = [
    [...condition.path, "type"],
    [...condition.path, "status"],
  ];
  if (own.kind !== "known")
    return each
      ? { kind: "unreadable", why: `${dotted(path)} (which generation ${quoted(type)} speaks of)` }
      : { kind: "current", condition, cited };
  const generation = hint(target.raw, ["metadata", "generation"], WHOLE);
  if (generation === undefined || own.value > generation)
    return {
      kind: "unreadable",
      why: `${dotted(path)} is ${own.value}, and the object is at generation ${String(generation)}`,
    };
  if (own.value < generation) return { kind: "stale", condition, observed: own.value };
  return { kind: "current", condition, cited: each ? [...cited, path] : cited };
};

/** `Ready is False (Failed: no such image)`. */
export const conditionText = ({ type, status, reason, message }: Condition): string => {
  const said = [reason, message].filter((text) => text !== "").map(quoted);
  return `${quoted(type)} is ${status}${said.length === 0 ? "" : ` (${said.join(": ")})`}`;
};
