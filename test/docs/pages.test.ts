/** README, TOUR and ADRs name only what is there. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/index.ts";
import { ROOT, readPage } from "./literate.ts";

interface Link {
  readonly text: string;
  /** Relative to the repository, without `#…`. */
  readonly path: string;
}

const linksOf = (name: string, page: string): Link[] =>
  [...page.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
    .map(([, text, target]) => ({ text: String(text), target: String(target) }))
    .filter(({ target }) => !/^(https?:|#)/.test(target))
    .map(({ text, target }) => ({ text, path: join(dirname(name), target.replace(/#.*/, "")) }));

const pages = async (): Promise<string[]> => {
  const below = async (folder: string): Promise<string[]> =>
    (await readdir(join(ROOT, folder)))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name));
  return [
    "README.md",
    "CONTRIBUTING.md",
    ...(await below("docs")),
    ...(await below("docs/adr")),
    ...(await below("docs/guide")),
    ...(await below("docs/reference")),
  ];
};

/** What a page says of tests that is not so: a file that is missing, or has no test of that name. */
const untrueTests = async (name: string, page: string): Promise<string[]> => {
  const untrue: string[] = [];
  for (const { text, path } of linksOf(name, page)) {
    if (!path.endsWith(".test.ts")) continue;
    const there = existsSync(join(ROOT, path));
    const named = text === path || (there && (await readPage(path)).includes(text));
    if (!there) untrue.push(`there is no ${path}`);
    else if (!named) untrue.push(`${path} has no test named ${text}`);
  }
  return untrue;
};

describe("README", () => {
  it("names only tests that exist", async () => {
    const page = await readPage("README.md");
    expect(await untrueTests("README.md", page)).toEqual([]);
    expect(linksOf("README.md", page).filter(({ path }) => path.endsWith(".test.ts")).length).toBeGreaterThan(
      10,
    );
  });

  it("control: a test that does not exist, or a file, is caught", async () => {
    const told = await untrueTests(
      "README.md",
      "[no such test](test/docs/demo.test.ts) and [x](test/docs/gone.test.ts)",
    );
    expect(told).toEqual([
      "test/docs/demo.test.ts has no test named no such test",
      "there is no test/docs/gone.test.ts",
    ]);
  });

  it("has every promise, each with its tests or the word that it is not there yet", async () => {
    const rows = (await readPage("README.md"))
      .split("\n")
      .filter((line) => /^\| [1-6] \| (?:No|The|An|Work|A|Evidence) .* \| .* \|$/.test(line));
    expect(rows.map((row) => row.slice(2, 3))).toEqual(["1", "2", "3", "4", "5", "6"]);
    for (const row of rows)
      expect(row.includes(".test.ts)") || row.endsWith("| not in this version yet |"), row).toBe(true);
  });

  it("has every exit code", async () => {
    const page = await readPage("README.md");
    const codes = [...page.matchAll(/^\| (\d+)(?:, (\d+))? \|/gm)].flatMap(([, a, b]) => [a, b]);
    for (const code of Object.values(EXIT)) expect(codes).toContain(String(code));
  });

  it("names only npm scripts that exist", async () => {
    const { scripts } = JSON.parse(await readPage("package.json"));
    const named = [...(await readPage("README.md")).matchAll(/npm (?:run )?(\w+)/g)].map(([, name]) =>
      String(name),
    );
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
    expect(named).toContain("demo");
  });
});

describe("every page", () => {
  it("links to files that are there", async () => {
    const broken: string[] = [];
    for (const name of await pages())
      for (const { path } of linksOf(name, await readPage(name)))
        if (!existsSync(join(ROOT, path))) broken.push(`${name} → ${path}`);
    expect(broken).toEqual([]);
  });
});

describe("TOUR", () => {
  it("is ten files in one order, one line each, and each has what its line names", async () => {
    const lines = (await readPage("docs/TOUR.md")).split("\n").filter((line) => /^\d+\. /.test(line));
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const line of lines) {
      const [link] = linksOf("docs/TOUR.md", line);
      const source = await readPage(String(link?.path));
      const names = [...line.matchAll(/`(\w+)`/g)].map(([, name]) => String(name));
      expect(names.length, line).toBeGreaterThan(0);
      for (const name of names)
        expect(source, line).toMatch(new RegExp(`export (const|class|interface|type|function) ${name}\\b`));
    }
  });

  it("its other files are there", async () => {
    const paths = [...(await readPage("docs/TOUR.md")).matchAll(/`((?:src|test)\/[^`]+)`/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) expect(existsSync(join(ROOT, String(path))), path).toBe(true);
  });
});

describe("docs/adr", () => {
  it("has each number once, and its list has each page under its own title", async () => {
    const names = (await readdir(join(ROOT, "docs/adr"))).filter((name) => /^\d/.test(name)).toSorted();
    // Numbers are given out before the pages are written, so one may be missing.
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
    const list = await readPage("docs/adr/README.md");
    for (const name of names) {
      const [title] = (await readPage(`docs/adr/${name}`)).split("\n");
      expect(list).toContain(`[${name.slice(0, 4)}](${name}) ${String(title).replace(/^# \d{4}: /, "")}`);
    }
  });
});
