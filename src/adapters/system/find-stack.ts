/** Finding the stack file: as `-f` says, else by its default names, here or in a folder above. Light to load. */
import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { printable } from "../../wire/redact/printable.ts";

/** Looked for in this folder, then in its parents. */
const NAMES = ["asfound.yaml", "asfound.ts"] as const;

/** The stack file: the one that `-f` names, else the nearest default. The fault is one sentence. */
export const findStackFile = (
  flag: string | null,
  directory: string,
): { readonly path: string } | { readonly fault: string } => {
  if (flag === "-")
    return {
      fault:
        "a stack is read from a file, not from stdin, since paths in it start at its folder; name the file",
    };
  if (flag !== null)
    return flag === "" ? { fault: "-f needs the name of a stack file" } : { path: resolve(directory, flag) };
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const here: string[] = [];
    for (const name of NAMES) if (isThere(join(folder, name))) here.push(join(folder, name));
    const [path, second] = here;
    if (second !== undefined)
      return {
        fault: `${printable(folder)} has both ${NAMES.join(" and ")}; name one with -f, or remove the other`,
      };
    if (path !== undefined) return { path };
    if (dirname(folder) === folder) break;
  }
  return {
    fault: `there is no ${NAMES.join(" or ")} in ${printable(resolve(directory))} or any folder above; name the stack file with -f, or write one with asfound init`,
  };
};

/** A name that is there but cannot be looked at counts: loading it says what is wrong, a parent's file would be another stack. */
const isThere = (path: string): boolean => {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
};
