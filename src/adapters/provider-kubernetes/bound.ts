/** A step's objects with its config bound to them (ADR 0041): what is declared then names the very bytes. */
import { join } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { ReadConfig } from "../../ports/config-files.ts";
import { bind } from "../../wire/bind/bind.ts";
import { contentOf } from "../../wire/bind/content.ts";
import { edited } from "../../wire/bind/manifest.ts";
import { type FileSource, NO_SETTINGS } from "../../wire/bind/settings.ts";
import type { GivenConfig } from "../../wire/bind/sources.ts";
import type { KubernetesSpec } from "./spec.ts";

export type Declared =
  | { readonly objects: readonly JsonObject[]; readonly notes: readonly string[] }
  | { readonly fault: string };

/** Hidden files are keys too. */
export const sourceGlob = ({ path, isFolder }: FileSource): string => {
  const plain = path.replace(/\/+$/, "");
  return isFolder ? `${plain}/{*,.*}` : plain;
};

export const boundObjects = (
  readConfig: ReadConfig,
  { bind: asked, namespace }: KubernetesSpec,
  objects: readonly JsonObject[],
  baseDirectory: string,
): Declared => {
  const { sources, allow, declared } = asked ?? NO_SETTINGS;
  const given: GivenConfig[] = [];
  for (const { name, namespace: of, path } of sources) {
    const read = readConfig(join(baseDirectory, path), path);
    if ("fault" in read) return read;
    given.push({ name, namespace: of, content: contentOf(read.entries), from: path });
  }
  const manifests = objects.map((object) => ({ object, file: "the manifests", place: () => null }));
  const bound = bind(manifests, { given, namespace, allowed: new Set(allow), declared });
  if (!("edits" in bound)) {
    const [first] = "faults" in bound ? bound.faults : bound.secrets;
    const field = first === undefined || first.field === "" ? "" : `${first.field}: `;
    return {
      fault: `config cannot be bound: ${first?.file}: ${field}${first?.message.replace("say --allow", "name it in 'allow':")}`,
    };
  }
  return {
    objects: [...bound.added.map(({ object }) => object), ...edited(objects, bound.edits)],
    notes: bound.places
      .filter(({ kind, to }) => kind === "ConfigMap" && to === null)
      .map(({ of, name, why }) => `${of} names ConfigMap ${name}, which is not bound: ${why}`),
  };
};
