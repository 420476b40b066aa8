/** Lines out of a stream of bytes, with bounded memory: 200 MB without a newline keep 1 MiB. */
import { isUtf8 } from "node:buffer";

/** Of one line; what is longer is cut and said so. */
const LINE_BYTES = 1024 * 1024;

export interface PrintedLine {
  readonly text: string;
  /** It was longer than `LINE_BYTES`; the rest is gone. */
  readonly cut: boolean;
  /** It was not valid UTF-8; the wrong bytes stand as U+FFFD. */
  readonly lossy: boolean;
}

export interface LineSplitter {
  /** The lines that `chunk` completes. */
  push(chunk: Buffer): Generator<PrintedLine>;
  /** The last line, where none ends it. */
  end(): Generator<PrintedLine>;
}

const NEWLINE = 0x0a;

export const lineSplitter = (limitBytes: number = LINE_BYTES): LineSplitter => {
  let parts: Buffer[] = [];
  let size = 0;
  let cut = false;

  const keep = (piece: Buffer): void => {
    const room = limitBytes - size;
    if (piece.length > room) cut = true;
    const kept = piece.subarray(0, room);
    if (kept.length === 0) return;
    // Copied: a slice would pin the whole chunk it came from.
    parts.push(Buffer.from(kept));
    size += kept.length;
  };
  const take = (): PrintedLine => {
    const line = lineOf(Buffer.concat(parts), cut);
    parts = [];
    size = 0;
    cut = false;
    return line;
  };

  return {
    *push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        const piece = chunk.subarray(from, at);
        from = at + 1;
        if (size === 0 && !cut && piece.length <= limitBytes) {
          yield lineOf(piece, false);
          continue;
        }
        keep(piece);
        yield take();
      }
      keep(chunk.subarray(from));
    },
    *end() {
      if (size > 0 || cut) yield take();
    },
  };
};

const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = "\uFEFF";

const lineOf = (bytes: Buffer, cut: boolean): PrintedLine => {
  const end = !cut && bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const text = bytes.toString("utf8", 0, end);
  return {
    text: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text,
    cut,
    lossy: !cut && text.includes("\uFFFD") && !isUtf8(bytes),
  };
};
