/** The objects that a step declares, from files, a kustomization or its `with`, in the order in which they can be made. */
import { join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import { printable } from "../../wire/redact/printable.ts";
import { boundObjects, type Declared } from "./bound.ts";
import { kustomized } from "./kustomize.ts";
import { MANIFEST, manifestTexts } from "./manifest-files.ts";
import { type Objects, objectsIn } from "./manifest-text.ts";
import { inOrder } from "./object.ts";
import type { Parts } from "./reach.ts";
import type { KubernetesSpec } from "./spec.ts";

const MAX_OBJECTS = 1_000;

/** Whether a path names a file or a folder is told by its end: `describe` reads nothing. */
export const manifestGlob = (path: string): string => {
  const plain = path.replace(/\/+$/, "");
  return MANIFEST.test(plain) ? plain : `${plain}/**/*.{yaml,yml,json}`;
};

const fromFiles = async (manifests: string, baseDirectory: string): Promise<Objects> => {
  const read = await manifestTexts(join(baseDirectory, manifests), (path) =>
    path.slice(baseDirectory.length).replace(/^\//, ""),
  );
  if ("fault" in read) return read;
  const objects: JsonObject[] = [];
  for (const { text, shown } of read.texts) {
    const found = await objectsIn(text, shown);
    if ("fault" in found) return found;
    objects.push(...found.objects);
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

/** `notes`: what a person should know of how they came to be, each a sentence. */
export const declaredObjects = async (
  { readConfig }: Pick<Parts, "readConfig">,
  spec: KubernetesSpec,
  baseDirectory: string,
): Promise<Declared> => {
  const read = await sourceOf(spec, baseDirectory);
  if ("fault" in read) return read;
  const made =
    spec.bind === null ? { ...read, notes: [] } : boundObjects(readConfig, spec, read.objects, baseDirectory);
  if ("fault" in made) return made;
  const { objects, notes } = made;
  if (objects.length === 0) return { fault: "there is no object to apply" };
  if (objects.length > MAX_OBJECTS)
    return {
      fault: `there are ${objects.length} objects, and at most ${MAX_OBJECTS} go into one step; split it`,
    };
  return { objects: inOrder(objects), notes };
};
