import { printable } from "../../../wire/redact/printable.ts";

/** Safe to print, and as wide as its characters: a tab would move what stands behind it to a column of its own. */
export const oneLine = (text: string): string => printable(text).replaceAll("\t", " ");
