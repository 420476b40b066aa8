/** `SHA256SUMS` as `sha256sum` writes and checks it: one line a file, in C order, names that need no escape. */
import type { Digest } from "../../domain/ids.ts";
import { digest } from "../../domain/ids.ts";

/** The parts of a path that asfound writes: they mean the same to every shell, and nothing above them. */
const PART = /^[A-Za-z0-9_][A-Za-z0-9._,-]{0,199}$/;
const MOST_PARTS = 6;

/** What a run may hold besides what the store itself writes: `report.json`, `question.json`, `snapshot/…`. */
export const isRunPath = (path: string): boolean => {
  const parts = path.split("/");
  return (
    parts.length <= MOST_PARTS &&
    parts.every((part) => PART.test(part)) &&
    (parts[0] === "snapshot" ? parts.length > 1 : path === "report.json" || path === "question.json")
  );
};

export const hexOf = (full: Digest): string => full.slice("sha256:".length);
export const digestOfHex = (hex: string): Digest => digest(`sha256:${hex}`);

export const sumsText = (files: ReadonlyMap<string, Digest>): string =>
  [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, its]) => `${hexOf(its)}  ${path}\n`)
    .join("");

const LINE = /^([0-9a-f]{64}) {2}(.+)$/;

/** The fault is a clause. */
export const readSums = (
  text: string,
): { readonly files: ReadonlyMap<string, Digest> } | { readonly fault: string } => {
  const files = new Map<string, Digest>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, hex, path] = LINE.exec(line) ?? [];
    if (hex === undefined || path === undefined || !isRunPath(path))
      return { fault: "has a line that asfound does not write" };
    files.set(path, digestOfHex(hex));
  }
  // In order, each once, and the last line whole: anything else is another text.
  return sumsText(files) === text ? { files } : { fault: "is not as asfound writes it" };
};
