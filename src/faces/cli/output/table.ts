/**
 * A table for people: columns aligned by what a terminal shows of them, the last one cut where the line would wrap.
 * Cells come from outside, so everything in them is made safe to print here.
 */
import { oneLine } from "./one-line.ts";
import type { Style, Tone } from "./style.ts";
import { displayWidth, fitted } from "./width.ts";

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

export interface TableOptions {
  readonly headers: readonly string[] | null;
  readonly style: Style;
  /** The terminal's width; null: nothing is cut. */
  readonly columns: number | null;
}

const GAP = "  ";
/** A last column is never cut below this: a narrow terminal wraps instead. */
const LEAST = 20;
/** Any other column: one long name must not push the rest out of sight. */
const MOST = 48;

/** The lines, without line breaks and without spaces at their ends. */
export const table = (rows: readonly (readonly Cell[])[], options: TableOptions): readonly string[] => {
  const { headers, columns } = options;
  const head: (readonly Cell[])[] = headers === null ? [] : [headers.map((text) => ({ text, tone: "dim" }))];
  const safe = [...head, ...rows].map((row) =>
    row.map((cell) => ({ text: oneLine(cell.text), tone: cell.tone ?? "plain" }) as const),
  );
  const widths = columnWidths(safe, columns);
  return safe.map((row) =>
    row
      .map((cell, at) => drawn(cell, at, row, widths, options.style))
      .join(GAP)
      .trimEnd(),
  );
};

const columnWidths = (rows: readonly (readonly Cell[])[], columns: number | null): readonly number[] => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell.text));
  const last = widths.length - 1;
  if (columns === null || last < 0) return widths;
  for (let at = 0; at < last; at += 1) widths[at] = Math.min(widths[at] ?? 0, MOST);
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  widths[last] = Math.min(widths[last] ?? 0, Math.max(LEAST, columns - before));
  return widths;
};

const drawn = (
  cell: Required<Cell>,
  at: number,
  row: readonly Cell[],
  widths: readonly number[],
  style: Style,
): string => {
  const width = widths[at] ?? 0;
  const text = fitted(cell.text, width);
  const padding = at === row.length - 1 ? "" : " ".repeat(Math.max(0, width - displayWidth(text)));
  return (text === "" ? "" : style(cell.tone, text)) + padding;
};
