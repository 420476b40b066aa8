/** What a command may print: right answers, and right answers that were damaged on their way. */
import type { Ended } from "../../../src/adapters/provider-exec/command.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import { damaged, pieces } from "./damage.ts";
import type { Dice } from "./dice.ts";

/** One run of a command, as the provider sees it. */
export interface Print {
  /** null: the step had no id before this call. */
  readonly recordedId: string | null;
  readonly bytes: Buffer;
  /** The same bytes, as they came. */
  readonly chunks: readonly Buffer[];
  readonly ended: Ended;
  /** What an undamaged print means; null where it was damaged. */
  readonly means: string | null;
}

const words = (...texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text));

const CALL_WORDS = words(
  '{"outcome":"done"}\n',
  '{"outcome":"done","id":"vm-9"}\n',
  '{"outcome":"refused","reason":"no"}\n',
  '{"outcome":"failed","reason":"no"}\n',
  '{"outcome":"unknown"}\n',
  '{"outcome":"do',
  '"outcome":"done"',
  '"outcome":"failed"',
  '"outcome":null',
  '"outcome":["done"]',
  '"outcome":{"outcome":"done"}',
  '"done"',
  '"failed"',
  '"refused"',
  "DONE",
  '{"id":"vm-7"}\n',
  '"id":"vm-7"',
  '"id":7',
  '"id":9007199254740993',
  '"id":""',
  '"id":"\\u0000"',
  '"id":"\\ud800"',
  '"id":{"id":"vm-1"}',
  '"outputs":[]',
  '"outputs":{"outcome":"done"}',
  '"owes":"restart"',
  '"owes":["restart"]',
  "[",
  "{",
  "}",
  '"',
  "\\",
  "\n",
  "\r\n",
  "\n\n",
  "\u0000",
  "\ufeff",
  "\u2028",
  '{"__proto__":{"outcome":"done"}}\n',
  '[{"outcome":"done"}]\n',
  '"{\\"outcome\\":\\"done\\"}"\n',
  `${"[".repeat(70)}`,
  '{"a":1e999}\n',
  "null\n",
  "true\n",
);
CALL_WORDS.push(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80]));

const ANSWER_WORDS = words(
  '{"present":false}\n',
  '{"present":true}\n',
  '{"present":true,"id":"vm-9","asDeclared":true}\n',
  '{"denied":true}\n',
  '{"ambiguous":["a","b"]}\n',
  '{"present":fal',
  '"present":false',
  '"present":true',
  '"present":0',
  '"present":null',
  '"present":"false"',
  '"asDeclared":true',
  '"asDeclared":false',
  '"asDeclared":"true"',
  '"asDeclared":1',
  '"ambiguous":[]',
  '"denied":false',
  '"outcome":"done"',
  "{}\n",
  "[]\n",
  "null\n",
  "true",
  "false",
  "{",
  "}",
  '"',
  "\\",
  "\n",
  "\r\n",
  "\u0000",
  "\ufeff",
  '{"__proto__":{"present":false}}\n',
);
ANSWER_WORDS.push(Buffer.from([0xff]), Buffer.from([0xed, 0xa0, 0x80]));

const IDS = ["vm-1", "vm-2", "i-0a", "ü-3", "9007199254740993", "a".repeat(1024)];
const OUTPUTS: readonly JsonObject[] = [{}, { ip: "10.0.0.9" }, { nested: { outcome: "done", id: "x" } }];
const PROGRESS = ["at work", '{"progress":"half"}', "{not json", "[1,2]", "", "  "];

const endOf = (dice: Dice): Ended => {
  const base = { kind: "ended", survivors: false, lastError: null } as const;
  if (dice.once(8)) return { ...base, exitCode: null, signal: "SIGKILL", cut: null };
  if (dice.once(12)) return { ...base, exitCode: null, signal: "SIGTERM", cut: "deadline" };
  if (dice.once(12)) return { ...base, exitCode: 0, signal: null, cut: "stopped" };
  return { ...base, exitCode: dice.once(4) ? dice.pick([1, 3, 127]) : 0, signal: null, cut: null };
};

const printOf = (
  dice: Dice,
  lines: readonly string[],
  means: string,
  known: { readonly recordedId: string | null; readonly ended: Ended; readonly words: readonly Buffer[] },
): Print => {
  const whole = Buffer.from(`${lines.join("\n")}${dice.once(6) ? "" : "\n"}`);
  const isDamaged = !dice.once(5);
  const bytes = isDamaged ? damaged(dice, whole, known.words) : whole;
  const { recordedId, ended } = known;
  return { recordedId, bytes, chunks: pieces(dice, bytes), ended, means: isDamaged ? null : means };
};

/** A changing command's print. */
export const callPrint = (dice: Dice): Print => {
  const recordedId = dice.once(2) ? dice.pick(IDS) : null;
  const id = recordedId === null || dice.once(6) ? dice.pick(IDS) : recordedId;
  const ended = endOf(dice);
  const outcome = dice.pick(["done", "done", "done", "refused", "failed", "unknown"]);
  const isNamed = dice.once(2);
  const result: JsonObject = {
    outcome,
    ...(isNamed ? { id } : {}),
    ...(dice.once(2) ? { outputs: dice.pick(OUTPUTS) } : {}),
    ...(dice.once(6) ? { owes: ["restart"] } : {}),
    ...(outcome === "done" ? {} : { reason: "it says why" }),
  };
  const isTold = dice.once(3);
  const lines = [
    ...(dice.once(3) ? [dice.pick(PROGRESS)] : []),
    ...(isTold ? [JSON.stringify({ id, outputs: dice.pick(OUTPUTS) })] : []),
    ...(dice.once(3) ? [dice.pick(PROGRESS)] : []),
    JSON.stringify(result),
  ];
  const ownEnd = ended.cut === null;
  const strange = (isNamed || isTold) && id !== recordedId;
  const done = ownEnd && ended.exitCode === 0 ? "done" : "unknown";
  const refused = ownEnd && !strange ? "refused" : "unknown";
  const means = outcome === "done" ? done : outcome === "refused" ? refused : outcome;
  return printOf(dice, lines, means, { recordedId, ended, words: CALL_WORDS });
};

/** An observing command's print. */
export const answerPrint = (dice: Dice): Print => {
  const recordedId = dice.once(2) ? dice.pick(IDS) : null;
  const ended = endOf(dice);
  const [answer, kind] = dice.pick<readonly [JsonObject, string]>([
    [{ present: true, id: dice.pick(IDS), asDeclared: true }, "observed"],
    [{ present: true, asDeclared: false, reason: "its size differs" }, "observed"],
    [{ present: true, id: dice.pick(IDS), outputs: dice.pick(OUTPUTS) }, "observed"],
    [{ present: false }, "absent"],
    [{ ambiguous: ["a", "b"] }, "ambiguous"],
    [{ denied: true, reason: "403" }, "denied"],
  ]);
  const lines = [...(dice.once(3) ? [dice.pick(PROGRESS)] : []), JSON.stringify(answer)];
  const ownEnd = ended.cut === null && (ended.exitCode === 0 || kind === "denied");
  const means = ownEnd ? kind : ended.cut === "deadline" ? "timed-out" : "failed";
  return printOf(dice, lines, means, { recordedId, ended, words: ANSWER_WORDS });
};
