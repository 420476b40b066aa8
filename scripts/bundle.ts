/**
 * Bundles the command line: node scripts/bundle.ts [FOLDER], dist/cli if not said.
 *
 * Most of what a short verb costs is finding and loading a hundred small ES modules, so what every question to the
 * ledger needs (`status`, `history`, `show` …) is one file, and the rest stays in files that are loaded when they are
 * called for. CommonJS, since `import` of a built-in module reads all that it exports, and that alone loads Node's
 * streams.
 *
 * The library beside it (dist/*.js) is what tsc makes: a stack in TypeScript imports that, never this.
 */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = `${root}src/faces/cli/`;
const target = process.argv[2] ?? `${root}dist/cli`;

/** Loaded at every start, and for the list of verbs. */
const START = [`${cli}main.ts`, `${cli}help-list.ts`];

/** Loaded on the way from the words to an answer out of the ledger. `test/house/bundle.test.ts` runs it. */
const ASK = [
  `${cli}dispatch.ts`,
  `${cli}commands/status.ts`,
  `${cli}commands/history.ts`,
  `${root}src/compose/ask.ts`,
  `${root}src/adapters/system/find-stack.ts`,
  `${root}src/adapters/system/lock-file.ts`,
  `${root}src/adapters/store-sqlite/store.ts`,
];

let ask: ReadonlySet<string> = new Set();

const sorting: Plugin = {
  name: "what-every-question-needs",
  buildEnd() {
    const reached = (roots: readonly string[]): Set<string> => {
      const found = new Set<string>();
      const todo = [...roots];
      for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
        if (found.has(id)) continue;
        found.add(id);
        const info = this.getModuleInfo(id);
        if (info === null) throw new Error(`the bundle has no ${id}`);
        todo.push(...info.importedIds.filter((imported) => imported.startsWith(root)));
      }
      return found;
    };
    ask = reached(ASK).difference(reached(START));
  },
};

const bundle = await rolldown({
  input: START[0] as string,
  platform: "node",
  // Dependencies are installed, not copied.
  external: [/^node:/, /^[@a-z]/],
  plugins: [sorting],
  preserveEntrySignatures: false,
  // The source imports lazily what one verb needs and another needs anyway.
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: target,
  format: "cjs",
  comments: false,
  entryFileNames: "main.cjs",
  chunkFileNames: "[name].cjs",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: "ask", test: (id) => ask.has(id) }],
  },
});
// A thread of its own, so it shares no chunk: to load one of those above would run a second command line.
const worker = await rolldown({
  input: `${root}src/adapters/system/stack-worker.ts`,
  platform: "node",
  external: [/^node:/, /^[@a-z]/],
});
await worker.write({
  file: `${target}/stack-worker.cjs`,
  format: "cjs",
  comments: false,
  codeSplitting: false,
});
// Beside the chunk that reads them.
cpSync(`${root}src/adapters/store-sqlite/migrations`, `${target}/migrations`, { recursive: true });
