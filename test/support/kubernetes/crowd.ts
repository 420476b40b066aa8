/** Many workloads in one set of files: each a world of its own, with its own name, namespace and UIDs. */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../../src/domain/json.ts";
import { type Files, type World, worldFiles } from "./deployment.ts";
import { list } from "./object.ts";

export interface Member {
  readonly name: string;
  readonly namespace: string;
  readonly world: World;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/g;

/** The same objects under another name, in another namespace, as other incarnations. */
const renamed = (files: Files, name: string, namespace: string): Files => {
  const other = (uid: string): string => {
    const hex = createHash("sha256").update(`${namespace}/${name}/${uid}`).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const text = JSON.stringify(files)
    .replaceAll(/(?<=["-])web(?=["-])|"web"/g, (found) => found.replace("web", name))
    .replaceAll('"namespace":"shop"', `"namespace":${JSON.stringify(namespace)}`)
    .replaceAll(UID, other);
  return JSON.parse(text) as Files;
};

export const crowdFiles = (members: readonly Member[]): Files => {
  const items: Record<string, JsonObject[]> = {};
  for (const { name, namespace, world } of members)
    for (const [file, value] of Object.entries(renamed(worldFiles(world), name, namespace))) {
      items[file] ??= [];
      items[file].push(...(value["items"] as readonly JsonObject[]));
    }
  return Object.fromEntries(Object.entries(items).map(([file, all]) => [file, list(all)]));
};
