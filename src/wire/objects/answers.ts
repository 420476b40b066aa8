/**
 * `answers.json`: recorded answers, as `snapshot` writes them or as a person does. Each is kept as it is, but that who was
 * there before the requests of one look is written once: the answers after it refer to it, as `{"$ref": "#/0/podsBefore"}`.
 */
import { seenAnswer } from "../../domain/answer.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

export type ReadAnswers =
  | { readonly answers: readonly Seen[] }
  /** `pointer` (RFC 6901) says where. */
  | { readonly fault: string; readonly pointer: string };

/** Told of a look, not of a reply. */
const SHARED = ["podsBefore", "endpointsBefore"] as const;

/** A list's first place holds it, the others name that place. */
export const writtenAnswers = (answers: readonly JsonObject[]): readonly JsonObject[] => {
  const places = new Map<string, string>();
  return answers.map((answer, at) => {
    const refs = SHARED.flatMap((key) => {
      const value = answer[key];
      if (!Array.isArray(value)) return [];
      const text = `${key} ${JSON.stringify(value)}`;
      const place = places.get(text);
      if (place === undefined) places.set(text, `#/${at}/${key}`);
      return place === undefined ? [] : [[key, { $ref: place }] as const];
    });
    return { ...answer, ...Object.fromEntries(refs) };
  });
};

/** What a reference names: the same field of an answer before it, written out there. */
const referred = (
  ref: JsonValue,
  key: string,
  all: readonly JsonValue[],
  at: number,
): JsonValue | undefined => {
  const [, index = ""] = new RegExp(`^#/(0|[1-9]\\d{0,6})/${key}$`).exec(String(ref)) ?? [];
  const named = index === "" || Number(index) >= at ? undefined : all[Number(index)];
  const value = isJsonObject(named) && Object.hasOwn(named, key) ? named[key] : undefined;
  return Array.isArray(value) ? value : undefined;
};

const MOST_ANSWERS = 100_000;

export const readAnswers = (value: JsonValue, evidence: string): ReadAnswers => {
  if (!Array.isArray(value))
    return { fault: "this is no list of answers: [{at, via, url, status, headers, body}]", pointer: "" };
  if (value.length > MOST_ANSWERS)
    return { fault: `there are ${value.length} answers; at most ${MOST_ANSWERS} are read`, pointer: "" };
  const answers: Seen[] = [];
  for (const [at, one] of value.entries()) {
    const pointer = `/${at}`;
    if (!isJsonObject(one)) return { fault: "an answer is an object", pointer };
    if (typeof one["via"] !== "string" || !Object.hasOwn(one, "via"))
      return {
        fault: "an answer says by which path it came (via, as service/web)",
        pointer: `${pointer}/via`,
      };
    // By its number: a name would have to be told by whoever recorded it.
    const whole: Record<string, JsonValue> = { ...one };
    for (const key of SHARED) {
      const ref = whole[key];
      if (!isJsonObject(ref)) continue;
      const found = referred(ref["$ref"] ?? null, key, value, at);
      if (found === undefined)
        return {
          fault: `this names no list of an answer before it, as {"$ref": "#/0/${key}"}`,
          pointer: `${pointer}/${key}`,
        };
      whole[key] = found;
    }
    answers.push(seenAnswer(whole, `number ${String(at + 1).padStart(6, "0")}`, { evidence, pointer }));
  }
  return { answers };
};
