/** What a container would lack of a reference, were it started now. */
import type { ConfigReference } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Known } from "../../domain/known.ts";
import { quoted } from "../words.ts";
import { keysIn } from "./writes.ts";

/** `ConfigMap settings`. */
export const objectText = ({ kind, name }: Pick<ConfigReference, "kind" | "name">): string =>
  `${kind} ${quoted(name)}`;

/** A clause; null: nothing that is known. Whether it matters, `optional` says. */
export const lackOf = (reference: ConfigReference, source: Known<Seen>): string | null => {
  const what = objectText(reference);
  if (source.kind === "absent") return `there is no ${what}`;
  const there = source.kind === "known" ? keysIn(source.value) : source;
  if (there.kind !== "known" || reference.keys === null) return null;
  const lacking = reference.keys.filter((key) => !there.value.has(key));
  return lacking.length === 0 ? null : `${what} has no key ${quoted(lacking.slice(0, 3).join(", "))}`;
};
