/**
 * Whatever stands in a stack file: it is read as what it says, or refused with sentences at places that it has. A step,
 * a protection or a link that is written is never lost, and nothing is made of what cannot be read.
 */
import { describe, expect, it } from "vitest";
import { stackName } from "../../../src/domain/ids.ts";
import { type ParsedStack, parseStackText } from "../../../src/wire/manifest/parse.ts";
import { type Campaign, caught, holds, isReplay, runs } from "./campaign.ts";
import { type ManifestText, manifestText } from "./manifest-text.ts";
import { manifestFault } from "./manifest-truth.ts";

type Parse = (text: string) => Promise<ParsedStack>;

const parse: Parse = (text) => parseStackText(text, { file: "asfound.yaml", vars: new Map() });

const manifests = (parser: Parse): Campaign<ManifestText> => ({
  name: "manifests",
  make: manifestText,
  judge: async (input) => {
    const parsed = await parser(input.text);
    const as = `${input.wanted}: ${"faults" in parsed ? "refused" : "accepted"}`;
    return { as, fault: manifestFault(input, parsed) };
  },
  show: ({ text, why }) => `${why}:\n${JSON.stringify(text)}\n${text}`,
});

describe("fuzz: a stack file", () => {
  it("is read as what it says, or refused at a place that it has", async () => {
    const told = await holds(manifests(parse), runs({ ci: 6_000, soak: 120_000 }));
    if (!isReplay)
      for (const kind of ["accept: accepted", "refuse: refused", "any: accepted", "any: refused"])
        expect(told.as[kind]).toBeGreaterThan(100);
  });
});

describe.skipIf(isReplay)("control: a careless reader is caught", () => {
  const changed =
    (change: (stack: Extract<ParsedStack, { stack: unknown }>) => ParsedStack): Parse =>
    async (text) => {
      const parsed = await parse(text);
      return "faults" in parsed ? parsed : change(parsed);
    };
  const withSteps = (field: string, value: unknown): Parse =>
    changed(({ stack, written }) => ({
      written,
      stack: {
        ...stack,
        steps: new Map([...stack.steps].map(([name, step]) => [name, { ...step, [field]: value }])),
      },
    }));
  const MUTANTS: Readonly<Record<string, readonly [parser: Parse, says: RegExp]>> = {
    "what cannot be read is an empty stack": [
      async (text) => {
        const parsed = await parse(text);
        if ("stack" in parsed) return parsed;
        const stack = { name: stackName("shop"), steps: new Map(), ledger: null, directory: null };
        return { stack, written: {} };
      },
      /accepted with|says otherwise|another name/,
    ],
    "retain is lost": [withSteps("retain", null), /retain of the step/],
    "approve is lost": [withSteps("approve", null), /approve of the step/],
    "every step may be sent again": [withSteps("retry", "idempotent"), /retry of the step/],
    "needs are lost": [withSteps("needs", []), /needs .* was lost/],
    "the last step is dropped": [
      changed(({ stack, written }) => ({
        written,
        stack: { ...stack, steps: new Map([...stack.steps].slice(0, -1)) },
      })),
      /it has the steps/,
    ],
    "of a doubled key the last one counts": [
      (text) => parse(text.replace('"kind":"Stack","kind":"Stack"', '"kind":"Stack"')),
      /accepted with a key twice/,
    ],
    "everything is refused": [
      async () => ({
        faults: [{ file: "asfound.yaml", line: 1, column: 1, field: "", message: "it is wrong" }],
      }),
      /a stack as it has to be is refused/,
    ],
    "faults stand anywhere": [
      async (text) => {
        const parsed = await parse(text);
        return "stack" in parsed
          ? parsed
          : { faults: parsed.faults.map((fault) => ({ ...fault, line: 10_000, column: 1 })) };
      },
      /a fault stands at/,
    ],
  };
  for (const [what, [parser, says]] of Object.entries(MUTANTS))
    it(what, async () => expect(await caught(manifests(parser), 3_000, says)).toMatch(says));
});
