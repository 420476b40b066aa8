/** A titled list below a page's main part. */
import { printable } from "../../../wire/redact/printable.ts";
import type { Page } from "./print.ts";

/** Nothing where there are no lines. */
export const block = (title: string, lines: readonly string[], page: Page): readonly string[] =>
  lines.length === 0 ? [] : titled(title, lines, page);

export const titled = (title: string, lines: readonly string[], { style }: Page): readonly string[] => [
  "",
  style("bold", title),
  ...lines.map((line) => `  ${style("dim", printable(line))}`),
];
