/** JSON pointers (RFC 6901) into replies and bodies. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

const tokens = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Why `text` is no JSON pointer, as one sentence; undefined when it is one. */
export const pointerFault = (text: string): string | undefined => {
  if (text !== "" && !text.startsWith("/")) return `a JSON pointer begins with '/'; write "/${text}"`;
  if (/~(?![01])/.test(text)) return "in a JSON pointer '~' is written '~0', and '/' inside a name '~1'";
  return undefined;
};

/** What stands there; undefined when nothing does. */
export const at = (value: JsonValue, pointer: string): JsonValue | undefined => {
  let here: JsonValue | undefined = value;
  for (const token of tokens(pointer)) {
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(token) ? here[Number(token)] : undefined;
    else if (isJsonObject(here)) here = Object.hasOwn(here, token) ? here[token] : undefined;
    else return undefined;
  }
  return here;
};

/** A copy with `text` there; objects on the way are made. undefined when something on the way is no object. */
export const withAt = (body: JsonObject, pointer: string, text: string): JsonObject | undefined => {
  const put = (here: JsonValue | undefined, rest: readonly string[]): JsonValue | undefined => {
    const [first, ...others] = rest;
    if (first === undefined) return text;
    if (here !== undefined && !isJsonObject(here)) return undefined;
    const inner = here !== undefined && Object.hasOwn(here, first) ? here[first] : undefined;
    const below = put(inner, others);
    return below === undefined ? undefined : { ...here, [first]: below };
  };
  const made = put(body, tokens(pointer));
  return isJsonObject(made) ? made : undefined;
};

/** The pointer of what contains it: `/labels` for `/labels/key`. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
