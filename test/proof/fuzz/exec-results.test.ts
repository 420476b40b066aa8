/**
 * Whatever a command prints: no exception, no outcome and no reading better than its own words, no id lost (W4, R2).
 * Most prints go through the provider's reading in this process; some through real processes, which must read the same.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gather } from "../../../src/adapters/provider-exec/gather.ts";
import { lineSplitter, type PrintedLine } from "../../../src/adapters/provider-exec/lines.ts";
import { outcomeOf } from "../../../src/adapters/provider-exec/outcome.ts";
import { type Answer, readAnswer, readingOf } from "../../../src/adapters/provider-exec/reading.ts";
import { known } from "../../../src/domain/known.ts";
import { nothingBrought, type Reading } from "../../../src/domain/outcome.ts";
import { exec, question, recordingIo, sh } from "../../support/exec.ts";
import { testIntent } from "../../support/intents.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { type Campaign, caught, holds, isReplay, runs } from "./campaign.ts";
import { shownBytes } from "./damage.ts";
import { answerPrint, callPrint, type Print } from "./exec-print.ts";
import { answerFault, type CallMeaning, callFault } from "./exec-truth.ts";
import { folderFor } from "./folder.ts";

ownTempFolder("fuzz-exec");

const linesOf = (print: Print): PrintedLine[] => {
  const splitter = lineSplitter();
  return [...print.chunks.flatMap((chunk) => [...splitter.push(chunk)]), ...splitter.end()];
};

/** All of the exec provider but the process. */
const meaningOf = async (print: Print): Promise<CallMeaning> => {
  const io = recordingIo();
  const gathering = gather(io, print.recordedId);
  for (const line of linesOf(print)) await gathering.take(line);
  const outcome = outcomeOf(gathering.told(), print.ended, print.recordedId);
  if (outcome.kind === "refused") await gathering.keepOutputs();
  return { outcome, identities: io.identities.map(({ id }) => id) };
};

const readingFrom = (print: Print): Reading => {
  const answers = linesOf(print).map((line): Answer => readAnswer(line));
  return readingOf(answers.filter(({ kind }) => kind !== "progress").slice(0, 16), print.ended);
};

const show = (print: Print): string =>
  `recorded id ${print.recordedId}, ended ${JSON.stringify(print.ended)}, printed ${shownBytes(print.bytes)}`;

const calls = (read: (print: Print) => Promise<CallMeaning>): Campaign<Print> => ({
  name: "exec results",
  make: callPrint,
  judge: async (print) => {
    const meaning = await read(print);
    return { as: meaning.outcome.kind, fault: callFault(print, meaning) };
  },
  show,
});

const answers = (read: (print: Print) => Reading): Campaign<Print> => ({
  name: "exec answers",
  make: answerPrint,
  judge: (print) => {
    const reading = read(print);
    return { as: reading.kind, fault: answerFault(print, reading) };
  },
  show,
});

describe("fuzz: what a command prints", () => {
  it("a changing command: no outcome better than its words, no id lost", async () => {
    const told = await holds(calls(meaningOf), runs({ ci: 18_000, soak: 450_000 }));
    if (!isReplay)
      for (const kind of ["done", "refused", "failed", "unknown"]) expect(told.as[kind]).toBeGreaterThan(50);
  });

  it("an observe: no absence and no presence but by its own words", async () => {
    const told = await holds(answers(readingFrom), runs({ ci: 10_000, soak: 250_000 }));
    if (!isReplay)
      for (const kind of ["observed", "absent", "ambiguous", "denied", "failed"])
        expect(told.as[kind]).toBeGreaterThan(50);
  });

  it("through real processes it is read the same", async () => {
    const folder = folderFor("exec");
    let files = 0;
    const campaign: Campaign<Print> = {
      name: "exec processes",
      make: (dice) => {
        const print = callPrint(dice);
        return {
          ...print,
          ended: { ...print.ended, exitCode: print.ended.exitCode ?? 1, signal: null, cut: null },
        };
      },
      judge: async (print) => {
        files += 1;
        const file = join(folder, `print-${files}`);
        writeFileSync(file, print.bytes);
        const io = recordingIo();
        const inputs = { create: sh(`cat '${file}'; exit ${print.ended.exitCode}`) };
        const identity = print.recordedId === null ? null : { id: print.recordedId };
        const outcome = await exec.create(testIntent("create", { inputs, identity }), io);
        const meant = await meaningOf(print);
        const same = JSON.stringify([outcome, io.identities.map(({ id }) => id)]);
        const other = JSON.stringify([meant.outcome, meant.identities]);
        return {
          as: outcome.kind,
          ...(same === other ? {} : { fault: `read as ${same}, and in process as ${other}` }),
        };
      },
      show,
      together: 4,
    };
    await holds(campaign, runs({ ci: 150, soak: 3_000 }));
  });

  it("an observe through a real process that prints what it likes never throws", async () => {
    const folder = folderFor("exec");
    let files = 0;
    const campaign: Campaign<Print> = {
      name: "exec observes",
      make: answerPrint,
      judge: async (print) => {
        files += 1;
        const file = join(folder, `print-${files}`);
        writeFileSync(file, print.bytes);
        const inputs = { create: ["true"], observe: sh(`cat '${file}'`) };
        const reading = await exec.observe(question({ inputs }), recordingIo());
        const ended = { ...print.ended, exitCode: 0, signal: null, cut: null };
        return { as: reading.kind, fault: answerFault({ ...print, ended, means: null }, reading) };
      },
      show,
      together: 4,
    };
    await holds(campaign, runs({ ci: 50, soak: 1_000 }));
  });
});

describe.skipIf(isReplay)("control: a careless reader is caught", () => {
  const MOST = 5_000;
  const texts = (print: Print): string[] => print.bytes.toString("utf8").split("\n");
  const parsed = (text: string): Record<string, unknown> => {
    try {
      return Object(JSON.parse(text));
    } catch {
      return {};
    }
  };
  const meaning = (kind: string, id: string | null = null): CallMeaning => ({
    outcome: (kind === "done"
      ? { kind, ...nothingBrought, id }
      : { kind, reason: "", ...nothingBrought, id }) as CallMeaning["outcome"],
    identities: [],
  });

  const CALLS: Readonly<
    Record<string, readonly [read: (print: Print) => Promise<CallMeaning>, says: RegExp]>
  > = {
    "any JSON object is done": [
      async (print) => meaning(texts(print).some((text) => text.startsWith("{")) ? "done" : "unknown"),
      /read as done|means (refused|failed|unknown), and was read as done/,
    ],
    "the exit code is not looked at": [
      (print) => meaningOf({ ...print, ended: { ...print.ended, exitCode: 0, signal: null, cut: null } }),
      /was read as|read as done/,
    ],
    "the last of several results counts": [
      async (print) => {
        const result = texts(print).findLast((text) => "outcome" in parsed(text));
        return meaningOf(result === undefined ? print : { ...print, chunks: [Buffer.from(result)] });
      },
      /as its one result|was lost/,
    ],
    "a broken line is progress": [
      async (print) => {
        const good = texts(print).filter((text) => Object.keys(parsed(text)).length > 0);
        return meaningOf({ ...print, chunks: [Buffer.from(good.join("\n"))] });
      },
      /as its one result|was lost/,
    ],
    "nothing is ever known": [
      async (print) => meaning("unknown", (await meaningOf(print)).identities.at(-1) ?? null),
      /and was read as unknown|was lost/,
    ],
    "ids are forgotten unless it is done": [
      async (print) => {
        const { outcome } = await meaningOf(print);
        return {
          outcome: outcome.kind === "done" ? outcome : { kind: "unknown", reason: "", ...nothingBrought },
          identities: [],
        };
      },
      /was lost \(W4\)|means/,
    ],
  };
  for (const [what, [read, says]] of Object.entries(CALLS))
    it(`results: ${what}`, async () => expect(await caught(calls(read), MOST, says)).toMatch(says));

  const ANSWERS: Readonly<Record<string, readonly [read: (print: Print) => Reading, says: RegExp]>> = {
    "an answer that cannot be read is absence": [
      (print) => {
        const reading = readingFrom(print);
        return reading.kind === "failed" ? { kind: "absent" } : reading;
      },
      /absent/,
    ],
    "asDeclared is what is not false": [
      (print) => {
        const reading = readingFrom(print);
        if (reading.kind !== "observed" || reading.asDeclared.kind === "known") return reading;
        return { ...reading, asDeclared: known(true) };
      },
      /read as declared/,
    ],
    "the first answer counts": [
      (print) => {
        const answer = texts(print).find((text) => "present" in parsed(text));
        return readingFrom(answer === undefined ? print : { ...print, chunks: [Buffer.from(answer)] });
      },
      /answers|two things/,
    ],
  };
  for (const [what, [read, says]] of Object.entries(ANSWERS))
    it(`answers: ${what}`, async () => expect(await caught(answers(read), MOST, says)).toMatch(says));
});
