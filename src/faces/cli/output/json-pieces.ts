/**
 * A document of JSON whose one long member is written item by item: the whole of it, and its text, would be held in memory
 * beside what it is made of. Joined, the pieces are what `JSON.stringify(document, null, 2)` makes.
 */
import type { JsonObject } from "../../../domain/json.ts";

export interface Long {
  /** The member's name; in `document` it is an empty list. */
  readonly member: string;
  readonly items: Iterable<JsonObject>;
}

export function* jsonPieces(document: JsonObject, { member, items }: Long): Generator<string> {
  const text = JSON.stringify(document, null, 2);
  // At the beginning of a line, since a string in JSON has no line breaks; two blanks deep, so it is the document's own.
  const key = `\n  ${JSON.stringify(member)}: [`;
  const at = text.indexOf(`${key}]`);
  if (at < 0) throw new Error(`the document has no empty list ${member}`);
  yield text.slice(0, at + key.length);
  let isEmpty = true;
  for (const item of items) {
    yield `${isEmpty ? "" : ","}\n    ${JSON.stringify(item, null, 2).replaceAll("\n", "\n    ")}`;
    isEmpty = false;
  }
  yield `${isEmpty ? "" : "\n  "}${text.slice(at + key.length)}`;
}
