/** ledger export, import and backup. */
import type { FileHandle } from "node:fs/promises";
import { ledgerBackup, ledgerImport } from "../../../wire/api/ledger.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Place } from "../flags.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { openOrdinary } from "../read-file.ts";
import { LEDGER } from "../texts/ledger.ts";
import { Usage } from "../usage.ts";
import { refuse, whereOf } from "./where.ts";

/** Straight to stdout, line by line: a ledger may be larger than memory. */
export async function ledgerExport(this: Cli, flags: Place & Everywhere): Promise<void> {
  const { exportLedger } = await this.services();
  const opened = await exportLedger(whereOf(this, flags, false));
  if (opened.kind !== "export") return void (await refuse(this, opened));
  try {
    for await (const line of opened.lines) {
      this.terminal.out.write(`${line}\n`);
      await this.terminal.out.ready();
    }
  } finally {
    await opened.close();
  }
}

export async function ledgerImportFrom(this: Cli, flags: Place & PrintFlags, file: string): Promise<void> {
  const { importLedger } = await this.services();
  const imported = await importLedger(whereOf(this, flags, false), await linesOf(this, file));
  if (imported.kind !== "imported") return void (await refuse(this, imported));
  await print(this, flags, {
    page: () => [printable(LEDGER.imported(imported.records, imported.ledgerId, imported.path))],
    json: () => ledgerImport(imported),
  });
}

export async function ledgerBackupTo(this: Cli, flags: Place & PrintFlags, file: string): Promise<void> {
  const { backupLedger } = await this.services();
  const made = await backupLedger(whereOf(this, flags, false), file);
  if (made.kind !== "backed-up") return void (await refuse(this, made));
  await print(this, flags, {
    page: () => [printable(LEDGER.backedUp(made.path))],
    json: () => ledgerBackup(made),
  });
}

const linesOf = async (cli: Cli, file: string): Promise<AsyncIterable<string>> => {
  const { resolve } = await import("node:path");
  return splitLines(await openOrdinary(resolve(cli.terminal.cwd, file), file), file);
};

/** No record comes near it; a file without line breaks must not fill the memory. */
const MOST_LINE_BYTES = 256 * 1024 * 1024;

async function* splitLines(handle: FileHandle, named: string): AsyncIterable<string> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const line = (): string => {
    const text = Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    number += 1;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  };
  for await (const chunk of handle.createReadStream({ highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      from = end + 1;
      yield line();
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MOST_LINE_BYTES)
      throw new Usage(LEDGER.lineTooLong(named, number, MOST_LINE_BYTES / 1024 / 1024));
  }
  if (length > 0) yield line();
}
