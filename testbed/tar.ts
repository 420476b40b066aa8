/** Writes tar archives (ustar), the same bytes for the same files: no times, no owners. */

export interface TarEntry {
  /** Without a leading slash; up to 100 bytes. */
  readonly path: string;
  readonly mode: number;
  /** Null: a folder. */
  readonly content: Buffer | null;
}

const BLOCK = 512;

export const tar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ path, mode, content }) => [
      header(content === null ? `${path}/` : path, mode, content),
      ...(content === null ? [] : [content, Buffer.alloc(-content.length & (BLOCK - 1))]),
    ]),
    // Two empty blocks end an archive.
    Buffer.alloc(2 * BLOCK),
  ]);

/** POSIX.1-1988 ustar: fixed fields, numbers in octal, and a sum over the header with the sum's own field blank. */
const header = (path: string, mode: number, content: Buffer | null): Buffer => {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar header`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, width: number): void => {
    block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  };
  block.write(path, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content?.length ?? 0, 124, 12);
  octal(0, 136, 12);
  block.write(" ".repeat(8), 148);
  block.write(content === null ? "5" : "0", 156);
  block.write("ustar\0" + "00", 257, "latin1");
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
};
