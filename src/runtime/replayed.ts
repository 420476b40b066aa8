/** What a judgement of old bytes comes to beside what was said of them: finding by finding, both as they are written. Pure. */
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";

export interface Differs {
  /** Of which target, as `Deployment shop/web`. */
  readonly target: string;
  readonly claim: string;
  /** null: it was not judged. */
  readonly was: string | null;
  readonly is: string | null;
  /** What differs: the finding itself, its reason, or its words alone. */
  readonly what: "finding" | "reason" | "words";
}

export const differencesOf = (was: JsonObject, is: JsonObject): readonly Differs[] => {
  const before = findingsIn(was);
  const now = findingsIn(is);
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((key) => {
    const differs = difference(before.get(key), now.get(key));
    return differs === null ? [] : [differs];
  });
};

interface Said {
  readonly target: string;
  readonly claim: string;
  readonly finding: string;
  readonly reason: string;
  /** Sentence, what is missing, limits, whether it counts. */
  readonly words: string;
}

const difference = (was: Said | undefined, is: Said | undefined): Differs | null => {
  const one = is ?? was;
  if (one === undefined) return null;
  const texts = {
    target: one.target,
    claim: one.claim,
    was: was === undefined ? null : textOf(was),
    is: is === undefined ? null : textOf(is),
  };
  if (was?.finding !== is?.finding) return { ...texts, what: "finding" };
  if (was?.reason !== is?.reason) return { ...texts, what: "reason" };
  return was?.words === is?.words ? null : { ...texts, what: "words" };
};

const textOf = ({ finding, reason, words }: Said): string =>
  `${finding} (${reason}): ${String((JSON.parse(words) as readonly JsonValue[])[0])}`;

/** By target and claim. A report, or the items of a list. */
const findingsIn = (document: JsonObject): ReadonlyMap<string, Said> => {
  const reports = Array.isArray(document["items"]) ? document["items"] : [document];
  return new Map(
    reports.filter(isJsonObject).flatMap((report) => {
      const target = targetIn(report["target"]);
      const findings = Array.isArray(report["findings"]) ? report["findings"].filter(isJsonObject) : [];
      return findings.map((one): [string, Said] => {
        const claim = String(one["claim"]);
        const words = JSON.stringify([
          one["sentence"] ?? null,
          one["missing"] ?? null,
          one["limits"] ?? null,
          one["required"] ?? null,
        ]);
        const said = { target, claim, finding: String(one["finding"]), reason: String(one["reason"]), words };
        return [JSON.stringify([target, claim]), said];
      });
    }),
  );
};

const targetIn = (target: JsonValue | undefined): string => {
  if (!isJsonObject(target)) return "";
  const { kind, namespace, name } = target;
  return `${String(kind)} ${typeof namespace === "string" ? `${namespace}/` : ""}${String(name)}`;
};
