/**
 * An object without what is never written (E5): the data of Secrets, the literal values of environment variables wherever a
 * Pod template stands, the annotation in which kubectl keeps a copy of all of it, what a source of Argo CD hands to Helm,
 * Jsonnet or a plug-in, and the user and password of a URL wherever one stands but in a ConfigMap's content. In place of each
 * stands a keyed digest, so that two equal values still are equal, and two others are not.
 */
import { createHmac } from "node:crypto";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

export interface Kept {
  readonly object: JsonObject;
  /** RFC 6901 pointers, below the one that was given. */
  readonly removed: readonly string[];
}

const COPY = "kubectl.kubernetes.io/last-applied-configuration";
/** Texts of a ConfigMap are kept whole; those of a Secret have a rule of their own. */
const CONTENT: ReadonlySet<string> = new Set(["data", "binaryData", "stringData"]);

/** What a source hands on, from its member's name down; `*`: each item (argoproj.io/v1alpha1 ApplicationSource). */
const HANDED = new Map<string, readonly (readonly string[])[]>([
  ["helm", [["parameters", "*", "value"], ["values"], ["valuesObject"]]],
  [
    "jsonnet",
    [
      ["extVars", "*", "value"],
      ["tlas", "*", "value"],
    ],
  ],
  [
    "plugin",
    [
      ["parameters", "*", "string"],
      ["parameters", "*", "array"],
      ["parameters", "*", "map"],
    ],
  ],
]);

/** To the last `@` of what can be user and password: one that stands in a password is not always written as %40. */
const USER = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>]+)@/gi;
/** `ssh://git@host` says who asks, and no secret; a token to an HTTP server may stand alone. */
const isSecretUser = (scheme: string, user: string): boolean =>
  user.includes(":") || /^https?:/i.test(scheme);

/** HMAC-SHA-256, 64 hex digits. */
export const keyedHex = (value: string | Uint8Array, key: Uint8Array): string =>
  createHmac("sha256", key).update(value).digest("hex");

const REMOVED = /^removed:hmac-sha256:[0-9a-f]{64}$/;

/**
 * `key`: for the digests; whoever has it can try values. `again`: what stands for a value that was removed before is left as
 * it is, and is not told: for files that are kept as they were saved.
 */
export const withoutSecrets = (
  object: JsonObject,
  isSecret: boolean,
  key: Uint8Array,
  at = "",
  again: "digest" | "leave" = "digest",
): Kept => {
  const removing = new Removing(key, again);
  const kept = removing.look(object, at, at) as JsonObject;
  if (!isSecret) return { object: kept, removed: removing.removed };
  const data = ["data", "stringData"].flatMap((name) => {
    const values = kept[name];
    if (!isJsonObject(values)) return [];
    const gone = Object.entries(values).map(([entry, value]) => [
      entry,
      removing.digest(value, `${at}/${name}/${escaped(entry)}`),
    ]);
    return [[name, Object.fromEntries(gone) as JsonObject] as const];
  });
  return { object: { ...kept, ...Object.fromEntries(data) }, removed: removing.removed };
};

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

class Removing {
  readonly removed: string[] = [];
  readonly #key: Uint8Array;
  readonly #again: "digest" | "leave";

  constructor(key: Uint8Array, again: "digest" | "leave") {
    this.#key = key;
    this.#again = again;
  }

  digest(value: JsonValue, pointer: string): string {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (this.#again === "leave" && REMOVED.test(text)) return text;
    this.removed.push(pointer);
    return `removed:hmac-sha256:${keyedHex(text, this.#key)}`;
  }

  /** `top`: where the object stands. */
  look(value: JsonValue, pointer: string, top: string): JsonValue {
    if (typeof value === "string") return this.#withoutUser(value, pointer);
    if (Array.isArray(value)) return value.map((one, index) => this.look(one, `${pointer}/${index}`, top));
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
      const place = `${pointer}/${escaped(name)}`;
      if (name === COPY) return [name, this.digest(member, place)];
      if (pointer === top && CONTENT.has(name)) return [name, this.#content(member, place, top)];
      if (name === "env" && Array.isArray(member))
        return [name, member.map((one, index) => this.#variable(one, `${place}/${index}`, top))];
      const handed = HANDED.get(name)?.reduce((its, path) => this.#handed(its, place, path), member);
      return [name, this.look(handed ?? member, place, top)];
    });
    // A member may be named __proto__, which only a definition makes an ordinary one.
    return Object.fromEntries(members);
  }

  #content(value: JsonValue, pointer: string, top: string): JsonValue {
    if (!isJsonObject(value)) return this.look(value, pointer, top);
    const members = Object.entries(value).map(([name, one]): [string, JsonValue] => [
      name,
      typeof one === "string" ? one : this.look(one, `${pointer}/${escaped(name)}`, top),
    ]);
    return Object.fromEntries(members);
  }

  #variable(value: JsonValue, pointer: string, top: string): JsonValue {
    if (!isJsonObject(value) || value["value"] === undefined || value["value"] === "")
      return this.look(value, pointer, top);
    return { ...value, value: this.digest(value["value"], `${pointer}/value`) };
  }

  #handed(value: JsonValue, pointer: string, path: readonly string[]): JsonValue {
    const [name, ...rest] = path;
    if (name === undefined) return value === "" || value === null ? value : this.digest(value, pointer);
    if (name === "*")
      return Array.isArray(value)
        ? value.map((one, index) => this.#handed(one, `${pointer}/${index}`, rest))
        : value;
    const member = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) return value;
    return { ...(value as JsonObject), [name]: this.#handed(member, `${pointer}/${escaped(name)}`, rest) };
  }

  #withoutUser(text: string, pointer: string): string {
    // Few texts are URLs, and this is asked of every one.
    if (!text.includes("://")) return text;
    return text.replace(USER, (whole, scheme: string, user: string) =>
      isSecretUser(scheme, user) ? `${scheme}${this.digest(user, pointer)}@` : whole,
    );
  }
}
