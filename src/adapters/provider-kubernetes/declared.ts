/** The objects that a step declares, from files, a kustomization or its `with`, in the order in which they can be made. */
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import { utf8 } from "../../wire/manifest/text.ts";
import { printable } from "../../wire/redact/printable.ts";
import { kustomized } from "./kustomize.ts";
import { type Objects, objectsIn } from "./manifest-text.ts";
import { inOrder } from "./object.ts";
import type { KubernetesSpec } from "./spec.ts";

const MAX_OBJECTS = 1_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;

const MANIFEST = /\.(ya?ml|json)$/;

/** Whether a path names a file or a folder is told by its end: `describe` reads nothing. */
export const manifestGlob = (path: string): string => {
  const plain = path.replace(/\/+$/, "");
  return MANIFEST.test(plain) ? plain : `${plain}/**/*.{yaml,yml,json}`;
};

/** The files that `manifestGlob` names: no hidden ones, and no folder that is a link. */
const filesIn = async (path: string): Promise<readonly string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const inner = join(path, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(inner)));
    else if (MANIFEST.test(entry.name) && !(await linksToFolder(entry, inner))) files.push(inner);
  }
  return files;
};

const linksToFolder = async (entry: Dirent, path: string): Promise<boolean> =>
  entry.isSymbolicLink() && (await stat(path)).isDirectory();

const fromFiles = async (manifests: string, baseDirectory: string): Promise<Objects> => {
  const objects: JsonObject[] = [];
  let total = 0;
  for (const path of await filesIn(join(baseDirectory, manifests))) {
    const shown = printable(path.slice(baseDirectory.length).replace(/^\//, ""));
    const { size } = await stat(path);
    total += size;
    if (size > MAX_FILE_BYTES) return { fault: `${shown} has more than 8 MiB; split it` };
    if (total > MAX_BYTES) return { fault: "the manifests have more than 32 MiB together; split the step" };
    const decoded = utf8(await readFile(path));
    if ("fault" in decoded) return { fault: `${shown}: ${decoded.fault}` };
    const read = await objectsIn(decoded.text, shown);
    if ("fault" in read) return read;
    objects.push(...read.objects);
  }
  return { objects };
};

const sourceOf = async (spec: KubernetesSpec, baseDirectory: string): Promise<Objects> => {
  if (spec.kustomize !== null) return kustomized(spec.kustomize, baseDirectory);
  if (spec.manifests === null) return { objects: spec.objects };
  try {
    return await fromFiles(spec.manifests, baseDirectory);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return { fault: `the manifests in ${printable(spec.manifests)} cannot be read${code}` };
  }
};

export const declaredObjects = async (spec: KubernetesSpec, baseDirectory: string): Promise<Objects> => {
  const read = await sourceOf(spec, baseDirectory);
  if ("fault" in read) return read;
  if (read.objects.length === 0) return { fault: "there is no object to apply" };
  if (read.objects.length > MAX_OBJECTS)
    return {
      fault: `there are ${read.objects.length} objects, and at most ${MAX_OBJECTS} go into one step; split it`,
    };
  return { objects: inOrder(read.objects) };
};
