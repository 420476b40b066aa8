/**
 * E5: known secret values, taken out of everything that is stored or shown.
 *
 * A value of four characters or more is found anywhere: plain, wrapped over lines, one line of several, escaped for JSON
 * (once and twice), URLs, HTML and a shell, in base64 (wherever it falls) and hex. A shorter one would tear up ordinary
 * text, so it is replaced only where it is a whole JSON string; elsewhere only its key can protect it.
 * What is not found: a secret cut in pieces by other text, encrypted, compressed, or encoded otherwise.
 *
 * Scrub first, shorten after: half a secret is not recognised.
 */
import type { JsonValue } from "../../domain/json.ts";
import { formsOf } from "./forms.ts";
import { ManyWords, unwrapped } from "./many-words.ts";
import { mapJson } from "./map-json.ts";

/** What stands in a text where a secret was. */
export const SECRET_MARK = "[secret]";
/** The shortest value that is looked for inside other text. */
const SHORTEST = 4;

export class Scrubber {
  readonly #whole = new Set<string>();
  readonly #words = new Set<string>();
  /** Built at the first use after an `add`. */
  #finder: ManyWords | null = null;

  /** Every text and number in `value` is a secret from now on. */
  add(value: JsonValue): void {
    mapJson(value, (part) => {
      if (typeof part === "string") this.#addText(part);
      if (typeof part === "number") this.#addText(String(part));
      return undefined;
    });
  }

  #addText(text: string): void {
    if (text === "" || this.#whole.has(text)) return;
    this.#whole.add(text);
    if (text.trim().length < SHORTEST) return;
    for (const form of formsOf(text)) {
      const word = unwrapped(form);
      if (word.length >= SHORTEST) this.#words.add(word);
    }
    this.#finder = null;
  }

  /** `text` with each secret in it replaced by `[secret]`. Linear in the text. */
  text(text: string): string {
    if (this.#words.size === 0) return text;
    this.#finder ??= new ManyWords(this.#words);
    let clean = "";
    let from = 0;
    for (const [start, end] of this.#finder.find(text)) {
      clean += text.slice(from, start) + SECRET_MARK;
      from = end;
    }
    return clean + text.slice(from);
  }

  /** The same for every string, number and key of a value. Keys that become equal are numbered, none is lost. */
  json(value: JsonValue): JsonValue {
    if (this.#whole.size === 0) return value;
    return mapJson(
      value,
      (part) => {
        if (typeof part === "string") return this.#whole.has(part) ? SECRET_MARK : this.text(part);
        if (typeof part === "number" && this.#hides(part)) return SECRET_MARK;
        return undefined;
      },
      (key, taken) => unused(this.#whole.has(key) ? SECRET_MARK : this.text(key), taken),
    );
  }

  #hides(number: number): boolean {
    const text = String(number);
    return this.text(text) !== text;
  }
}

const unused = (key: string, taken: object): string => {
  if (!Object.hasOwn(taken, key)) return key;
  let count = 2;
  while (Object.hasOwn(taken, `${key}#${count}`)) count += 1;
  return `${key}#${count}`;
};
