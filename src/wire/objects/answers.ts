/** `answers.json`: recorded answers, as `snapshot` writes them or as a person does. Each is kept as it is. */
import { seenAnswer } from "../../domain/answer.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

export type ReadAnswers =
  | { readonly answers: readonly Seen[] }
  /** `pointer` (RFC 6901) says where. */
  | { readonly fault: string; readonly pointer: string };

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
    answers.push(seenAnswer(one, `number ${String(at + 1).padStart(6, "0")}`, { evidence, pointer }));
  }
  return { answers };
};
