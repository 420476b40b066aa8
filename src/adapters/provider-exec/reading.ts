/**
 * What an observe command's answer means (DESIGN §6). Pure. Exactly one answer and exit 0, else the reading failed: no
 * answer is made out of a question that went wrong (R2).
 *
 * | printed                                        | reading |
 * |------------------------------------------------|---------|
 * | `{"present":true,"id","outputs","asDeclared","reason"}` | observed; no `asDeclared`: it does not say |
 * | `{"present":false}`                            | absent |
 * | `{"ambiguous":[ids]}`                          | ambiguous |
 * | `{"denied":true,"reason"}`, whatever the exit  | denied: it may not look |
 * | anything else, a bad exit, two answers, none   | failed |
 */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Known } from "../../domain/known.ts";
import { absent, known, unreadable } from "../../domain/known.ts";
import type { Reading } from "../../domain/outcome.ts";
import type { Ended } from "./command.ts";
import type { PrintedLine } from "./lines.ts";
import { howItEnded } from "./outcome.ts";
import { clip, readId, readObject, reasonOf } from "./printed.ts";

export type Answer =
  | { readonly kind: "progress"; readonly text: string }
  | { readonly kind: "reading"; readonly reading: Reading }
  | { readonly kind: "broken"; readonly why: string };

const ANSWERS = ["present", "ambiguous", "denied", "outcome"] as const;

export const readAnswer = (line: PrintedLine): Answer => {
  const object = readObject(line);
  if (object === null) return { kind: "progress", text: line.text };
  if (typeof object === "string") return { kind: "broken", why: object };
  const given = ANSWERS.filter((key) => object[key] !== undefined);
  const [only] = given;
  if (only === undefined) {
    const text = object["progress"];
    return { kind: "progress", text: typeof text === "string" ? text : line.text };
  }
  if (given.length > 1) return { kind: "broken", why: `one answer has both ${given.join(" and ")}` };
  return READERS[only](object, line);
};

type Reader = (object: JsonObject, line: PrintedLine) => Answer;

const READERS: Readonly<Record<(typeof ANSWERS)[number], Reader>> = {
  present: (object, line) => {
    if (object["present"] === false) return { kind: "reading", reading: { kind: "absent" } };
    if (object["present"] !== true) return { kind: "broken", why: "present is neither true nor false" };
    const id = readId(object["id"], line.lossy);
    if (typeof id === "object" && id !== null) return { kind: "broken", why: id.fault };
    const outputs = object["outputs"];
    if (outputs !== undefined && outputs !== null && !isJsonObject(outputs))
      return { kind: "broken", why: "its outputs is not an object" };
    return {
      kind: "reading",
      reading: {
        kind: "observed",
        id,
        outputs: isJsonObject(outputs) ? outputs : {},
        asDeclared: declaredness(object["asDeclared"]),
        reason: reasonOf(object["reason"]),
      },
    };
  },
  ambiguous: (object, line) => {
    const candidates = object["ambiguous"];
    if (!Array.isArray(candidates) || candidates.length === 0)
      return { kind: "broken", why: "ambiguous is not a list of ids" };
    const ids = candidates.map((id: JsonValue) => readId(id, line.lossy));
    if (!ids.every((id) => typeof id === "string"))
      return { kind: "broken", why: "ambiguous holds something that is no id" };
    return { kind: "reading", reading: { kind: "ambiguous", ids: [...new Set(ids)] } };
  },
  denied: (object) =>
    object["denied"] === true
      ? {
          kind: "reading",
          reading: {
            kind: "denied",
            reason: reasonOf(object["reason"]) ?? "it may not look, and gave no reason",
          },
        }
      : { kind: "broken", why: "denied can only be true" },
  outcome: () => ({
    kind: "broken",
    why: 'observe printed an outcome, which is for actions that change something; it must print {"present":true} or {"present":false}',
  }),
};

const declaredness = (value: JsonValue | undefined): Known<boolean> => {
  if (value === undefined || value === null) return absent;
  return typeof value === "boolean"
    ? known(value)
    : unreadable(`asDeclared is ${clip(JSON.stringify(value), 80)}, and must be true or false`);
};

/** The reading that the answers and the end make together. */
export const readingOf = (answers: readonly Answer[], ended: Ended): Reading => {
  if (ended.cut === "deadline") return { kind: "timed-out", reason: because(howItEnded(ended), ended) };
  if (ended.cut === "stopped") return { kind: "failed", reason: howItEnded(ended) };
  const failed = (why: string): Reading => ({ kind: "failed", reason: because(why, ended) });

  const broken = answers.find((answer) => answer.kind === "broken");
  if (broken !== undefined) return failed(`its answer cannot be read: ${broken.why}`);
  const readings = answers.flatMap((answer) => (answer.kind === "reading" ? [answer.reading] : []));
  const [reading] = readings;
  if (readings.length > 1) return failed(`it gave ${readings.length} answers, and one is allowed`);
  if (reading?.kind === "denied") return reading;
  if (ended.exitCode !== 0) return failed(howItEnded(ended));
  return reading ?? failed("it exited with 0 without an answer");
};

/**
 * `protocol: exit-code`: exit 0 says it is there. Another exit is no absence: a command that knows nothing of the
 * protocol exits with 1 for a missing thing and for a missing network alike, so the reading failed.
 */
export const readingOfExit = (ended: Ended): Reading => {
  if (ended.cut !== null || ended.exitCode !== 0) {
    const reading = readingOf([], ended);
    return reading.kind === "failed" && ended.cut === null
      ? { kind: "failed", reason: `${reading.reason}; an exit code alone never proves absence` }
      : reading;
  }
  return { kind: "observed", id: null, outputs: {}, asDeclared: absent, reason: null };
};

const because = (why: string, ended: Ended): string =>
  ended.lastError === null ? why : `${why}; its last line on stderr: ${ended.lastError}`;
