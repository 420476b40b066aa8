/**
 * `{id}` and `{key}` in paths and matches. A reference such as `${steps.a.outputs.b}` is not one: the runtime has
 * replaced it before a call.
 */
export type Placeholder = "id" | "key";

const PLACEHOLDER = /(?<!\$)\{([A-Za-z_]+)\}/g;

export const placeholders = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? "")),
];

export type Values = { readonly [name in Placeholder]?: string };

/** Replaces them as they are. */
export const expand = (text: string, values: Values): string =>
  text.replace(PLACEHOLDER, (whole, name: string) =>
    name === "id" || name === "key" ? (values[name] ?? whole) : whole,
  );

/**
 * Replaces them percent-encoded. A value that would move the path (empty, `.`, `..`) is a fault: browsers' URL rules
 * read even an encoded `..` as the folder above, and a DELETE there would hit the whole collection.
 */
export const expandPath = (
  path: string,
  values: Values,
): { readonly path: string } | { readonly fault: string } => {
  for (const name of placeholders(path)) {
    if (name !== "id" && name !== "key") continue;
    const value = values[name];
    if (value === undefined) return { fault: `{${name}} in a path has no value here` };
    if (value === "") return { fault: `{${name}} is empty, so it cannot stand in a path` };
    if (!value.isWellFormed())
      return { fault: `{${name}} is not valid Unicode, so it cannot stand in a path` };
  }
  const expanded = path.replace(PLACEHOLDER, (whole, name: string) =>
    name === "id" || name === "key" ? encodeURIComponent(values[name] ?? "") : whole,
  );
  const [beforeQuery = ""] = expanded.split(/[?#]/);
  const climbs = beforeQuery.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (climbs) return { fault: "a path has a segment '.' or '..', which would lead to another resource" };
  return { path: expanded };
};
