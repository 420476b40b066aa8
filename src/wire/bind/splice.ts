/**
 * Changes in the text itself: a value is replaced where it stands, and what is missing is written beside its neighbours, so
 * every other byte stays as it was: comments, order, quotes, indentation.
 */
import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Path } from "../manifest/fault.ts";
import { blockOf, entryOf, flowText, quotedText, scalarText } from "./emit.ts";

type Yaml = typeof import("yaml");

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** One document of a text: `start` is where it begins in `text`. */
export class Splicer {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #splices: Splice[] = [];
  #anchored: ReadonlyMap<Alias, Node> | null = null;

  constructor(yaml: Yaml, text: string, document: Document.Parsed) {
    this.#yaml = yaml;
    this.#text = text;
    this.#document = document;
  }

  /** False: there is no place for it. */
  set(path: Path, value: JsonValue): boolean {
    let node: Node | null = this.#document.contents;
    for (const [index, key] of path.entries()) {
      const here = this.#followed(node);
      const rest = path.slice(index + 1);
      if (this.#yaml.isMap(here)) {
        const pair = pairOf(here, key);
        if (pair === undefined) return this.#insert(here, String(key), nested(rest, value));
        const next = this.#followed(pair.value as Node | null);
        const isNothing = next === null || (this.#yaml.isScalar(next) && next.value === null);
        if (isNothing) return this.#fill(pair, nested(rest, value));
        node = pair.value as Node;
      } else if (this.#yaml.isSeq(here)) {
        node = (here.items[Number(key)] as Node | undefined) ?? null;
      } else return false;
    }
    return this.#replace(node, value);
  }

  /** Puts items before the others of a list; makes the list. False: there is no place for it. */
  prepend(path: Path, items: readonly JsonObject[]): boolean {
    let node: Node | null = this.#document.contents;
    for (const [index, key] of path.entries()) {
      const here = this.#followed(node);
      if (!this.#yaml.isMap(here)) return false;
      const pair = pairOf(here, key);
      if (pair === undefined) return this.#insert(here, String(key), nested(path.slice(index + 1), items));
      node = pair.value as Node | null;
      if (node === null || (this.#yaml.isScalar(node) && node.value === null))
        return this.#fill(pair, nested(path.slice(index + 1), items));
    }
    const list = this.#followed(node);
    return this.#yaml.isSeq(list) && this.#before(list, items);
  }

  /** The text with all of it; null: two of the changes meet in one place. */
  done(): string | null {
    const ordered = this.#splices.toSorted((a, b) => a.from - b.from || a.to - b.to);
    const parts: string[] = [];
    let at = 0;
    let last: Splice | null = null;
    for (const splice of ordered) {
      if (last !== null && splice.from === last.from && splice.to === last.to && splice.text === last.text)
        continue;
      if (splice.from < at) return null;
      parts.push(this.#text.slice(at, splice.from), splice.text);
      at = splice.to;
      last = splice;
    }
    return parts.join("") + this.#text.slice(at);
  }

  #splice(from: number, to: number, text: string): true {
    const eol = this.#text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
    this.#splices.push({ from, to, text: eol });
    return true;
  }

  #replace(node: Node | null, value: JsonValue): boolean {
    const range = node?.range;
    if (node === null || range === null || range === undefined) return false;
    if (this.#yaml.isCollection(node) || Array.isArray(value)) return false;
    const scalar = value as string | boolean | number | null;
    const type = this.#yaml.isAlias(node) ? "PLAIN" : (node as Scalar).type;
    const written = this.#text.slice(range[0], range[1]);
    if (type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED")
      return this.#splice(range[0], range[1], `${scalarText(scalar)}${written.endsWith("\n") ? "\n" : ""}`);
    const text =
      typeof scalar !== "string" || type === "PLAIN"
        ? scalarText(scalar)
        : type === "QUOTE_SINGLE"
          ? `'${scalar.replaceAll("'", "''")}'`
          : quotedText(scalar);
    return this.#splice(range[0], range[1], text);
  }

  /** `key:` without a value gets one in the same line, before a comment that stands there. */
  #fill(pair: Pair, value: JsonValue): boolean {
    const key = pair.key as Scalar;
    const node = pair.value as Node | null;
    const end = key.range?.[1];
    if (end === undefined) return false;
    const range = node?.range;
    const isWritten = range !== null && range !== undefined && range[1] > range[0];
    if (isWritten) return this.#splice(range[0], range[1], flowText(value));
    const colon = /^\s*:/.exec(this.#text.slice(end, end + 100));
    if (colon === null) return false;
    const after = end + colon[0].length;
    return this.#splice(after, after, ` ${flowText(value)}`);
  }

  #insert(map: YAMLMap, key: string, value: JsonValue): boolean {
    if (map.flow === true) return this.#insertInFlow(map, `${quotedText(key)}: ${flowText(value)}`);
    const first = (map.items[0] as Pair | undefined)?.key as Scalar | undefined;
    const start = first?.range?.[0];
    if (start === undefined) return false;
    const lineStart = this.#lineStart(start);
    const before = this.#text.slice(lineStart, start);
    const indent = " ".repeat(start - lineStart);
    const entry = entryOf(key, value, indent);
    const behind = this.#behindKind(map);
    if (behind !== null) return this.#splice(behind, behind, `\n${indent}${entry}`);
    if (before.trim() !== "") return this.#splice(start, start, `${entry}\n${indent}`);
    const above = this.#aboveComments(lineStart);
    return this.#splice(above, above, `${indent}${entry}\n`);
  }

  /** Of an object itself, new fields come after its `kind`: the end of that line. */
  #behindKind(map: YAMLMap): number | null {
    const kind = pairOf(map, "kind");
    if (kind === undefined || pairOf(map, "apiVersion") === undefined) return null;
    const value = kind.value as Scalar | null;
    if (value === null || !this.#yaml.isScalar(value) || value.type?.startsWith("BLOCK") === true)
      return null;
    const end = value.range?.[1];
    if (end === undefined) return null;
    const line = this.#text.indexOf("\n", end);
    const stop = line < 0 ? this.#text.length : line;
    return this.#text[stop - 1] === "\r" ? stop - 1 : stop;
  }

  #insertInFlow(map: YAMLMap | YAMLSeq, entry: string): boolean {
    const range = map.range;
    if (range === null || range === undefined) return false;
    const [open, close] = [range[0], range[1]];
    const item = map.items[0];
    const first = (this.#yaml.isPair(item) ? item.key : item) as Node | undefined;
    const start = first?.range?.[0];
    const inner = this.#text.slice(open + 1, close - 1);
    if (start === undefined) {
      const [from, to] = inner.trim() === "" ? [open + 1, close - 1] : [open + 1, open + 1];
      return this.#splice(from, to, entry);
    }
    const gap = this.#text.slice(open + 1, start);
    const between = gap.trim() === "" && gap.includes("\n") ? gap.replaceAll("\r", "") : " ";
    return this.#splice(start, start, `${entry},${between}`);
  }

  #before(list: YAMLSeq, items: readonly JsonObject[]): boolean {
    if (list.flow === true) return this.#insertInFlow(list, items.map(flowText).join(", "));
    const start = list.range?.[0];
    if (start === undefined) return false;
    const indent = " ".repeat(start - this.#lineStart(start));
    const text = items.map((item) => `- ${blockOf(item, `${indent}  `)}\n${indent}`).join("");
    return this.#splice(start, start, text);
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Comments directly above a line belong to it. */
  #aboveComments(lineStart: number): number {
    let start = lineStart;
    while (start > 0) {
      const above = this.#lineStart(start - 1);
      if (!/^[ \t]*#/.test(this.#text.slice(above, start))) break;
      start = above;
    }
    return start;
  }

  #followed(node: Node | null): Node | null {
    if (!this.#yaml.isAlias(node)) return node;
    this.#anchored ??= this.#anchors();
    return this.#anchored.get(node) ?? null;
  }

  /** What each alias stands for: the last node before it that has the anchor. */
  #anchors(): ReadonlyMap<Alias, Node> {
    const named = new Map<string, Node>();
    const anchored = new Map<Alias, Node>();
    this.#yaml.visit(this.#document, {
      Node: (_, node) => {
        if (this.#yaml.isAlias(node)) {
          const meant = named.get(node.source);
          if (meant !== undefined) anchored.set(node, meant);
        } else if (node.anchor !== undefined) named.set(node.anchor, node);
      },
    });
    return anchored;
  }
}

const pairOf = (map: YAMLMap, key: string | number): Pair | undefined =>
  (map.items as Pair[]).find((pair) => String((pair.key as Scalar | null)?.value ?? "") === String(key));

/** `value` inside the mappings of `path`. */
const nested = (path: Path, value: JsonValue): JsonValue =>
  path.toReversed().reduce((inner: JsonValue, key): JsonValue => ({ [key]: inner }), value);
