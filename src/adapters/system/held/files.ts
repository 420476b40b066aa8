/** The recorder's files in their folder: `held-00000001.jsonl`, the highest number the newest. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const NAME = /^held-(\d{8})\.jsonl$/;
const MOST = 99_999_999;

export const fileName = (number: number): string => `held-${String(number).padStart(8, "0")}.jsonl`;

export const filePath = (folder: string, number: number): string => join(folder, fileName(number));

/** In order; what else lies in the folder is told by its name. Throws the system's error. */
export const numbersIn = async (
  folder: string,
): Promise<{ readonly numbers: readonly number[]; readonly strangers: readonly string[] }> => {
  const names = await readdir(folder);
  const numbers = names.flatMap((name) => {
    const [, digits] = NAME.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  // A draft of a file that was being made when its process ended begins with a dot.
  const strangers = names.filter((name) => !NAME.test(name) && !name.startsWith(".")).sort();
  return { numbers: numbers.sort((a, b) => a - b), strangers };
};

export const numberAfter = (numbers: readonly number[]): number | null => {
  const next = (numbers.at(-1) ?? 0) + 1;
  return next > MOST ? null : next;
};
