/**
 * Whatever a command prints, through the whole runtime: no exception, every page's text can be shown, a status is never
 * better than what was printed, and no id that was printed is lost (W4).
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ended } from "../../src/adapters/provider-exec/command.ts";
import { gather } from "../../src/adapters/provider-exec/gather.ts";
import { lineSplitter } from "../../src/adapters/provider-exec/lines.ts";
import { outcomeOf } from "../../src/adapters/provider-exec/outcome.ts";
import type { Answer } from "../../src/adapters/provider-exec/reading.ts";
import { readAnswer, readingOf } from "../../src/adapters/provider-exec/reading.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { harness } from "../../src/testing/provider/harness.ts";
import { canonicalJson } from "../../src/wire/canonical.ts";
import { damaged, hostileText } from "./hostile-text.ts";

interface Script {
  readonly lines: readonly string[];
  readonly exit: number;
  readonly answers: readonly string[] | null;
}

const ended = (exitCode: number): Ended => ({
  kind: "ended",
  exitCode,
  signal: null,
  cut: null,
  survivors: false,
  lastError: null,
});

const linesOf = (lines: readonly string[]) => {
  const splitter = lineSplitter();
  return [...splitter.push(Buffer.from(`${lines.join("\n")}\n`, "utf8")), ...splitter.end()];
};

/** All of the exec provider but the process. */
const printer = (script: Script): Provider => ({
  name: "printer",
  describe: () => ({
    can: {
      observe: script.answers !== null,
      create: true,
      update: true,
      destroy: true,
      compensate: false,
      owed: false,
    },
    retry: null,
    inputFiles: [],
    cannotKnow: [],
  }),
  observe: async () => {
    const answers = linesOf(script.answers ?? []).map((line): Answer => readAnswer(line));
    return readingOf(
      answers.filter((answer) => answer.kind !== "progress"),
      ended(0),
    );
  },
  create: async (intent, io) => {
    await intent.open();
    const gathering = gather(io, null);
    for (const line of linesOf(script.lines)) await gathering.take(line);
    return outcomeOf(gathering.told(), ended(script.exit), null);
  },
  update: async () => ({ kind: "refused", reason: "not here" }),
  destroy: async (intent) => {
    await intent.open();
    return { kind: "done", id: null, outputs: {}, owes: [] };
  },
  compensate: async () => ({ kind: "refused", reason: "not here" }),
  owed: async () => ({ kind: "refused", reason: "not here" }),
});

const value = fc.oneof(
  fc.constantFrom(
    '{"__proto__":1}',
    "1e999",
    "-1e999",
    "-0",
    "9007199254740993",
    "5e-324",
    '"\\ud800"',
    '{"a":{"__proto__":{"b":1}}}',
  ),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(60, 63, 64, 65, 1_000).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  fc.string({ unit: "binary", maxLength: 30 }).map((text) => JSON.stringify(text)),
);
const outputs = fc
  .array(
    fc.tuple(
      fc.constantFrom("a", "b", "__proto__", "constructor", "toString", "password", "\\ud800", ""),
      value,
    ),
    {
      maxLength: 3,
    },
  )
  .map((members) => `{${members.map(([name, it]) => `"${name}":${it}`).join(",")}}`);
const id = fc.constantFrom(
  '"i1"',
  '"i1"',
  '"i2"',
  "5",
  '""',
  "null",
  '"\\u001b[2J"',
  '"a\\ud800"',
  "1e999",
  "[1]",
  '"../x"',
);
const result = fc
  .tuple(fc.constantFrom("done", "done", "done", "failed", "refused", "unknown", "ok"), id, outputs)
  .map(([outcome, is, brought]) => `{"outcome":"${outcome}","id":${is},"outputs":${brought}}`);
const told = fc.tuple(id, outputs).map(([is, brought]) => `{"id":${is},"outputs":${brought}}`);
const line = fc.oneof(
  { weight: 3, arbitrary: result },
  { weight: 2, arbitrary: told },
  { weight: 2, arbitrary: damaged('{"outcome":"done","id":"i1","outputs":{"a":[1]}}') },
  { weight: 1, arbitrary: hostileText },
);
const answer = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, outputs, fc.constantFrom("true", "true", "false", '"true"', "null"))
      .map(([is, brought, as]) => `{"present":true,"id":${is},"outputs":${brought},"asDeclared":${as}}`),
  },
  fc.constantFrom(
    '{"present":false}',
    '{"ambiguous":["i1","i2"]}',
    '{"ambiguous":["\\u001b[2J"]}',
    '{"present":1}',
    "",
    "null",
  ),
  { weight: 1, arbitrary: hostileText },
);
const script: fc.Arbitrary<Script> = fc.record({
  lines: fc.array(line, { maxLength: 4 }),
  exit: fc.constantFrom(0, 0, 0, 1, 255),
  answers: fc.option(fc.array(answer, { maxLength: 2 }), { nil: null, freq: 2 }),
});

const objectsIn = (lines: readonly string[]) =>
  lines.flatMap((text) =>
    text.split("\n").flatMap((one) => {
      try {
        const read: unknown = JSON.parse(one);
        return isJsonObject(read) ? [read] : [];
      } catch {
        return [];
      }
    }),
  );

/** Read again by the plainest means: one result, it says done, exit 0. */
const saysDone = ({ lines, exit }: Script): boolean => {
  const results = objectsIn(lines).filter((object) => Object.hasOwn(object, "outcome"));
  return exit === 0 && results.length === 1 && results[0]?.["outcome"] === "done";
};
const saysPresent = (answers: readonly string[]): boolean => {
  const said = objectsIn(answers).filter(
    (object) => Object.hasOwn(object, "present") || Object.hasOwn(object, "ambiguous"),
  );
  return said.length === 1 && said[0]?.["present"] === true;
};

const applied = async (it: Script) => {
  const run = harness({
    provider: printer(it),
    with: { x: 1 },
    step: { settle: "0s", deadline: "1s", public: ["password"] },
  });
  return { run, after: await run.apply() };
};

describe("a command that prints anything", () => {
  it("gets no better status than its words, and loses no id", async () => {
    await fc.assert(
      fc.asyncProperty(script, async (it) => {
        const { after } = await applied(it);
        const { step } = after;
        expect([0, 10, 20, 21, 23]).toContain(after.exit);
        canonicalJson(JSON.parse(JSON.stringify(step)));
        if (step.status === "complete") {
          if (it.answers === null) expect(saysDone(it)).toBe(true);
          else expect(saysPresent(it.answers)).toBe(true);
          expect(after.exit).toBe(0);
        } else expect(after.exit).not.toBe(0);
        const printed = objectsIn(it.lines).flatMap((object) =>
          object["id"] === "i1" || object["id"] === "i2" ? [object["id"]] : [],
        );
        const refusedIt = step.status === "error" && step.effect === "none";
        const known = [step.identity?.id, ...step.surplus.map((one) => one.id)];
        if (!refusedIt) for (const one of printed) expect(known).toContain(one);
      }),
      { numRuns: 700 },
    );
  });

  it.each([
    ["an output called __proto__", '{"outcome":"done","id":"i1","outputs":{"__proto__":{"x":1},"a":1}}'],
    ["__proto__ inside an output", '{"outcome":"done","id":"i1","outputs":{"a":{"__proto__":{"x":1}}}}'],
    ["a number beyond all numbers", '{"outcome":"done","id":"i1","outputs":{"a":1e999,"b":-1e999}}'],
    ["a whole number of 400 digits", `{"outcome":"done","id":"i1","outputs":{"a":${"9".repeat(400)}}}`],
  ])("%s: its result is recorded", async (_, printed) => {
    const { after } = await applied({ lines: [printed], exit: 0, answers: null });
    expect(after).toMatchObject({ exit: 0, step: { status: "complete", identity: { id: "i1" } } });
  });
});
