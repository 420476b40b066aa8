/** init: a small stack that really applies. Overwrites nothing: if any of its files is there, none is written. */
import { access, mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { nameFault } from "../../../domain/ids.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import { adviceLines } from "../output/next.ts";
import { styleFor } from "../output/style.ts";
import type { Starter } from "../starter/starter.ts";
import { INIT } from "../texts/init.ts";
import { Usage } from "../usage.ts";

interface InitFlags extends Everywhere {
  readonly name?: string;
  readonly example: "exec" | "http";
}

export async function init(this: Cli, flags: InitFlags): Promise<void> {
  const { out, cwd, environment } = this.terminal;
  const starter = await starterFor(
    flags.example,
    flags.name === undefined ? nameOf(cwd) : checked(flags.name),
  );
  await write(cwd, starter);
  const style = styleFor({ isTTY: out.isTTY, environment, color: flags.color });
  const page = { style, columns: null, headers: true, wide: false };
  const told = [
    ...[...starter.files.keys()].map(INIT.wrote),
    ...adviceLines({ next: starter.next, notOffered: [] }, page),
  ];
  out.write(told.map((line) => `${line}\n`).join(""));
}

const starterFor = async (example: InitFlags["example"], name: string): Promise<Starter> =>
  example === "exec"
    ? (await import("../starter/exec.ts")).execStarter(name)
    : (await import("../starter/http.ts")).httpStarter(name);

const checked = (name: string): string => {
  const fault = nameFault(name);
  if (fault !== undefined) throw new Usage(`--name: ${fault}`);
  return name;
};

/** The folder's name, as far as it can be a stack's name. */
const nameOf = (cwd: string): string => {
  const name = basename(cwd)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{Nd}_-]+/gu, "-")
    .replace(/^[^\p{L}\p{Nd}]+/u, "")
    .slice(0, 60);
  return nameFault(name) === undefined ? name : INIT.name;
};

const write = async (cwd: string, { files }: Starter): Promise<void> => {
  for (const other of [...files.keys(), "asfound.ts"])
    if (await exists(join(cwd, other))) throw new Usage(INIT.exists(printable(other)));
  for (const [file, text] of files) {
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      throw new Usage(
        error.code === "EEXIST" ? INIT.exists(file) : INIT.cannotWrite(file, error.code ?? "unknown cause"),
      );
    });
  }
};

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
