/**
 * Writes a recorder's folder (ports/held-records.ts): files that are appended to by the one process that made them, and never
 * by another, so that a line that was cut by a crash stays the last of its file.
 *
 * Who writes is who made the newest file (O_EXCL, its first line there from the first moment). Another one begins a newer
 * file only when that one has said that it ended, is proven dead on this host (N1), or has left its file untouched for a
 * while; and whoever finds a newer file than its own has lost the folder.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, stat, unlink } from "node:fs/promises";
import type { Dropped, HeldRecord } from "../../../domain/held-record.ts";
import type { Instant } from "../../../domain/ids.ts";
import type { Holder } from "../../../domain/lease.ts";
import type { Clock } from "../../../ports/clock.ts";
import { HeldFault, type HeldWriter } from "../../../ports/held-records.ts";
import type { Host } from "../../../ports/host.ts";
import { FIRST_SUM, lineOf } from "../../../wire/held/line.ts";
import { heldRecordJson } from "../../../wire/held/record.ts";
import { reasonOf } from "../read-file.ts";
import { createFile, syncFolder } from "../write-file.ts";
import { fileName, filePath, numberAfter, numbersIn } from "./files.ts";
import { headerOf } from "./header.ts";
import { readHeldFile } from "./read-file.ts";
import { overdue } from "./retention.ts";

export interface WriterOptions {
  readonly folder: string;
  readonly host: Host;
  readonly clock: Clock;
  readonly actor: string;
  readonly keepMs: number;
  readonly maxBytes: number;
  readonly stop: AbortSignal;
  /** Told what takes time, in a sentence. */
  readonly note: (text: string) => void;
}

export type OpenedWriter =
  | { readonly kind: "opened"; readonly writer: HeldWriter }
  /** Somebody else writes there; a clause. */
  | { readonly kind: "held"; readonly why: string }
  /** A clause. */
  | { readonly kind: "fault"; readonly why: string };

/** A writer touches its file at least this often (`alive`), whatever it sees. */
const SILENT_MS = 90_000;
const POLL_MS = 5_000;

export const openHeldWriter = async (options: WriterOptions): Promise<OpenedWriter> => {
  const { folder } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { numbers, strangers } = await numbersIn(folder);
    if (strangers.length > 0)
      return {
        kind: "fault",
        why: `it holds other files than a recorder's (${strangers.slice(0, 3).join(", ")}); name a folder of its own`,
      };
    const last = numbers.at(-1) ?? null;
    const taken = last === null ? null : await takenBy(options, last);
    if (taken !== null) return { kind: "held", why: taken };
    return await begun(options, numbers);
  } catch (error) {
    return { kind: "fault", why: error instanceof HeldFault ? error.message : reasonOf(error).why };
  }
};

/** Why the newest file is somebody's who may still write; null: it is not. */
const takenBy = async (options: WriterOptions, last: number): Promise<string | null> => {
  const path = filePath(options.folder, last);
  let ended = false;
  const read = await readHeldFile(path, (record) => {
    ended = record.kind === "ended";
  });
  if ("fault" in read) throw new HeldFault(`${fileName(last)} cannot be read: ${read.fault}`);
  if (ended || read.writer === null) return null;
  const { writer } = read;
  const alive = options.host.isAlive(writer);
  if (alive.kind === "known") return alive.value ? `${whoText(writer)} records into it` : null;
  options.note(
    `${whoText(writer)} recorded into it last, and whether it still does cannot be told from here: its file is watched for ${SILENT_MS / 1_000} s`,
  );
  return (await isSilent(options, path)) ? null : `${whoText(writer)} records into it`;
};

const whoText = ({ actor, host, pid }: Holder): string => `${actor} on ${host} (pid ${pid})`;

const isSilent = async ({ clock, stop }: WriterOptions, path: string): Promise<boolean> => {
  const before = await touchedAt(path);
  const untilMs = clock.monotonicMs() + SILENT_MS;
  while (clock.monotonicMs() < untilMs) {
    await clock.sleep(POLL_MS, stop);
    if (stop.aborted || (await touchedAt(path)) !== before) return false;
  }
  return true;
};

const touchedAt = async (path: string): Promise<string> => {
  const { mtimeMs, size } = await stat(path);
  return `${mtimeMs} ${size}`;
};

const begun = async (options: WriterOptions, numbers: readonly number[]): Promise<OpenedWriter> => {
  const number = numberAfter(numbers);
  if (number === null) throw new HeldFault("it has as many files as a recorder numbers; name a new folder");
  const made = await makeFile(options, number);
  const newest = (await numbersIn(options.folder)).numbers.at(-1);
  if (made === null || newest !== number) {
    await made?.handle.close();
    if (made !== null) await unlink(filePath(options.folder, number));
    return { kind: "held", why: "somebody else has just begun to record into it" };
  }
  return { kind: "opened", writer: new FolderWriter(options, made) };
};

/** A file that is being written. */
interface Made {
  readonly number: number;
  readonly handle: FileHandle;
  bytes: number;
  sum: string;
}

/** null: it is there already. */
const makeFile = async (options: WriterOptions, number: number): Promise<Made | null> => {
  const path = filePath(options.folder, number);
  const { line, sum } = lineOf(headerOf(options.host.self(options.actor)), FIRST_SUM);
  const text = `${line}\n`;
  if (!(await createFile(path, text, 0o600))) return null;
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  return { number, handle, bytes: Buffer.byteLength(text), sum };
};

/** A file is begun anew when it is older, so that retention has something to remove. */
const MOST_DAYS_MS = 24 * 60 * 60_000;
/** In so many files at least is what may be kept divided. */
const PARTS = 8;

class FolderWriter implements HeldWriter {
  readonly #options: WriterOptions;
  #file: Made;
  /** When this file got its first records; null: it has none. */
  #since: Instant | null = null;
  /** How large it was with what it began with. */
  #wholeBytes = 0;
  #dropped: Dropped | null = null;
  #isBroken = false;

  constructor(options: WriterOptions, file: Made) {
    this.#options = options;
    this.#file = file;
  }

  async left(take: (record: HeldRecord) => void): Promise<boolean> {
    const { numbers } = await numbersIn(this.#options.folder);
    // One that was ended before it saw anything left nothing.
    for (const number of numbers.filter((one) => one < this.#file.number).reverse()) {
      let began = false;
      const read = await readHeldFile(filePath(this.#options.folder, number), (record) => {
        began ||= record.kind === "began";
        if (record.kind === "dropped") this.#dropped = record;
        if (began) take(record);
      });
      if ("fault" in read) throw new HeldFault(`${fileName(number)} cannot be read: ${read.fault}`);
      const isTrusted = read.end === "whole" || read.end.isCut;
      if (began || !isTrusted) return isTrusted;
    }
    return true;
  }

  async append(
    records: readonly HeldRecord[],
    at: Instant,
    whole: () => readonly HeldRecord[],
  ): Promise<void> {
    await this.#orFault(async () => {
      await this.#checkOwn();
      if (this.#since === null) await this.#first(at, whole());
      else if (this.#isFull(at)) await this.#next(at, whole());
      await this.#write(records);
    });
  }

  async alive(): Promise<void> {
    await this.#orFault(async () => {
      await this.#checkOwn();
      const seconds = this.#options.clock.now() / 1_000;
      await this.#file.handle.utimes(seconds, seconds);
    });
  }

  async end(why: string): Promise<void> {
    try {
      if (!this.#isBroken) await this.#write([{ kind: "ended", why }]);
    } catch {
      // It ends all the same, and its file says no more than it does.
    } finally {
      await this.#file.handle.close();
    }
  }

  /** After a write that failed, what the file ends with is not known: nothing is written behind it. */
  async #orFault(doing: () => Promise<void>): Promise<void> {
    if (this.#isBroken) throw new HeldFault("an earlier record could not be kept");
    try {
      await doing();
    } catch (error) {
      this.#isBroken = true;
      throw error instanceof HeldFault ? error : new HeldFault(reasonOf(error).why, { cause: error });
    }
  }

  async #checkOwn(): Promise<void> {
    const { handle, number } = this.#file;
    if ((await handle.stat()).nlink === 0) throw new HeldFault(`${fileName(number)} was removed meanwhile`);
    const newest = (await numbersIn(this.#options.folder)).numbers.at(-1);
    if (newest !== number) throw new HeldFault("another recorder has taken the folder over");
  }

  #isFull(at: Instant): boolean {
    const { maxBytes, keepMs } = this.#options;
    const age = this.#since === null ? 0 : at - this.#since;
    // What it began with is written anew each time: it must not be most of what is written.
    const room = Math.max(maxBytes / PARTS, 2 * this.#wholeBytes);
    return this.#file.bytes > room || age > Math.min(MOST_DAYS_MS, keepMs / 2);
  }

  async #next(at: Instant, whole: readonly HeldRecord[]): Promise<void> {
    const made = await makeFile(this.#options, this.#file.number + 1);
    if (made === null) throw new HeldFault("another recorder has taken the folder over");
    const before = this.#file;
    this.#file = made;
    await before.handle.close();
    await this.#first(at, whole);
  }

  /** What a file begins with; then what is too old, or too much, is removed, after it is said. */
  async #first(at: Instant, whole: readonly HeldRecord[]): Promise<void> {
    const { maxBytes, folder, keepMs } = this.#options;
    this.#since = at;
    await this.#write([...whole, ...(this.#dropped === null ? [] : [this.#dropped])]);
    this.#wholeBytes = this.#file.bytes;
    if (this.#wholeBytes > maxBytes / PARTS)
      throw new HeldFault(
        `what is held takes ${this.#wholeBytes} bytes, more than an eighth of --max-size (${maxBytes} bytes); allow more, or record less`,
      );
    const room = Math.max(maxBytes / PARTS, 2 * this.#wholeBytes);
    const due = await overdue(folder, { current: this.#file.number, at, keepMs, maxBytes: maxBytes - room });
    if (due === null) return;
    this.#dropped = droppedBy(this.#dropped, due);
    await this.#write([this.#dropped]);
    for (const number of due.numbers) await unlink(filePath(folder, number));
    await syncFolder(folder);
  }

  async #write(records: readonly HeldRecord[]): Promise<void> {
    if (records.length === 0) return;
    let { sum } = this.#file;
    const lines: string[] = [];
    for (const record of records) {
      const made = lineOf(heldRecordJson(record), sum);
      lines.push(`${made.line}\n`);
      sum = made.sum;
    }
    const bytes = Buffer.from(lines.join(""));
    for (let done = 0; done < bytes.length; )
      done += (await this.#file.handle.write(bytes, done, bytes.length - done, null)).bytesWritten;
    await this.#file.handle.datasync();
    this.#file.sum = sum;
    this.#file.bytes += bytes.length;
  }
}

type Due = NonNullable<Awaited<ReturnType<typeof overdue>>>;

/** One record tells of all that were ever removed; one that is still there though it was told is not counted again. */
const droppedBy = (before: Dropped | null, due: Due): Dropped => {
  const fresh = due.numbers.filter((number) => before === null || number > before.through);
  return {
    kind: "dropped",
    through: Math.max(due.through, before === null ? 0 : before.through),
    files: fresh.length + (before === null ? 0 : before.files),
    bytes: (fresh.length === 0 ? 0 : due.bytes) + (before === null ? 0 : before.bytes),
    from: before === null ? due.from : before.from,
    to: due.to,
    why: due.why,
  };
};
