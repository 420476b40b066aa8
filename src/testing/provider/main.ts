/**
 * The conformance kit as a command, for a provider in any language over exec:
 *
 *     node node_modules/asfound/dist/testing/provider/main.js SUBJECT.json
 *
 *     { "command": ["python3", "notes.py"],
 *       "with":    { "inputs": { "notes": "PLACE", "text": "one" } },
 *       "changed": { "inputs": { "notes": "PLACE", "text": "two" } },
 *       "count":   ["sh", "-c", "ls PLACE | wc -l"],
 *       "switches": { "refuse": ["touch", "PLACE/.refuse-ACTION"] } }
 *
 * In every text PLACE is the check's own folder, ACTION the action that a switch is for, MS its milliseconds, HOW `denied`,
 * `broken` or `off`. The report goes to stdout. Exit 0: a class is kept, and the one that `retry` names, where it does;
 * 10: it is not; 2: the file is not as it must be.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { argv, env, stderr, stdout } from "node:process";
import { promisify } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { RETRY_CLASSES, type RetryClass } from "../../domain/step.ts";
import { conformance, conformanceText } from "./conformance.ts";
import { type ExecSubjectOptions, execSubject } from "./exec-subject.ts";
import type { Switches } from "./switches.ts";

const run = promisify(execFile);

type Words = Readonly<Record<string, string>>;

/** The value with every word replaced in its texts. */
const filled = <T extends JsonValue>(value: T, words: Words): T => {
  const text = (written: string): string =>
    Object.entries(words).reduce((done, [word, by]) => done.replaceAll(word, by), written);
  const walk = (one: JsonValue): JsonValue => {
    if (typeof one === "string") return text(one);
    if (Array.isArray(one)) return one.map(walk);
    return isJsonObject(one)
      ? Object.fromEntries(Object.entries(one).map(([key, item]) => [key, walk(item)]))
      : one;
  };
  return walk(value) as T;
};

class NotASubject extends Error {}

const argvIn = (object: JsonObject, name: string): readonly [string, ...string[]] => {
  const value = object[name];
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === "string"))
    throw new NotASubject(`'${name}' must be an argument array, such as ["python3", "notes.py"]`);
  return value as readonly string[] as readonly [string, ...string[]];
};

const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name];
  if (value === undefined || !isJsonObject(value)) throw new NotASubject(`'${name}' must be an object`);
  return value;
};

const carriedOut = async (command: readonly [string, ...string[]], words: Words): Promise<string> => {
  const [program, ...args] = filled([...command], words);
  return (await run(String(program), args)).stdout;
};

const switchesIn = (written: JsonObject, place: string): Switches => {
  const on = (name: string) => (action: string, ms: number | string) =>
    carriedOut(argvIn(written, name), { PLACE: place, ACTION: action, MS: String(ms) }).then(() => undefined);
  const reads = (how: string | null) =>
    carriedOut(argvIn(written, "reads"), { PLACE: place, HOW: how ?? "off" }).then(() => undefined);
  const twin = () => carriedOut(argvIn(written, "twin"), { PLACE: place }).then(() => undefined);
  const all = {
    loseReply: on("loseReply"),
    failAfter: on("failAfter"),
    refuse: on("refuse"),
    late: on("late"),
    hang: on("hang"),
    reads,
    twin,
  };
  const strange = Object.keys(written).find((name) => !Object.hasOwn(all, name));
  if (strange !== undefined)
    throw new NotASubject(`there is no switch '${strange}'; known are ${Object.keys(all).join(", ")}`);
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(written, name)));
};

const optionsIn = (subject: JsonObject): ExecSubjectOptions => {
  const retry = subject["retry"];
  if (retry !== undefined && !RETRY_CLASSES.some((one) => one === retry))
    throw new NotASubject(`'retry' must be one of ${RETRY_CLASSES.join(", ")}`);
  const inputs = objectIn(subject, "with");
  const changed = subject["changed"] === undefined ? undefined : objectIn(subject, "changed");
  const switches = subject["switches"] === undefined ? undefined : objectIn(subject, "switches");
  const count = argvIn(subject, "count");
  if (switches !== undefined) switchesIn(switches, "");
  return {
    command: argvIn(subject, "command"),
    with: (place) => filled(inputs, { PLACE: place }),
    count: async (place) => Number(await carriedOut(count, { PLACE: place })),
    environment: env,
    ...(changed === undefined ? {} : { changed: (place: string) => filled(changed, { PLACE: place }) }),
    ...(switches === undefined ? {} : { switches: (place: string) => switchesIn(switches, place) }),
    ...(retry === undefined ? {} : { step: { retry: retry as RetryClass } }),
  };
};

const main = async (file: string | undefined): Promise<number> => {
  let options: ExecSubjectOptions;
  try {
    if (file === undefined) throw new NotASubject("name the file that describes the subject");
    const subject: JsonValue = JSON.parse(readFileSync(file, "utf8"));
    if (!isJsonObject(subject)) throw new NotASubject("it must be a JSON object");
    options = optionsIn(subject);
  } catch (error) {
    stderr.write(`${file ?? "SUBJECT.json"}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  const report = await conformance(execSubject(options));
  stdout.write(`${conformanceText(report)}\n`);
  const wanted = report.declares ?? report.highest;
  return wanted !== null && report.classes[wanted].result === "kept" ? 0 : 10;
};

process.exitCode = await main(argv[2]);
