/**
 * References inside a text, and the text as it is written: `${steps.NAME.outputs.KEY}` (deeper with more dots),
 * `${secret.env.NAME}`, `${secret.file.PATH}`, `${var.NAME}`.
 *
 * There is one escape: of a run of dollars right before a brace, each pair stands for one dollar. So `$${` is a literal
 * `${`, `$$${var.x}` a dollar and a value, and every text can be written (`escapeText`). Dollars elsewhere are
 * ordinary: `$HOME` and `$$` need no care.
 */
import type { StepName } from "./ids.ts";
import { nameFault, stepName } from "./ids.ts";

export type Reference =
  | { readonly kind: "output"; readonly step: StepName; readonly path: readonly string[] }
  | { readonly kind: "env"; readonly name: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "var"; readonly name: string };

/** A string taken apart: literal text (unescaped) and references, in order; neighbours are never both text. */
export type Piece = string | Reference;

const HOW =
  `references are \${steps.NAME.outputs.KEY}, \${secret.env.NAME}, \${secret.file.PATH} and \${var.NAME}; ` +
  `write $\${ for a literal \${`;

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

const readReference = (inside: string): Reference | { readonly fault: string } => {
  if (inside.includes("{"))
    return { fault: `\${${shorten(inside)}} has a reference inside a reference; ${HOW}` };
  const parts = inside.split(".");
  const [kind, second, third] = parts;
  if (
    kind === "var" &&
    parts.length === 2 &&
    second !== undefined &&
    /^[\p{L}_][\p{L}\p{M}\p{Nd}_-]*$/u.test(second)
  )
    return { kind: "var", name: second };
  if (kind === "secret" && second === "env") {
    const name = inside.slice("secret.env.".length);
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { kind: "env", name };
  }
  if (kind === "secret" && second === "file") {
    const path = inside.slice("secret.file.".length);
    if (path !== "" && !path.includes("\0")) return { kind: "file", path };
  }
  if (kind === "steps" && second !== undefined && third === "outputs" && nameFault(second) === undefined) {
    const path = parts.slice(3);
    if (path.length > 0 && path.every((key) => key !== "" && key.trim() === key))
      return { kind: "output", step: stepName(second), path };
  }
  return { fault: `\${${shorten(inside)}} is not a reference; ${HOW}` };
};

/** The pieces of a written string, or one sentence saying what is malformed in it. */
export const readText = (written: string): readonly Piece[] | { readonly fault: string } => {
  if (!written.includes("${")) return written === "" ? [] : [written];
  const pieces: Piece[] = [];
  let text = "";
  let at = 0;
  for (const run of written.matchAll(/\$+\{/g)) {
    if (run.index < at) continue;
    const dollars = run[0].length - 1;
    text += written.slice(at, run.index) + "$".repeat(Math.floor(dollars / 2));
    at = run.index + run[0].length;
    if (dollars % 2 === 0) {
      text += "{";
      continue;
    }
    const close = written.indexOf("}", at);
    if (close < 0) return { fault: `a reference begins with \${ and has no closing }; ${HOW}` };
    const reference = readReference(written.slice(at, close));
    if ("fault" in reference) return reference;
    if (text !== "") pieces.push(text);
    text = "";
    pieces.push(reference);
    at = close + 1;
  }
  text += written.slice(at);
  if (text !== "") pieces.push(text);
  return pieces;
};

/** The reference as it is written. */
export const writeReference = (reference: Reference): string => {
  switch (reference.kind) {
    case "output":
      return `\${steps.${reference.step}.outputs.${reference.path.join(".")}}`;
    case "env":
      return `\${secret.env.${reference.name}}`;
    case "file":
      return `\${secret.file.${reference.path}}`;
    case "var":
      return `\${var.${reference.name}}`;
  }
};

/** A literal text as written: `readText` gives it back. */
export const escapeText = (text: string): string => text.replace(/\$+(?=\{)/g, "$&$&");

/** Pieces as written: `readText` gives them back, neighbouring texts joined. */
export const writeText = (pieces: readonly Piece[]): string => {
  let written = "";
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") {
      text += piece;
      continue;
    }
    // Dollars right before a reference would be taken for its escape.
    written += escapeText(text).replace(/\$+$/, "$&$&") + writeReference(piece);
    text = "";
  }
  return written + escapeText(text);
};
