/** Real Git repositories for tests, made by the real git, with fixed authors and times. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

const WHO = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ben",
  GIT_COMMITTER_EMAIL: "ben@example.com",
};
/** 2026-11-30T12:00:00Z, in seconds. */
const FIRST = Date.UTC(2026, 10, 30, 12) / 1000;

/** Nothing of whoever runs the tests gets in. */
const plainEnvironment = (): Record<string, string> => ({
  PATH: String(process.env["PATH"]),
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  LC_ALL: "C",
});

export interface Committing {
  readonly message?: string;
  readonly author?: string;
  /** Seconds after the first. */
  readonly after?: number;
}

export class MadeRepository {
  readonly folder: string;
  #commits = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  git(...words: readonly string[]): string {
    return this.gitWith({}, ...words);
  }

  gitWith(more: Readonly<Record<string, string>>, ...words: readonly string[]): string {
    const at = `@${FIRST + this.#commits * 60} +0000`;
    const time = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
    return execFileSync("git", ["-c", "protocol.file.allow=always", ...words], {
      cwd: this.folder,
      encoding: "utf8",
      env: { ...plainEnvironment(), ...WHO, ...time, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }

  write(files: Readonly<Record<string, string | null>>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.folder, name);
      mkdirSync(dirname(path), { recursive: true });
      if (text === null) rmSync(path);
      else writeFileSync(path, text);
    }
  }

  /** null as a file's text removes it. Gives the commit's id. */
  commit(
    files: Readonly<Record<string, string | null>>,
    { message = "a change", author }: Committing = {},
  ): string {
    this.write(files);
    this.git("add", "--all");
    const by = author === undefined ? {} : { GIT_AUTHOR_NAME: author };
    this.gitWith(by, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message);
    this.#commits += 1;
    return this.head();
  }

  revert(id: string): string {
    this.git("revert", "--no-edit", id);
    this.#commits += 1;
    return this.head();
  }

  head(): string {
    return this.git("rev-parse", "HEAD");
  }

  tree(of = "HEAD"): string {
    return this.git("rev-parse", of.includes(":") ? of : `${of}^{tree}`);
  }
}

export const madeRepository = (format: "sha1" | "sha256" = "sha1"): MadeRepository => {
  const made = new MadeRepository(tempFolder("repository"));
  made.git("init", "-q", "-b", "main", `--object-format=${format}`);
  return made;
};

/** Another clone of it. */
export const cloneOf = (of: MadeRepository, ...words: readonly string[]): MadeRepository => {
  const folder = join(tempFolder("clone"), "clone");
  of.git("clone", "-q", ...words, `file://${of.folder}`, folder);
  return new MadeRepository(folder);
};

export const gitEnvironmentOfTests = plainEnvironment;
