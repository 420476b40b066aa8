/** The objects in the text of a manifest: YAML documents, JSON, and `kind: List`. Hostile text costs no more than its length. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { readYaml } from "../../wire/manifest/text.ts";
import { objectFault } from "./object.ts";

export type Objects = { readonly objects: readonly JsonObject[] } | { readonly fault: string };

const ABOUT = {
  tooLarge: "split the file",
  second: "one document holds one object",
  directive: "manifests are YAML 1.2",
  empty: "it is empty",
};

/** `---` at the beginning of a line always parts documents, inside a block of text too (YAML 1.2, 9.1.2). Lines keep their numbers. */
const documentsOf = (text: string): readonly string[] => {
  const documents: string[] = [];
  let current: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (/^---(\s|$)/.test(line)) {
      documents.push(current.join("\n"));
      current = Array.from({ length: index }, () => "");
      current.push(line.slice(3));
    } else current.push(line);
  }
  return [...documents, current.join("\n")].filter((one) => /^[^#\s]|^\s+[^#\s]/m.test(one));
};

const itemsOf = (value: JsonValue): readonly JsonValue[] =>
  isJsonObject(value) &&
  value["kind"] === "List" &&
  value["apiVersion"] === "v1" &&
  Array.isArray(value["items"])
    ? value["items"]
    : [value];

/** `shown`: where it came from, for the sentence of a fault. */
export const objectsIn = async (text: string, shown: string): Promise<Objects> => {
  const objects: JsonObject[] = [];
  for (const document of documentsOf(text.replace(/^\uFEFF/, ""))) {
    const read = await readYaml(document, ABOUT);
    if ("faults" in read) {
      const [first] = read.faults.placed(shown, () => null);
      return { fault: `${shown}: ${first?.message ?? "it cannot be read"}` };
    }
    if ("fault" in read) {
      const { at, message } = read.fault;
      return { fault: `${shown}${at === null ? "" : `:${at.line}:${at.column}`}: ${message}` };
    }
    for (const item of itemsOf(read.value)) {
      const fault = objectFault(item);
      if (fault !== undefined) return { fault: `${shown}: ${fault}` };
      if (isJsonObject(item)) objects.push(item);
    }
  }
  return { objects };
};
