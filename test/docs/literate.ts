/**
 * Runs a page of documentation as it stands. Its code blocks, by the words after the language:
 *
 *   ```yaml file=NAME        is written to that file, whatever its language
 *   ```sh run [exit=N]       is run by sh in the page's folder; exit 0 unless said otherwise
 *   ```text output           stands in what the last run printed: its lines in this order, … for anything
 *
 * Other blocks are not looked at. Everything happens in one new folder, where `asfound` is this checkout's.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Block {
  readonly line: number;
  readonly words: readonly string[];
  readonly text: string;
}

export const blocksOf = (page: string): Block[] => {
  const blocks: Block[] = [];
  let open: { line: number; words: string[]; lines: string[] } | null = null;
  for (const [index, line] of page.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === null)
      open = { line: index + 1, words: String(fence[1]).trim().split(/\s+/), lines: [] };
    else {
      blocks.push({ line: open.line, words: open.words, text: `${open.lines.join("\n")}\n` });
      open = null;
    }
  }
  return blocks;
};

export interface Told {
  readonly ran: number;
  /** What did not happen as the page says, each with its line. */
  readonly untrue: readonly string[];
}

/** `page`: the text; `name` is for messages; `variables` are seen by what it runs. */
export const runPage = async (
  name: string,
  page: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Told> => {
  const whole = await mkdtemp(join(tmpdir(), "asfound-docs-"));
  const folder = join(whole, "work");
  try {
    await mkdir(join(whole, "bin"));
    await symlink(join(ROOT, "bin", "asfound"), join(whole, "bin", "asfound"));
    await cp(join(ROOT, "docs", "guide", "examples"), folder, { recursive: true });
    return await runBlocks(name, blocksOf(page), folder, {
      ...environment(join(whole, "bin")),
      ...variables,
    });
  } finally {
    await rm(whole, { recursive: true, force: true });
  }
};

const runBlocks = async (
  name: string,
  blocks: readonly Block[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Told> => {
  const untrue: string[] = [];
  let ran = 0;
  let last = { exit: 0 as number | null, printed: "" };
  for (const { line, words, text } of blocks) {
    const at = `${name}:${line}`;
    const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), file.endsWith(".ts") ? fromSource(text) : text);
    } else if (words.includes("run")) {
      ran += 1;
      last = await run(text, folder, env);
      const wanted = Number(words.find((word) => word.startsWith("exit="))?.slice("exit=".length) ?? 0);
      if (last.exit !== wanted)
        untrue.push(`${at}: exit ${wanted} was promised, and it was ${last.exit}:\n${text}${last.printed}`);
    } else if (words.includes("output")) {
      const missing = missingIn(text, last.printed);
      if (missing !== undefined) untrue.push(`${at}: not printed: ${missing}\nbut:\n${last.printed}`);
    }
  }
  return { ran, untrue };
};

/** The package's own name, as this checkout: a page shows what people write who have installed it. */
const fromSource = (text: string): string =>
  text.replace(
    /from "asfound(?:\/(\w+))?"/g,
    (_, part: string | undefined) => `from ${JSON.stringify(join(ROOT, "src", `${part ?? "index"}.ts`))}`,
  );

/** The first line that is not there after those before it; spaces count as one. */
const missingIn = (promised: string, printed: string): string | undefined => {
  const flat = printed.replace(/\s+/g, " ");
  let from = 0;
  for (const line of promised.split("\n"))
    for (const piece of line.split("…")) {
      const wanted = piece.replace(/\s+/g, " ").trim();
      if (wanted === "") continue;
      const at = flat.indexOf(wanted, from);
      if (at < 0) return wanted;
      from = at + wanted.length;
    }
  return undefined;
};

const run = (script: string, folder: string, env: NodeJS.ProcessEnv) =>
  new Promise<{ exit: number | null; printed: string }>((resolve) => {
    const child = spawn("sh", ["-c", script], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        printed += chunk;
      });
    // As a shell tells a death by signal, whether sh forked or became the command.
    child.once("close", (exit, signal) =>
      resolve({ exit: exit ?? 128 + (signal === null ? 0 : constants.signals[signal]), printed }),
    );
  });

const environment = (bin: string): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => name !== "CI" && !name.startsWith("ASFOUND_"));
  return {
    ...Object.fromEntries(kept),
    PATH: `${bin}:${dirname(process.execPath)}:${process.env["PATH"]}`,
    NO_COLOR: "1",
    USER: "alice",
  };
};

export const readPage = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");
