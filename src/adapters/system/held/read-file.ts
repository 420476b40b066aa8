/**
 * Reads one file of the recorder, line by line, in little memory. It ends at the first line that is not whole: nothing behind
 * it counts, since a line that is missing there may have said that something ended.
 */
import type { FileHandle } from "node:fs/promises";
import type { HeldRecord } from "../../../domain/held-record.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { Holder } from "../../../domain/lease.ts";
import { FIRST_SUM, MAX_LINE_BYTES, readLine } from "../../../wire/held/line.ts";
import { readHeldRecord } from "../../../wire/held/record.ts";
import { openPlain } from "../read-file.ts";
import { holderIn } from "./header.ts";

/** What was read of a file, up to where it could be. */
export interface ReadFile {
  /** Who writes it; null: it does not say. */
  readonly writer: Holder | null;
  /** `cut`: the last line is not there to its end, as a crash leaves it. */
  readonly end: "whole" | { readonly line: number; readonly why: string; readonly isCut: boolean };
}

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** The fault: the file cannot be opened or read at all, as a clause. */
export const readHeldFile = async (
  path: string,
  take: (record: HeldRecord) => void,
): Promise<ReadFile | { readonly fault: string }> => {
  const file = await openPlain(path);
  if ("fault" in file) return { fault: file.fault };
  try {
    return await new Lines(take).of(file);
  } finally {
    await file.close();
  }
};

type End = Exclude<ReadFile["end"], "whole">;

class Lines {
  readonly #take: (record: HeldRecord) => void;
  #writer: Holder | null = null;
  #sum = FIRST_SUM;
  #line = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(take: (record: HeldRecord) => void) {
    this.#take = take;
  }

  async of(file: FileHandle): Promise<ReadFile> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const end = this.#piece(chunk.subarray(0, bytesRead));
      if (end !== null) return { writer: this.#writer, end };
    }
    const isWhole = this.#restBytes === 0 && this.#line > 0;
    return { writer: this.#writer, end: isWhole ? "whole" : this.#broken("it is cut off", true) };
  }

  #piece(piece: Buffer): End | null {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#rest, piece.subarray(from, at)]).toString("utf8");
      [this.#rest, this.#restBytes, from] = [[], 0, at + 1];
      const end = this.#whole(line);
      if (end !== null) return end;
    }
    // Copied: the chunk is used again.
    this.#rest.push(Buffer.from(piece.subarray(from)));
    this.#restBytes += piece.length - from;
    return this.#restBytes > MAX_LINE_BYTES ? this.#broken(`it has more than ${MAX_LINE_BYTES} bytes`) : null;
  }

  #whole(text: string): End | null {
    const read = readLine(text, this.#sum);
    if ("fault" in read) return this.#broken(read.fault);
    const fault = this.#line === 0 ? this.#header(read.members) : this.#record(read.members);
    if (fault !== null) return this.#broken(fault);
    this.#sum = read.sum;
    this.#line += 1;
    return null;
  }

  #header(members: JsonObject): string | null {
    const header = holderIn(members);
    if ("fault" in header) return header.fault;
    this.#writer = header.writer;
    return null;
  }

  #record(members: JsonObject): string | null {
    const read = readHeldRecord(members);
    if ("fault" in read) return read.fault;
    this.#take(read.record);
    return null;
  }

  #broken(why: string, isCut = false): End {
    return { line: this.#line + 1, why, isCut };
  }
}
