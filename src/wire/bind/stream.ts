/** A text of manifests: YAML documents, JSON, Lists; each object with where it stands, and the text with changes made in it. */
import type { Document } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { sameJson } from "../../domain/same-json.ts";
import { type Fault, fieldOf, type Path } from "../manifest/fault.ts";
import { locator, openYaml, placeAt } from "../manifest/text.ts";
import type { CheckedManifest } from "./check.ts";
import { blockOf, flowText } from "./emit.ts";
import { type Edit, edited } from "./manifest.ts";
import { Splicer } from "./splice.ts";

const ABOUT = {
  tooLarge: "split the file",
  second: "one document holds one object",
  directive: "manifests are YAML 1.2",
  empty: "it is empty",
};

interface StreamDocument {
  /** Where its text begins in the whole. */
  readonly start: number;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly value: JsonObject;
}

interface Standing extends CheckedManifest {
  /** Index of the document. */
  readonly document: number;
  /** Where the object stands in its document. */
  readonly within: Path;
}

export interface Stream {
  readonly file: string;
  readonly text: string;
  readonly documents: readonly StreamDocument[];
  readonly manifests: readonly Standing[];
  /** The document that is a kustomize function's ResourceList; null: none is. */
  readonly resourceList: JsonObject | null;
}

/** `---` at the beginning of a line always parts documents, inside a block of text too (YAML 1.2, 9.1.2). */
const partsOf = (text: string): readonly { readonly start: number; readonly text: string }[] => {
  const parts: { start: number; text: string }[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/^---(?=\s|$)/gm)) {
    parts.push({ start, text: text.slice(start, index) });
    start = index + 3;
  }
  return [...parts, { start, text: text.slice(start) }].filter((one) =>
    /^[ \t]*[^#\s]/m.test(one.text.replace(/^\.\.\.[ \t]*$/gm, "")),
  );
};

/** Objects of a List or ResourceList, each with its place; else the object itself. */
const standingIn = (value: JsonObject): readonly Path[] => {
  const { kind, items } = value;
  const isList = kind === "List" || isResourceList(value);
  return isList && Array.isArray(items) ? [...items.keys()].map((index) => ["items", index]) : [[]];
};

const isResourceList = ({ kind, apiVersion }: JsonObject): boolean =>
  kind === "ResourceList" && String(apiVersion).startsWith("config.kubernetes.io/");

const objectFault = (value: JsonValue | undefined): string | undefined =>
  isJsonObject(value) && typeof value["kind"] === "string" && typeof value["apiVersion"] === "string"
    ? undefined
    : "this is not a Kubernetes object: it needs apiVersion and kind";

/** A leading byte order mark is no part of `text`. */
export const openStream = async (
  text: string,
  file: string,
): Promise<Stream | { readonly faults: readonly Fault[] }> => {
  const documents: StreamDocument[] = [];
  const manifests: Standing[] = [];
  let resourceList: JsonObject | null = null;
  for (const part of partsOf(text)) {
    const moved = (at: { line: number; column: number }) => {
      const start = placeAt(text, part.start);
      return { line: at.line + start.line - 1, column: at.column + (at.line === 1 ? start.column - 1 : 0) };
    };
    const read = await openYaml(part.text, ABOUT);
    const fault = (line: number | null, column: number | null, field: string, message: string) => ({
      faults: [{ file, line, column, field, message }],
    });
    if ("faults" in read) {
      const locate = await locator(part.text);
      const placed = (path: Path) => {
        const at = locate(path);
        return at === null ? null : moved(at);
      };
      return { faults: read.faults.placed(file, placed) };
    }
    if ("fault" in read) {
      const at = read.fault.at === null ? null : moved(read.fault.at);
      return fault(at?.line ?? null, at?.column ?? null, "", read.fault.message);
    }
    const { value, document } = read;
    const wrong = objectFault(value);
    if (wrong !== undefined || !isJsonObject(value)) {
      const at = placeAt(text, part.start + firstOf(document));
      return fault(at.line, at.column, "", String(wrong));
    }
    if (isResourceList(value)) resourceList = value;
    const index = documents.length;
    documents.push({ ...part, document, value });
    for (const within of standingIn(value)) {
      const object = within.reduce((here: JsonValue | undefined, key) => child(here, key), value);
      const none = objectFault(object);
      const place = (path: Path) => {
        const offset = offsetIn(document, [...within, ...path]);
        return offset === null ? null : placeAt(text, part.start + offset);
      };
      if (none !== undefined || !isJsonObject(object)) {
        const at = place([]);
        return fault(at?.line ?? null, at?.column ?? null, fieldOf(within), String(none));
      }
      const own = within.length === 0 ? part.text : null;
      manifests.push({ object, file, place, text: own, document: index, within });
    }
  }
  return { file, text, documents, manifests, resourceList };
};

const firstOf = ({ contents }: Document.Parsed): number => (contents === null ? 0 : contents.range[0]);

const child = (value: JsonValue | undefined, key: string | number): JsonValue | undefined =>
  Array.isArray(value) ? (value[Number(key)] as JsonValue) : isJsonObject(value) ? value[key] : undefined;

/** Of a field's value, or of what is nearest to it. */
const offsetIn = (document: Document.Parsed, path: Path): number | null => {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range =
      typeof node === "object" && node !== null ? (node as { range?: number[] }).range : undefined;
    if (range?.[0] !== undefined) return range[0];
  }
  return null;
};

export interface Changes {
  /** Their `manifest` is an index into the stream's own. */
  readonly edits: readonly Edit[];
  readonly added: readonly JsonObject[];
  /** For a ResourceList: what the function has to say. */
  readonly results: readonly JsonObject[];
}

/**
 * The text with the changes in it, read again to see that it says exactly what was meant: an anchor can carry a change to
 * where it was not meant to go.
 */
export const changedText = async (
  stream: Stream,
  { edits, added, results }: Changes,
): Promise<{ readonly text: string } | { readonly fault: Fault }> => {
  if (edits.length === 0 && added.length === 0 && results.length === 0) return { text: stream.text };
  const written = await write(stream, edits, added, results);
  if ("fault" in written) return written;
  const again = await openStream(written.text, stream.file);
  const meant = [
    ...added,
    ...edited(
      stream.manifests.map(({ object }) => object),
      edits,
    ),
  ];
  if (!("faults" in again)) {
    const found = again.manifests.map(({ object }) => object);
    const unlike = meant.findIndex((object, index) => !sameJson(object, found[index]));
    if (unlike < 0 && found.length === meant.length) return written;
    const manifest = stream.manifests[Math.max(0, unlike - added.length)];
    return { fault: shared(stream, manifest) };
  }
  return { fault: shared(stream, undefined) };
};

const shared = ({ file }: Stream, manifest: Standing | undefined): Fault => {
  const at = manifest?.place([]) ?? null;
  return {
    file,
    line: at?.line ?? null,
    column: at?.column ?? null,
    field: "",
    message:
      "a change here would change other places too, as an anchor (&name) is shared with them; write the part out without it",
  };
};

const write = async (
  stream: Stream,
  edits: readonly Edit[],
  added: readonly JsonObject[],
  results: readonly JsonObject[],
): Promise<{ readonly text: string } | { readonly fault: Fault }> => {
  const yaml = await import("yaml");
  const list = addedTo(stream);
  const texts: string[] = [];
  const byDocument = Map.groupBy(edits, ({ manifest }) => stream.manifests[manifest]?.document);
  for (const [index, { text, document, value: whole }] of stream.documents.entries()) {
    const splicer = new Splicer(yaml, text, document);
    const own = byDocument.get(index);
    const isPlaced =
      own === undefined ||
      own.every(({ manifest, path, value }) => {
        const { within } = stream.manifests[manifest] as Standing;
        return splicer.set([...within, ...path], value);
      });
    const isAdded = list !== index || added.length === 0 || splicer.prepend(["items"], added);
    const isTold = results.length === 0 || !isResourceList(whole) || splicer.prepend(["results"], results);
    const changed = isPlaced && isAdded && isTold ? splicer.done() : null;
    if (changed === null)
      return {
        fault: shared(
          stream,
          stream.manifests.find(({ document: of }) => of === index),
        ),
      };
    texts.push(changed);
  }
  const text = joined(stream, texts);
  return { text: list !== null || added.length === 0 ? text : inFront(stream, text, added) };
};

/** The document whose items new objects join: a function's list, or JSON that is a List. null: they stand in front. */
const addedTo = (stream: Stream): number | null => {
  const [only, second] = stream.documents;
  const listed = stream.documents.findIndex(({ value }) => isResourceList(value));
  if (listed >= 0) return listed;
  const isList = only !== undefined && second === undefined && only.value["kind"] === "List";
  return isList && isJson(stream.text) ? 0 : null;
};

const isJson = (text: string): boolean => {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const joined = ({ text, documents }: Stream, texts: readonly string[]): string => {
  const parts: string[] = [];
  let at = 0;
  for (const [index, { start, text: before }] of documents.entries()) {
    parts.push(text.slice(at, start), String(texts[index]));
    at = start + before.length;
  }
  return parts.join("") + text.slice(at);
};

const inFront = (stream: Stream, text: string, added: readonly JsonObject[]): string => {
  const isEmpty = stream.documents.length === 0;
  if (!isEmpty && isJson(stream.text))
    return `{"apiVersion":"v1","kind":"List","items":[\n${added.map((one) => `${flowText(one)},\n`).join("")}${text.trim()}\n]}\n`;
  const eol = stream.text.includes("\r\n") ? "\r\n" : "\n";
  const front = added.map((one) => `${blockOf(one, "")}\n`).join("---\n");
  const parted = isEmpty || /^(?:\s*#[^\n]*\n|\s*\n)*---(?:\s|$)/.test(text) ? "" : "---\n";
  return `${(front + parted).replaceAll("\n", eol)}${text}`;
};
