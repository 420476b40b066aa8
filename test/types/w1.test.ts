/**
 * W1 by the compiler: what is not a committed intent for that very action cannot be handed to a provider.
 *
 * What the compiler cannot see is a cast (`as`): there the gate `npm run mutations` holds, since only `runtime/intend.ts`
 * may call a mutating method, and `any` is a lint error. Both have canaries of their own in test/canary.
 */
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { HOUSE } from "../canary/tree.ts";

const HEAD = `
import type { Call, CommittedIntent } from "../../src/domain/committed-intent.ts";
import type { StepName, IntentId } from "../../src/domain/ids.ts";
import type { CallIo, Provider } from "../../src/ports/provider.ts";
import type { Committed, NotCommitted, Session } from "../../src/runtime/ledger.ts";
declare const provider: Provider;
declare const io: CallIo;
declare const session: Session;
declare const good: CommittedIntent<"create">;
declare const committed: Committed<"create">;
declare const answer: Committed<"create"> | NotCommitted;
declare const step: StepName;
declare const id: IntentId;
declare const call: Call<"create">;
export const kept = [provider, io, session, good, committed, answer, step, id, call];
`;

/** Each line must be refused, for the reason that its error code names. */
const REFUSED: Readonly<Record<string, readonly [text: string, code: number]>> = {
  "an object written by hand": [
    `provider.create({ action: "create", step, id, opened: false, open: async () => call }, io);`,
    2345,
  ],
  "a copy by spread": [`provider.create({ ...good }, io);`, 2345],
  "a copy by Object.assign": [`provider.create(Object.assign({}, { action: good.action }), io);`, 2345],
  "an intent for another action": [`provider.destroy(good, io);`, 2345],
  "a call without its intent": [`provider.create(call, io);`, 2345],
  "the record of what was committed, instead of its intent": [`provider.create(committed, io);`, 2345],
  "an answer that may be a refusal": [`provider.create(answer.intent, io);`, 2339],
  "an answer passed on whole": [`provider.create(answer, io);`, 2345],
  "the promise of an answer": [
    `provider.create(session.intend({} as never) as Promise<Committed<"create"> | NotCommitted>, io);`,
    2345,
  ],
  "a new one, by its constructor": [
    `import { CommittedIntent as Class } from "../../src/domain/committed-intent.ts";\nprovider.create(new Class(call, async () => undefined), io);`,
    2673,
  ],
  "a class that extends it": [
    `import { CommittedIntent as Class } from "../../src/domain/committed-intent.ts";\nexport class Mine extends Class<"create"> {}`,
    2675,
  ],
  "a cast from another class": [
    `class Mine { readonly #call = 1; get it() { return this.#call; } }\nprovider.create(new Mine() as CommittedIntent<"create">, io);`,
    2352,
  ],
};

const COMPILES: Readonly<Record<string, string>> = {
  "the intent of a committed answer": `provider.create(committed.intent, io);`,
  "an answer whose kind was looked at": `if (answer.kind === "committed") provider.create(answer.intent, io);`,
};

const INTENT = `${HOUSE}/src/domain/committed-intent.ts`;

/** The error codes per snippet, with one program for all; `instead` stands in for a source file. */
const compile = (
  snippets: Readonly<Record<string, string>>,
  instead: ReadonlyMap<string, string> = new Map(),
): Map<string, number[]> => {
  const names = Object.keys(snippets);
  const pathOf = (name: string): string => `${HOUSE}/test/types/snippet-${names.indexOf(name)}.ts`;
  const texts = new Map([
    ...instead,
    ...names.map((name): [string, string] => [pathOf(name), `${HEAD}${snippets[name]}\n`]),
  ]);
  const { config } = ts.readConfigFile(`${HOUSE}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, HOUSE);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  const program = ts.createProgram(names.map(pathOf), options, host);
  return new Map(
    names.map((name) => {
      const file = program.getSourceFile(pathOf(name));
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return [name, found.map(({ code }) => code)];
    }),
  );
};

describe("W1: a provider takes", () => {
  const all = { ...COMPILES, ...Object.fromEntries(Object.entries(REFUSED).map(([n, [text]]) => [n, text])) };
  const codes = compile(all);

  for (const [name, [, code]] of Object.entries(REFUSED))
    it(`not ${name}`, () => expect(codes.get(name)).toEqual([code]));

  for (const name of Object.keys(COMPILES)) it(`control: ${name}`, () => expect(codes.get(name)).toEqual([]));

  it("mutant: without its #private members, one written by hand is taken", () => {
    const source = ts.sys.readFile(INTENT) as string;
    const begin = source.indexOf("export class CommittedIntent");
    const open = `export declare class CommittedIntent<A extends Action> {
  readonly action: A;
  readonly step: StepName;
  readonly id: IntentId;
  get opened(): boolean;
  open(): Promise<Call<A>>;
}
export const claimMint = (): Mint => { throw new Error(String(mint)); };
`;
    const name = "an object written by hand";
    const text = REFUSED[name]?.[0] as string;
    const weak = compile({ [name]: text }, new Map([[INTENT, source.slice(0, begin) + open]]));
    expect(weak.get(name)).toEqual([]);
  });
});
