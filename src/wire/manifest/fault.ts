/** What is wrong with a file that a person wrote, and where. */
import { printable } from "../redact/printable.ts";
import { withoutUser } from "../redact/url-user.ts";

export interface Fault {
  readonly file: string;
  /** From 1; null where the file has no lines to point at (an object from a TypeScript file, a missing file). */
  readonly line: number | null;
  readonly column: number | null;
  /** The field as a dotted path (`steps.web.needs.0`); empty for the file as a whole. */
  readonly field: string;
  /** One sentence: what, and what to do. Safe to print. */
  readonly message: string;
}

export type Path = readonly (string | number)[];

/** More than this helps nobody at once. */
export const MAX_FAULTS = 20;

/** `file:line:column: field: message`, as compilers write it; safe to print. */
export const formatFault = (fault: Fault): string => {
  const place = fault.line === null ? "" : `:${fault.line}:${fault.column ?? 1}`;
  const field = fault.field === "" ? "" : `${fault.field}: `;
  return `${printable(fault.file)}${place}: ${field}${fault.message}`;
};

/** The dotted form of a path; long keys are cut, so that a message stays a sentence. */
export const fieldOf = (path: Path): string => path.map((key) => shown(String(key))).join(".");

/** A text from the file inside a message: printable, and at most 60 characters. */
export const shown = (text: string): string => {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return printable(short);
};

interface Found {
  readonly path: Path;
  readonly message: string;
}

/** Collects the first twenty faults and counts the rest: a broken file of any size costs the same to report. */
export class FaultList {
  readonly found: Found[] = [];
  #more = 0;

  /** `message` is only asked for while there is room, so it may be costly to make. */
  add(path: Path, message: () => string): void {
    if (this.found.length < MAX_FAULTS) this.found.push({ path, message: printable(withoutUser(message())) });
    else this.#more += 1;
  }

  get empty(): boolean {
    return this.found.length === 0;
  }

  /** The faults in the file's order, each placed by `place`. */
  placed(file: string, place: (path: Path) => { line: number; column: number } | null): readonly Fault[] {
    const faults = this.found.map(({ path, message }) => {
      const at = place(path);
      return { file, line: at?.line ?? null, column: at?.column ?? null, field: fieldOf(path), message };
    });
    faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    if (this.#more === 0) return faults;
    return [...faults, { file, line: null, column: null, field: "", message: `and ${this.#more} more` }];
  }
}
