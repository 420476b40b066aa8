/** A recorder's folder as it is read (ports/held-records.ts). Changes nothing, and may be read while it is written. */
import type { HeldRecord } from "../../../domain/held-record.ts";
import type { HeldReader } from "../../../ports/held-records.ts";
import { reasonOf } from "../read-file.ts";
import { fileName, filePath, numbersIn } from "./files.ts";
import { type ReadFile, readHeldFile } from "./read-file.ts";

/** `named`: the folder as the person wrote it. The fault is a sentence: there is nothing to read. */
export const openHeldReader = async (
  folder: string,
  named: string,
): Promise<HeldReader | { readonly fault: string }> => {
  const all = await numbersOf(folder);
  if ("fault" in all) return { fault: `${named} cannot be read: ${all.fault}` };
  if (all.numbers.length === 0)
    return { fault: `${named} has no records of asfound watch (held-*.jsonl); name the folder of its --to` };
  return { read: (fileOf) => readFolder(folder, named, fileOf) };
};

/** By now there may be other files. */
const readFolder = async (
  folder: string,
  named: string,
  fileOf: Parameters<HeldReader["read"]>[0],
): ReturnType<HeldReader["read"]> => {
  const all = await numbersOf(folder);
  if ("fault" in all) return [`${named} cannot be read: ${all.fault}; nothing of it counts`];
  const limits: string[] = [];
  let dropped: string | null = null;
  for (const [at, number] of all.numbers.entries()) {
    const file = fileOf();
    const read = await readHeldFile(filePath(folder, number), (record) => {
      if (record.kind === "dropped") dropped = droppedText(named, record);
      file.take(record);
    });
    file.end();
    const limit = limitOf(read, at === all.numbers.length - 1);
    if (limit !== null) limits.push(`${named}/${fileName(number)}: ${limit}`);
  }
  return dropped === null ? limits : [...limits, dropped];
};

const numbersOf = async (
  folder: string,
): Promise<{ readonly numbers: readonly number[] } | { readonly fault: string }> => {
  try {
    return await numbersIn(folder);
  } catch (error) {
    return { fault: reasonOf(error).why };
  }
};

const limitOf = (read: ReadFile | { readonly fault: string }, isLast: boolean): string | null => {
  if ("fault" in read) return `it cannot be read: ${read.fault}; nothing of it counts`;
  if (read.end === "whole") return null;
  const { line, why, isCut } = read.end;
  // What is being written now looks so too.
  if (isCut && isLast && line > 1) return null;
  return isCut
    ? `line ${line} is cut off, as a crash or a full disk leaves it; what was seen after the line before is not known from this file`
    : `line ${line}: ${why}; nothing of this file from there on counts`;
};

const droppedText = (
  named: string,
  { files, from, to, why }: Extract<HeldRecord, { kind: "dropped" }>,
): string =>
  `of ${named}, ${files} ${files === 1 ? "file" : "files"} of ${new Date(from).toISOString()} to ${new Date(to).toISOString()} were removed (${why})`;
