/** A state as files, as `asfound snapshot` writes them, and small changes of it. Judged in memory as they are from a disk. */
import type { Asked, Seen } from "../../domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Collected } from "../../ports/evidence-source.ts";
import { readAnswers } from "../../wire/objects/answers.ts";
import { resourcesIn } from "../../wire/objects/file-name.ts";
import { readObjects } from "../../wire/objects/objects.ts";
import { READ, second } from "./world-times.ts";

/** By the file's name. */
export type WorldFiles = Readonly<Record<string, JsonValue>>;

export type Path = readonly (string | number)[];

/** A copy with one field set; undefined: taken away. */
const changed = (value: JsonValue, path: Path, to: JsonValue | undefined): JsonValue => {
  const [key, ...rest] = path;
  if (key === undefined) return to === undefined ? null : to;
  if (Array.isArray(value)) {
    const index = Number(key);
    const next = rest.length === 0 ? to : changed(value[index] as JsonValue, rest, to);
    // What is taken out of a list leaves its place, so that nothing else moves.
    return value.map((one: JsonValue, place) => (place === index ? (next === undefined ? null : next) : one));
  }
  const object = value as JsonObject;
  const { [String(key)]: own, ...others } = object;
  if (rest.length === 0 && to === undefined) return others;
  return { ...object, [key]: rest.length === 0 ? (to as JsonValue) : changed(own as JsonValue, rest, to) };
};

/** The same files with one field of one of them set; undefined: taken away. An empty path and undefined: without the file. */
export const withField = (
  files: WorldFiles,
  file: string,
  path: Path,
  to: JsonValue | undefined,
): WorldFiles => {
  const { [file]: own, ...others } = files;
  if (own === undefined) return files;
  if (path.length === 0 && to === undefined) return others;
  return { ...others, [file]: changed(own, path, to) };
};

/** An RFC 6901 pointer as a path. */
export const pathOf = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Throws where a world is not as files are: that would be a bug of ours. */
export const collectedOf = (files: WorldFiles): Collected => {
  const objects: Seen[] = [];
  const asked: Asked[] = [];
  for (const [name, value] of Object.entries(files)) {
    if (name === "snapshot.json") continue;
    const read =
      name === "answers.json" ? readAnswers(value, name) : readObjects(value, name, resourcesIn(name));
    if ("fault" in read) throw new Error(`${name}${read.pointer}: ${read.fault}`);
    if ("answers" in read) objects.push(...read.answers);
    else {
      objects.push(...read.objects);
      asked.push(...read.asked);
    }
  }
  const time = second(READ);
  const evidence = { objects, asked, at: time, limits: [] };
  return { evidence, from: time, to: time, meant: null, server: SERVER };
};

export const SERVER = "https://cluster.example:6443";
