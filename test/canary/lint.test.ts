/** Every lint rule that the house adds can fail, where it should and only there. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { HOUSE, plant } from "./tree.ts";

const AMBIENT = "no-ambient-input";
const DEFAULT = "no-silent-default";

/** The opening words of each plug-in's message; Biome calls them all `plugin`. */
const plugIns: Readonly<Record<string, string>> = {
  "Time, randomness and environment": AMBIENT,
  "No silent default": DEFAULT,
};

interface Facts {
  readonly text: string;
  readonly breaks: readonly string[];
}
const silent = (expression: string): Facts => ({
  text: `export const it = (read: { field?: unknown }, other: unknown) => [${expression}, read, other];\n`,
  breaks: [DEFAULT],
});
const fine = (expression: string): Facts => ({ ...silent(expression), breaks: [] });
const ambient = (expression: string): Facts => ({
  text: `export const it = ${expression};\n`,
  breaks: [AMBIENT],
});
const lawful = (facts: Facts): Facts => ({ ...facts, breaks: [] });

const assertion: Facts = {
  text: "export const it = (read: { field?: number }) => read.field!;\n",
  breaks: ["lint/style/noNonNullAssertion"],
};
const destructured: Facts = {
  text: "export const it = ({ field = 0 }: { field?: number }) => field;\n",
  breaks: [DEFAULT],
};
const assigned: Facts = {
  text: "export const it = (read: { field?: number }) => {\n  read.field ??= 0;\n};\n",
  breaks: [DEFAULT],
};
const defaultExport: Facts = { text: "export default 1;\n", breaks: ["lint/style/noDefaultExport"] };

const files: Readonly<Record<string, Facts>> = {
  "src/domain/zero.ts": silent("read.field ?? 0"),
  "src/domain/minus.ts": silent("read.field ?? -1"),
  "src/domain/list.ts": silent("read.field ?? []"),
  "src/domain/object.ts": silent("read.field ?? {}"),
  "src/domain/text.ts": silent('read.field ?? ""'),
  "src/domain/sentence.ts": fine(`read.field ?? \`$\{other}\``),
  "src/domain/yes.ts": silent("read.field ?? true"),
  "src/domain/no.ts": silent("read.field ?? false"),
  "src/judge/or-zero.ts": silent("read.field || 0"),
  "src/judge/kinds/or-list.ts": silent("read.field || []"),
  "src/judge/destructured.ts": destructured,
  "src/domain/assigned.ts": assigned,
  "src/domain/falls-back.ts": fine("read.field ?? other"),
  "src/domain/says-null.ts": fine("read.field ?? null"),
  "src/domain/both.ts": fine("other === 1 || other === 2"),
  "src/domain/and.ts": fine("read.field && 0"),
  "src/domain/parameter.ts": fine("((limit = 3) => limit)(5)"),
  "src/wire/zero.ts": fine("read.field ?? 0"),
  "src/domain/asserted.ts": assertion,
  "src/judge/asserted.ts": assertion,
  "src/wire/asserted.ts": lawful(assertion),

  "src/runtime/now.ts": ambient("Date.now()"),
  "src/runtime/now-itself.ts": ambient("Date.now"),
  "src/runtime/date.ts": ambient("new Date()"),
  "src/domain/random.ts": ambient("Math.random()"),
  "src/faces/cli/environment.ts": ambient("process.env.HOME"),
  "src/adapters/store/uuid.ts": ambient("crypto.randomUUID()"),
  "src/runtime/monotonic.ts": ambient("performance.now()"),
  "src/runtime/given.ts": lawful(ambient("new Date(5)")),
  "src/runtime/now.test.ts": lawful(ambient("Date.now()")),
  "src/adapters/system/clock.ts": lawful(ambient("Date.now()")),
  "bench/run.ts": lawful(ambient("Date.now()")),
  "demo/run.ts": lawful(ambient("process.env")),
  "test/now.ts": lawful(ambient("new Date()")),
  "scripts/now.ts": lawful(ambient("Math.random()")),

  "src/adapters/store/any.ts": {
    text: "export const it = (read: any) => read;\n",
    breaks: ["lint/suspicious/noExplicitAny"],
  },
  "src/wire/default.ts": defaultExport,
  "vitest.config.ts": lawful(defaultExport),
  "src/wire/order.ts": {
    text: 'import { b } from "./b.ts";\nimport { a } from "./a.ts";\n\nexport const it = [a, b];\n',
    breaks: ["assist/source/organizeImports"],
  },
  "src/wire/format.ts": { text: "export const it   = 1\n", breaks: ["format"] },
};

interface Report {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly message: string;
    readonly location: { readonly path: string };
  }[];
}

it("every lint rule reports exactly what breaks it", () => {
  const root = plant(Object.fromEntries(Object.entries(files).map(([file, { text }]) => [file, text])), [
    "biome.json",
    "lint",
  ]);
  const run = spawnSync(
    `${HOUSE}/node_modules/.bin/biome`,
    ["ci", "--error-on-warnings", "--colors=off", "--reporter=json", "--max-diagnostics=none"],
    { cwd: root, encoding: "utf8" },
  );
  const { diagnostics } = JSON.parse(run.stdout) as Report;
  const told = diagnostics.map(({ category, message, location }) => {
    const plugIn = Object.keys(plugIns).find((start) => message.startsWith(start));
    return `${location.path}: ${plugIn === undefined ? category : plugIns[plugIn]}`;
  });
  const expected = Object.entries(files).flatMap(([file, { breaks }]) =>
    breaks.map((rule) => `${file}: ${rule}`),
  );
  expect([...new Set(told)].sort()).toEqual(expected.sort());
  expect(run.status).toBe(1);
});

it("every plug-in has a canary", () => {
  const rules = readdirSync(`${HOUSE}/lint`).map((file) => file.replace(/\.grit$/, ""));
  expect(rules.sort()).toEqual(Object.values(plugIns).sort());
});
