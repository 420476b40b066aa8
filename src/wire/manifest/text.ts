/**
 * A text file as YAML 1.2 (core schema; JSON is a part of it), made into plain JSON values. Hostile input costs no more
 * than its length: sizes, nesting and alias expansion are bounded before anything is built from them, and duplicate
 * keys are found by a set (the library compares every pair).
 */
import type { Alias, Document, Node, ParsedNode, Scalar } from "yaml";
import type { JsonValue } from "../../domain/json.ts";
import type { Path } from "./fault.ts";
import { FaultList, shown } from "./fault.ts";

/** Of a stack file, in bytes. */
export const MAX_BYTES = 8 * 1024 * 1024;
const MAX_NESTING = 100;
/** Lexical tokens; an 8 MiB file of ordinary text has about three million. */
const MAX_TOKENS = 5_000_000;
/** Characters and nodes that aliases may add to what the file holds itself. */
const MAX_ALIASED = 8 * 1024 * 1024;

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A fault of the text itself: at an offset, before there are fields. */
export interface TextFault {
  readonly at: Place | null;
  readonly message: string;
}

/** What the file is, in the words of its faults. */
export interface About {
  readonly tooLarge: string;
  readonly second: string;
  readonly directive: string;
  readonly empty: string;
}

const STACK: About = {
  tooLarge: "split the stack",
  second: "a stack file holds exactly one",
  directive: "stack files are YAML 1.2",
  empty: "the file is empty; it needs apiVersion, kind, metadata and steps",
};

/** `order` has the keys under `steps` as the file has them: an object would put `10` before `9a`. */
interface ReadValue {
  readonly value: JsonValue;
  readonly order: readonly string[];
}

export type ReadText = ReadValue | { readonly fault: TextFault } | { readonly faults: FaultList };

type Yaml = typeof import("yaml");
const loadYaml = (): Promise<Yaml> => import("yaml");

/** Bytes as text: UTF-8, at most 8 MiB, a leading byte order mark removed. The fault is one sentence. */
export const decodeText = (bytes: Uint8Array): { readonly text: string } | { readonly fault: string } => {
  if (bytes.length > MAX_BYTES) return { fault: tooLarge(bytes.length, STACK) };
  return utf8(bytes);
};

export const utf8 = (bytes: Uint8Array): { readonly text: string } | { readonly fault: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { fault: "the file is not UTF-8 text; save it as UTF-8" };
  }
};

const tooLarge = (bytes: number, about: About): string =>
  `the file has ${bytes} bytes; at most ${MAX_BYTES} (8 MiB) are allowed, so ${about.tooLarge}`;

/** Where an offset stands, from 1. */
export const placeAt = (text: string, offset: number): Place => {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/** The document with positions, or the first thing that makes the text unreadable. */
const parse = (
  yaml: Yaml,
  text: string,
  about: About,
): { readonly document: Document.Parsed } | { readonly fault: TextFault } => {
  const fault = (offset: number, message: string) => ({ fault: { at: placeAt(text, offset), message } });
  const control = CONTROL.exec(text);
  if (control !== null)
    return fault(
      control.index,
      `there is a control character (${shown(control[0])}) here; this is not a text file`,
    );
  const tokens = [];
  const parser = new yaml.Parser();
  let count = 0;
  const documents: number[] = [];
  for (const lexeme of new yaml.Lexer().lex(text)) {
    count += 1;
    if (count > MAX_TOKENS)
      return fault(parser.offset, `there are more than ${MAX_TOKENS} tokens; ${about.tooLarge}`);
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === "document") documents.push(token.offset);
    }
    if (documents.length > 1) break;
    if (parser.stack.length > MAX_NESTING + 2)
      return fault(parser.offset, `nested deeper than ${MAX_NESTING} levels`);
  }
  for (const token of parser.end()) {
    tokens.push(token);
    if (token.type === "document") documents.push(token.offset);
  }
  const [, second] = documents;
  if (second !== undefined) return fault(second, `there is a second document (---) here; ${about.second}`);
  const directive = tokens.find(
    (token) => token.type === "directive" && !/^%YAML\s+1\.2\s*$/.test(token.source),
  );
  if (directive !== undefined && "offset" in directive)
    return fault(directive.offset, `directives are not supported here; ${about.directive}`);
  const composer = new yaml.Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const [document] = composer.compose(tokens, true, text.length);
  if (document === undefined) return fault(0, about.empty);
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined) return fault(error.pos[0], syntaxMessage(error.code, error.message));
  return { document };
};

const syntaxMessage = (code: string, message: string): string => {
  if (code === "TAG_RESOLVE_FAILED") return "tags are not supported here; write the value without one";
  if (code === "TAB_AS_INDENT") return "a tab cannot indent YAML; use spaces";
  if (code === "NON_STRING_KEY") return "a key must be a text";
  if (code === "BAD_ALIAS") return "an alias (*name) must follow its anchor (&name) and be well formed";
  return `this is not valid YAML: ${shown(message.replace(/\s+/g, " "))}`;
};

/** Whether an integer is still the one that was written: JSON readers, ours included, keep 53 bits. */
const isExact = (value: number, source: string): boolean => {
  if (Number.isSafeInteger(value) || !/^[-+]?(\d+|0x[\da-fA-F]+|0o[0-7]+)$/.test(source)) return true;
  return String(value) === source || BigInt(source.replace(/^[-+]/, "")) === BigInt(Math.abs(value));
};

/** What an anchor stands for, and how much writing it out again adds. */
interface Anchored {
  readonly value: JsonValue;
  readonly weight: number;
  readonly depth: number;
}

/** Turns nodes into plain values; nesting is bounded by `parse`, so recursion is safe here. */
class Plain {
  readonly faults = new FaultList();
  order: readonly string[] = [];
  readonly #yaml: Yaml;
  readonly #anchors = new Map<string, Anchored | "open">();
  #aliased = 0;

  constructor(yaml: Yaml) {
    this.#yaml = yaml;
  }

  value(node: Node | null, path: Path): Anchored {
    if (node === null) return { value: null, weight: 1, depth: 0 };
    if (this.#yaml.isAlias(node)) return this.#alias(node, path);
    const anchor = (node as ParsedNode).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, "open");
    const made = this.#own(node, path);
    if (anchor !== undefined) this.#anchors.set(anchor, made);
    return made;
  }

  #own(node: Node, path: Path): Anchored {
    if (this.#yaml.isMap(node)) return this.#map(node.items as Pairs, path);
    if (this.#yaml.isSeq(node)) return this.#list(node.items as Node[], path);
    return this.#scalar(node as Scalar, path);
  }

  #nothing(path: Path, message: string): Anchored {
    this.faults.add(path, () => message);
    return { value: null, weight: 1, depth: 0 };
  }

  #alias(node: Alias, path: Path): Anchored {
    const anchored = this.#anchors.get(node.source);
    if (anchored === undefined)
      return this.#nothing(path, `there is no anchor &${shown(node.source)} before this alias`);
    if (anchored === "open")
      return this.#nothing(path, `the alias *${shown(node.source)} stands inside its own anchor`);
    if (path.length + anchored.depth > MAX_NESTING)
      return this.#nothing(path, `nested deeper than ${MAX_NESTING} levels`);
    this.#aliased += anchored.weight;
    if (this.#aliased <= MAX_ALIASED) return anchored;
    return this.#nothing(
      path,
      "the aliases (*name) up to here would make the file larger than 8 MiB; write less of it",
    );
  }

  #scalar(node: Scalar, path: Path): Anchored {
    const value = node.value;
    if (typeof value === "string") {
      if (!value.isWellFormed())
        return this.#nothing(path, "this text has half of a surrogate pair; write the character itself");
      return { value, weight: 1 + value.length, depth: 0 };
    }
    if (typeof value !== "number") return { value: value as boolean | null, weight: 1, depth: 0 };
    if (!Number.isFinite(value))
      return this.#nothing(
        path,
        `${shown(String(node.source))} is not a number that JSON has; write it as text in quotes`,
      );
    if (!isExact(value, String(node.source)))
      return this.#nothing(
        path,
        `${shown(String(node.source))} is too large to be kept exactly; write it as text in quotes`,
      );
    return { value, weight: 1, depth: 0 };
  }

  #list(items: readonly Node[], path: Path): Anchored {
    const list: JsonValue[] = [];
    let weight = 1;
    let depth = 0;
    for (const item of items) {
      const made = this.value(item, [...path, list.length]);
      list.push(made.value);
      weight += made.weight;
      depth = Math.max(depth, made.depth + 1);
    }
    return { value: list, weight, depth };
  }

  #map(pairs: Pairs, path: Path): Anchored {
    const object: Record<string, JsonValue> = {};
    const keys = new Set<string>();
    let weight = 1;
    let depth = 0;
    for (const pair of pairs) {
      const key = String(pair.key?.value ?? "");
      const at = [...path, key];
      const refusal = refusedKey(key, keys);
      if (refusal !== undefined) this.faults.add(at, () => refusal);
      keys.add(key);
      const made = this.value(pair.value, at);
      if (refusal === undefined) object[key] = made.value;
      weight += made.weight + key.length;
      depth = Math.max(depth, made.depth + 1);
    }
    if (path.length === 1 && path[0] === "steps") this.order = [...keys];
    return { value: object, weight, depth };
  }
}

type Pairs = readonly { readonly key: Scalar | null; readonly value: Node | null }[];

/** Why a key cannot stand in a file at all. */
export const refusedKey = (key: string, taken: ReadonlySet<string>): string | undefined => {
  if (key === "__proto__") return "the key __proto__ is not allowed";
  if (key === "<<") return "merge keys (<<) are not supported; write the fields out";
  if (taken.has(key)) return `the key ${shown(key)} stands here a second time; remove one`;
  if (!key.isWellFormed()) return "this key has half of a surrogate pair; write the character itself";
  return undefined;
};

/** The value of a text, or why there is none. Never throws. */
export const readYaml = (text: string, about: About = STACK): Promise<ReadText> => openYaml(text, about);

/** The value beside the document that it was made of, for who writes into the text. Never throws. */
export const openYaml = async (
  text: string,
  about: About,
): Promise<
  Exclude<ReadText, { value: JsonValue }> | (ReadValue & { readonly document: Document.Parsed })
> => {
  if (text.length > MAX_BYTES) return { fault: { at: null, message: tooLarge(text.length, about) } };
  const yaml = await loadYaml();
  const parsed = parse(yaml, text, about);
  if ("fault" in parsed) return parsed;
  const plain = new Plain(yaml);
  const { value } = plain.value(parsed.document.contents, []);
  if (!plain.faults.empty) return { faults: plain.faults };
  return { value, order: plain.order, document: parsed.document };
};

/**
 * A function that finds where fields stand in a text: a field of an object at its key, an item of a list at its begin, what
 * is missing at its nearest container. Parses the text once; made only when there is something to point at.
 */
export const locator = async (text: string): Promise<(path: Path) => Place | null> => {
  const yaml = await loadYaml();
  const parsed = text.length > MAX_BYTES ? undefined : parse(yaml, text, STACK);
  if (parsed === undefined || "fault" in parsed) return () => null;
  const { document } = parsed;
  return (path) => {
    let node: Node | null = document.contents;
    let offset = startOf(node);
    for (const key of path) {
      if (yaml.isAlias(node)) node = node.resolve(document) ?? null;
      if (yaml.isMap(node)) {
        // The last of several equal keys is the one that is too many.
        const pair = (node.items as Pairs).findLast((item) => String(item.key?.value ?? "") === String(key));
        if (pair === undefined) break;
        offset = startOf(pair.key) ?? offset;
        node = pair.value;
      } else if (yaml.isSeq(node)) {
        const item = node.items[Number(key)] as Node | undefined;
        if (item === undefined) break;
        offset = startOf(item) ?? offset;
        node = item;
      } else break;
    }
    return placeAt(text, offset ?? 0);
  };
};

const startOf = (node: Node | Scalar | null): number | undefined => node?.range?.[0];

/** Where one field stands in the text of a stack file; null when the text is not readable. */
export const locate = async (text: string, path: Path): Promise<Place | null> => (await locator(text))(path);
