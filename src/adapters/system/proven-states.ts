/**
 * A folder of records of what was proven: one file a record, never written over (E1). Its name begins with what it is of,
 * then with a digest of that, since names are whatever a server says, and ends with its number: the last is the one that was
 * recorded last, whatever a clock says.
 */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StateKey } from "../../domain/difference.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ProvenState, ProvenStates } from "../../ports/proven-states.ts";
import { readProvenState } from "../../wire/objects/proven-state.ts";
import { parseStrictJson } from "../../wire/objects/strict-json.ts";
import { objectPlace } from "./object-place.ts";
import { readPlain, reasonOf } from "./read-file.ts";
import { createFile } from "./write-file.ts";

/** An object has at most 16 MiB, a report about as much. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The fault is a clause. */
export const openProvenStates = (folder: string): ProvenStates | { readonly fault: string } => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Folder(folder, readdirSync(folder));
  } catch (error) {
    return { fault: reasonOf(error).why };
  }
};

class Folder implements ProvenStates {
  readonly #path: string;
  /** By prefix: the highest number. */
  readonly #last = new Map<string, number>();
  readonly #read = new Map<string, ReturnType<ProvenStates["last"]>>();

  constructor(path: string, names: readonly string[]) {
    this.#path = path;
    for (const name of names) {
      const [, prefix, number] = /^([a-z0-9.-]*_[0-9a-f]{32})_([0-9]{6})\.json$/.exec(name) ?? [];
      if (prefix === undefined) continue;
      this.#last.set(prefix, Math.max(Number(number), this.#last.get(prefix) ?? 0));
    }
  }

  last(key: StateKey): ReturnType<ProvenStates["last"]> {
    const number = this.#last.get(prefixOf(key));
    if (number === undefined) return null;
    const name = nameOf(key, number);
    const before = this.#read.get(name);
    if (before !== undefined) return before;
    const read = this.#state(name, key);
    this.#read.set(name, read);
    return read;
  }

  #state(name: string, key: StateKey): ProvenState | { readonly name: string; readonly fault: string } {
    const file = readPlain(join(this.#path, name), MOST_BYTES);
    if ("fault" in file) return { name, fault: file.fault };
    const json = parseStrictJson(file.bytes.toString("utf8"));
    if ("fault" in json) return { name, fault: json.fault };
    const state = readProvenState(json.value, key);
    return "fault" in state ? { name, fault: state.fault } : { name, ...state };
  }

  async keep(key: StateKey, record: JsonObject): Promise<{ readonly fault: string } | undefined> {
    const text = `${JSON.stringify(record, null, 2)}\n`;
    try {
      const first = (this.#last.get(prefixOf(key)) ?? 0) + 1;
      for (let number = first; number < first + MOST_TRIES; number += 1) {
        if (!(await createFile(join(this.#path, nameOf(key, number)), text, 0o444))) continue;
        this.#last.set(prefixOf(key), number);
        return undefined;
      }
      return { fault: "others write records of it all the time" };
    } catch (error) {
      return { fault: reasonOf(error).why };
    }
  }
}

/** Somebody else may record the same object at this moment. */
const MOST_TRIES = 20;

const nameOf = (key: StateKey, number: number): string =>
  `${prefixOf(key)}_${String(number).padStart(6, "0")}.json`;

const prefixOf = ({ server, group, kind, namespace, name }: StateKey): string =>
  objectPlace([kind, namespace, name], [server, group, kind, namespace, name]);
