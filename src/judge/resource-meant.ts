/** Which resource a word means, where those that were read may tell it. */
import { type Resource, resourceNamed } from "../domain/resource.ts";
import type { Collection } from "./collection.ts";
import type { Rules } from "./rules.ts";

/** A kind that nobody knows by name is looked for among the objects that were read, then among the declared rules. */
export const resourceMeant = (text: string, collection: Collection, rules: Rules): Resource => {
  const known = resourceNamed(text);
  if (known !== undefined) return known;
  const [word = text, ...group] = text.toLowerCase().split(".");
  const wanted = group.join(".");
  const seen = collection.kinds.find(
    (one) =>
      [one.kind, `${one.kind}s`, `${one.kind}es`, one.kind.replace(/y$/i, "ies")].some(
        (name) => name.toLowerCase() === word,
      ) &&
      (wanted === "" || wanted === one.group),
  );
  const declared = seen === undefined ? rules.named(text) : rules.of(seen)?.resource;
  if (declared !== undefined) return declared;
  return seen === undefined
    ? { group: wanted, kind: text, plural: word, short: [] }
    : { group: seen.group, kind: seen.kind, plural: word, short: [] };
};
