/** What the command line says of itself, and of what it cannot read. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/faces/cli/commands.ts";
import { HOUSE } from "../canary/tree.ts";
import { asfound, folder } from "./terminal.ts";

/** Every command as its words, with the names of its flags. */
const commands = (): readonly (readonly [readonly string[], readonly string[]])[] =>
  Object.entries(COMMANDS).map(([name, make]) => {
    const flags = Object.keys(make().parameters.flags ?? {});
    return [
      name.split(" "),
      flags.map((flag) => flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
    ] as const;
  });

it("every verb of DESIGN §7 that this version has is there", () => {
  expect(commands().map(([words]) => words.join(" "))).toEqual([
    "init",
    "plan",
    "apply",
    "status",
    "reconcile",
    "resume",
    "destroy",
    "compensate",
    "resolve",
    "retain",
    "forget",
    "import",
    "approve",
    "verify",
    "snapshot",
    "watch",
    "drill",
    "config trace",
    "config bind",
    "release record",
    "release ls",
    "release show",
    "release retention",
    "release diff",
    "evidence ls",
    "evidence show",
    "evidence export",
    "evidence replay",
    "evidence verify",
    "evidence prune",
    "gate check",
    "gate test",
    "key new",
    "key rotate",
    "rollback plan",
    "recover report",
    "recover",
    "rollback run",
    "history",
    "show",
    "graph",
    "ledger export",
    "ledger import",
    "ledger backup",
    "lab rollback-config",
    "lab stale-process",
    "lab synced-not-served",
    "lab git-recovery",
    "doctor",
    "completion",
  ]);
});

it.each(commands())(
  "the help of %j names each of its flags, whichever way it is asked for",
  async (words, flags) => {
    const { code, out, err } = await asfound({ cwd: folder() }, ...words, "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const flag of [...flags, "yes", "color"]) expect(out).toContain(`--${flag}`);
    expect(await asfound({ cwd: folder() }, "help", ...words)).toMatchObject({ code: 0, out });
  },
);

it.each(commands())("%j with a flag that is not there exits 2 with one sentence", async (words) => {
  const { code, out, err } = await asfound({ cwd: folder() }, ...words, "--no-such-flag");
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^asfound: there is no flag --no-such-flag here[^\n]*\n$/);
});

it("reconcile's help says that it changes nothing outside", async () => {
  const { out } = await asfound({ cwd: folder() }, "reconcile", "--help");
  expect(out).toContain("It changes nothing outside");
});

it.each([
  [["aply"], "asfound: there is no command aply; did you mean apply? see asfound --help\n"],
  [
    ["apply", "--fil", "x"],
    "asfound: there is no flag --fil here; did you mean --file? see asfound apply --help\n",
  ],
  [
    ["status", "-ojsno"],
    'asfound: --output is table, wide, json, yaml, jsonl or name, not "jsno"; did you mean json? see asfound status --help\n',
  ],
  [
    ["graph", "-o", "table"],
    'asfound: --output is text, mermaid, dot, json, yaml or name, not "table"; see asfound graph --help\n',
  ],
  [
    ["apply", "--parallelism", "0"],
    'asfound: --parallelism must be a whole number from 1 to 256, not "0"; see asfound apply --help\n',
  ],
  [
    ["apply", "--parallelism", "257"],
    'asfound: --parallelism must be a whole number from 1 to 256, not "257"; see asfound apply --help\n',
  ],
  [
    ["apply", "--lease-wait", "5"],
    'asfound: --lease-wait cannot be read: the duration 5 has no unit; write it like 500ms, 30s or 1h30m, not "5"; see asfound apply --help\n',
  ],
  [["plan", "--var", "=x"], 'asfound: --var must be NAME=VALUE, not "=x"; see asfound plan --help\n'],
  [["show"], "asfound: OP is missing; see asfound show --help\n"],
  [
    ["plan", "extra"],
    'asfound: "extra" is one word too many: this command takes none; see asfound plan --help\n',
  ],
  [
    ["retain", "db", "--review-by", "2027-02-30"],
    'asfound: --review-by must be a day, written YYYY-MM-DD, not "2027-02-30"; see asfound retain --help\n',
  ],
  [
    ["ledger", "exprt"],
    "asfound: there is no command ledger exprt; did you mean ledger export? see asfound --help\n",
  ],
  [["completion", "csh"], "asfound: completion knows bash, zsh and fish, and not csh\n"],
])("%j exits 2 and says why", async (words, sentence) => {
  expect(await asfound({ cwd: folder() }, ...words)).toEqual({ code: 2, out: "", err: sentence, asked: [] });
});

it("a terminal escape that was typed does not reach the terminal", async () => {
  const { code, err } = await asfound({ cwd: folder() }, "\x1b[2Japply");
  expect(code).toBe(2);
  expect(err).toContain("\\x1b[2Japply");
  expect(err).not.toContain("\x1b");
});

/** Names what was loaded, after the process's own work. */
const LISTING = `
import { registerHooks } from "node:module";
import { writeSync } from "node:fs";
const urls = new Set();
registerHooks({ resolve: (name, context, next) => { const found = next(name, context); urls.add(found.url); return found; } });
process.on("exit", () => writeSync(2, JSON.stringify([...urls])));
`;

const loadedBy = (...words: string[]): readonly string[] => {
  const run = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(LISTING)}`,
      join(HOUSE, "bin/start.cjs"),
      ...words,
    ],
    { encoding: "utf8", cwd: folder() },
  );
  return (JSON.parse(run.stderr.slice(run.stderr.indexOf("["))) as string[]).map((url) =>
    url.replace(`file://${HOUSE}/`, ""),
  );
};

it("--help loads texts and nothing else; a verb's own help loads the parser and no verb", () => {
  const list = loadedBy("--help");
  expect(list.filter((url) => url.startsWith("node_modules/"))).toEqual([]);
  expect(list.filter((url) => url.startsWith("src/")).sort()).toEqual([
    "src/domain/exit.ts",
    "src/faces/cli/argv.ts",
    "src/faces/cli/help-lines.ts",
    "src/faces/cli/help-list.ts",
    "src/faces/cli/main.ts",
    "src/faces/cli/run.ts",
    "src/faces/cli/texts/help.ts",
    "src/faces/cli/texts/verbs.ts",
  ]);
  const own = loadedBy("apply", "--help");
  expect(own.filter((url) => url.startsWith("node_modules/"))).toEqual([
    "node_modules/@stricli/core/dist/index.js",
  ]);
  expect(own.filter((url) => /sqlite|zod|yaml|clack|runtime|adapters|cli\/commands\//.test(url))).toEqual([]);
});

it("the list of verbs names every verb", async () => {
  const { out } = await asfound({ cwd: folder() }, "--help");
  for (const [[verb]] of commands()) expect(out).toMatch(new RegExp(`^  ${verb} `, "m"));
  expect((await asfound({ cwd: folder() }, "help", "ledger")).out).toMatch(
    /^ {2}export .*\n {2}import .*\n {2}backup /m,
  );
  expect(await asfound({ cwd: folder() })).toMatchObject({ code: 0, out });
});

it("control: the same listing shows what a verb loads", () => {
  expect(loadedBy("doctor").filter((url) => /compose\.ts|store-sqlite/.test(url))).not.toEqual([]);
});
