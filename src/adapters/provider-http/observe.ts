/** Asks what is there: by id where one is known, else by each of our keys. Reads only, throws never. */
import type { JsonValue } from "../../domain/json.ts";
import { unreadable } from "../../domain/known.ts";
import type { Reading } from "../../domain/outcome.ts";
import type { CallIo, Question } from "../../ports/provider.ts";
import { isGone, judge, outputsFrom } from "./as-declared.ts";
import { budgetOf } from "./budget.ts";
import { findAll } from "./find.ts";
import { parse } from "./parse.ts";
import { at } from "./pointer.ts";
import { caOf, getJson, type Line, urlOf } from "./read.ts";
import type { ObserveSpec } from "./spec.ts";

const notAsked = (reason: string): Reading => ({ kind: "not-asked", reason });

const judged = (id: string, object: JsonValue, observe: ObserveSpec): Reading =>
  isGone(object, observe.ready)
    ? { kind: "absent" }
    : { kind: "observed", id, outputs: outputsFrom(object, observe.outputs), ...judge(object, observe) };

/** `shownBy`: what already says that it exists. */
const byId = async (
  line: Line,
  observe: ObserveSpec,
  id: string,
  shownBy: string | null,
): Promise<Reading> => {
  if (observe.get === null) return notAsked("no way to read a thing by its id is declared");
  const url = urlOf(line.spec, observe.get.path, { id });
  if ("fault" in url) return { kind: "failed", reason: url.fault };
  const document = await getJson(line, url.url, observe.get.headers);
  if (document.kind === "missing") {
    if (shownBy === null) return { kind: "absent" };
    return {
      kind: "failed",
      reason: `${shownBy} shows ${id}, yet ${document.reason} They contradict each other; ask again.`,
    };
  }
  if (document.kind === "denied" && shownBy !== null) {
    const reason = `${shownBy} shows it, but reading it is denied: ${document.reason}`;
    return { kind: "observed", id, outputs: {}, asDeclared: unreadable(reason), reason };
  }
  if (document.kind !== "document") return document;
  const object = at(document.value, observe.object);
  if (object === undefined)
    return {
      kind: "failed",
      reason: `the reply holds nothing at '${observe.object}', where the object should be`,
    };
  return judged(id, object, observe);
};

const byKeys = async (line: Line, observe: ObserveSpec, question: Question): Promise<Reading> => {
  const { find } = observe;
  if (find === null) return notAsked("no id is known, and no way to 'find' the thing by our key is declared");
  const keys = new Set([...question.keys, ...(question.key === null ? [] : [question.key])]);
  const found = await findAll(line, find, [...keys]);
  if (found.kind !== "found") return found;
  const alive = [...found.items].filter(
    ([, item]) => !isGone(item, observe.get === null ? observe.ready : null),
  );
  const wanted = question.identity === null ? alive : alive.filter(([id]) => id === question.identity?.id);
  const [first, ...others] = wanted;
  if (first === undefined) return { kind: "absent" };
  if (others.length > 0) return { kind: "ambiguous", ids: wanted.map(([id]) => id) };
  const [id, item] = first;
  return observe.get === null ? judged(id, item, observe) : byId(line, observe, id, "the list");
};

export const observe = async (
  { clock, reached }: Pick<Line, "clock" | "reached">,
  question: Question,
  io: CallIo,
): Promise<Reading> => {
  const parsed = parse(question.inputs);
  if ("faults" in parsed)
    return {
      kind: "failed",
      reason: `'with' cannot be used: ${parsed.faults.map((fault) => fault.message).join("; ")}`,
    };
  const how = parsed.spec.observe;
  if (how === null) return notAsked("no 'observe' is declared for this step");
  const ca = await caOf(parsed.spec, io.baseDirectory);
  if ("fault" in ca) return { kind: "failed", reason: ca.fault };
  const budget = budgetOf(clock, io.deadlineMs, io.stop);
  try {
    const line: Line = { clock, reached, budget, spec: parsed.spec, caText: ca.text };
    const byIdentity = question.identity !== null && how.get !== null;
    return byIdentity ? await byId(line, how, question.identity.id, null) : await byKeys(line, how, question);
  } finally {
    budget.end();
  }
};
