/** The forms in which one secret turns up in output: as it is, and as the usual encodings write it. */
import { Buffer } from "node:buffer";

/** Beyond this length only the likeliest forms are made, so that a large key file does not cost hundreds of megabytes. */
const LONG = 65_536;
/** A single line of a multi-line secret is a secret of its own from this length on. */
const LINE = 8;
/** Shorter pieces of an encoding would match by chance. */
const PIECE = 6;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asciiJson = (text: string): string =>
  inJson(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const htmlJson = (text: string): string =>
  inJson(text).replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

const urlForms = (text: string): readonly string[] => {
  const plain = encodeURIComponent(text.toWellFormed());
  const strict = plain.replace(/[!'()*]/g, (unit) => `%${unit.charCodeAt(0).toString(16).toUpperCase()}`);
  const upper = [plain, strict, plain.replaceAll("%20", "+"), strict.replaceAll("%20", "+")];
  return [...upper, ...upper.map((form) => form.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()))];
};

/**
 * The part of its base64 that is the same whatever stands before and after the secret, for each of the three ways it can
 * fall on the groups of three bytes (`user:password` in a Basic header, a line of a config file).
 */
const base64Forms = (bytes: Uint8Array): readonly string[] => {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    forms.push(text.slice(first, end));
  }
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
};

/** All forms of one secret text, itself first; may hold doubles. */
export const formsOf = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim().length >= LINE);
  const whole = bytes.toString("base64").replace(/=+$/, "");
  const likely = [text, inJson(text), ...lines, ...lines.map(inJson), whole];
  if (text.length > LONG) return likely;
  const pieces = base64Forms(bytes).filter((form) => form.length >= PIECE);
  const hex = bytes.toString("hex");
  return [
    ...likely,
    inJson(inJson(text)),
    asciiJson(text),
    htmlJson(text),
    text.replace(/[&<>"']/g, (unit) => String(ENTITIES.get(unit))),
    text.replaceAll("'", "'\\''"),
    ...urlForms(text),
    ...pieces,
    hex,
    hex.toUpperCase(),
  ];
};
