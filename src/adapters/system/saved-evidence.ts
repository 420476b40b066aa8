/**
 * Evidence in files: what `kubectl get -o json` printed, one file or the files of one folder (DESIGN §9). A file that is
 * named after its resource says that this resource was asked for; `snapshot.json` says when all of it was read.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Asked, Seen, Unsteady } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { parseTime } from "../../domain/time.ts";
import type { EvidenceSource, SourceFault } from "../../ports/evidence-source.ts";
import { type About, MAX_BYTES, readYaml, utf8 } from "../../wire/manifest/text.ts";
import { readAnswers } from "../../wire/objects/answers.ts";
import { resourcesIn } from "../../wire/objects/file-name.ts";
import { readFollowed } from "../../wire/objects/followed.ts";
import { readGitRecords } from "../../wire/objects/git-records.ts";
import { readFiles, readHeld } from "../../wire/objects/held.ts";
import { newestTime } from "../../wire/objects/newest-time.ts";
import { readObjects } from "../../wire/objects/objects.ts";
import { parseStrictJson } from "../../wire/objects/strict-json.ts";
import { readUnsteady } from "../../wire/objects/unsteady.ts";
import { readPlain, reasonOf } from "./read-file.ts";

export interface SavedOptions {
  /** A file or a folder. */
  readonly path: string;
  /** As the person wrote it, for sentences. */
  readonly named: string;
  /** Judge at this time; null: as `snapshot.json` says, else the newest time inside. */
  readonly at: Instant | null;
  /** Told of each file as it was read, for whoever keeps this very reading. */
  readonly keep?: (file: SavedFile) => void;
}

/** One file that was read. */
export interface SavedFile {
  /** As it is cited: relative to the folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly value: JsonValue;
}

/** A list of 10,000 Pods has about 120 MB; a JavaScript text cannot be longer than twice this. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;
/** Of one folder. */
const MAX_FILES = 1_000;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;

/** E3: files prove nothing of where they come from. */
const SAVED_LIMIT =
  "saved files: nothing shows who read them, from which cluster, or that they are unchanged";

const SAVED: About = {
  tooLarge: "save it as JSON, where 256 MiB are",
  second: "save a List, or one file for each object",
  directive: "save it as kubectl get -o yaml prints it",
  empty: "the file is empty; save what kubectl get -o json prints",
};

export const savedEvidence = (options: SavedOptions): EvidenceSource => ({
  collect: async () => {
    const files = filesIn(options);
    if ("fault" in files) return { faults: [wholeFile(options.named, files.fault)] };
    const read = new Reading(files.skipped, options.keep);
    for (const file of files.files) await read.file(file);
    return read.evidence(options);
  },
});

/** The same of files in JSON whose bytes are at hand, each by the name that it had. Whoever has them says himself what limits them. */
export const evidenceIn = async (
  files: Iterable<Pick<SavedFile, "name" | "bytes">>,
  at: Instant,
): ReturnType<EvidenceSource["collect"]> => {
  const read = new Reading([]);
  for (const { name, bytes } of files) await read.file({ name, path: name, bytes });
  const collected = read.evidence({ at, named: "what was kept" });
  return "faults" in collected
    ? collected
    : { ...collected, evidence: { ...collected.evidence, limits: [] } };
};

interface Named {
  /** As it is cited: relative to the folder. */
  readonly name: string;
  readonly path: string;
  /** JSON, whatever the name says; left out: it is read from the path. */
  readonly bytes?: Uint8Array;
}

type Files =
  | { readonly files: readonly Named[]; readonly skipped: readonly string[] }
  | { readonly fault: string };

const filesIn = ({ path, named }: SavedOptions): Files => {
  try {
    if (!statSync(path).isDirectory()) return { files: [{ name: baseOf(named), path }], skipped: [] };
    const all = readdirSync(path).sort();
    const wanted = all.filter((name) => /\.(json|ya?ml)$/i.test(name) && !name.startsWith("."));
    if (wanted.length === 0) return { fault: "there is no .json or .yaml file in this folder" };
    if (wanted.length > MAX_FILES)
      return { fault: `this folder has ${wanted.length} files; at most ${MAX_FILES} are read` };
    return {
      files: wanted.map((name) => ({ name, path: join(path, name) })),
      skipped: all.filter((name) => !wanted.includes(name)),
    };
  } catch (error) {
    return { fault: `it cannot be read: ${reasonOf(error).why}` };
  }
};

const baseOf = (named: string): string => named.replace(/^.*[/\\]/, "");

class Reading {
  readonly #objects: Seen[] = [];
  readonly #asked: Asked[] = [];
  readonly #faults: SourceFault[] = [];
  readonly #limits: string[] = [];
  #snapshotAt: Instant | null = null;
  #server: string | null = null;
  #unsteady: readonly Unsteady[] = [];
  #bytes = 0;

  readonly #keep: (file: SavedFile) => void;

  constructor(skipped: readonly string[], keep: (file: SavedFile) => void = () => undefined) {
    this.#keep = keep;
    if (skipped.length > 0)
      this.#limits.push(
        `not read, since they are not .json or .yaml files: ${skipped.slice(0, 5).join(", ")}${skipped.length > 5 ? ` and ${skipped.length - 5} more` : ""}`,
      );
  }

  async file(file: Named): Promise<void> {
    const value = await this.#value(file);
    if (value === undefined) return;
    if (file.name === "snapshot.json") return this.#snapshot(file, value);
    if (file.name === "answers.json") return this.#answers(file, value);
    if (file.name === "held.json") return this.#records(file, readHeld(value, file.name));
    if (file.name === "files.json") return this.#records(file, readFiles(value, file.name));
    if (file.name === "git.json") return this.#records(file, readGitRecords(value, file.name));
    const read = readObjects(value, file.name, resourcesIn(file.name));
    if ("fault" in read) this.#faults.push({ ...wholeFile(file.path, read.fault), field: read.pointer });
    else {
      for (const object of read.objects) this.#objects.push(object);
      this.#asked.push(...read.asked);
    }
  }

  async #value(file: Named): Promise<JsonValue | undefined> {
    const isJson = file.bytes !== undefined || /\.json$/i.test(file.name);
    const most = isJson ? MAX_JSON_BYTES : MAX_BYTES;
    const read = file.bytes === undefined ? readPlain(file.path, most) : { bytes: file.bytes };
    if ("fault" in read) return this.#fault(wholeFile(file.path, `it cannot be read: ${read.fault}`));
    this.#bytes += read.bytes.length;
    if (this.#bytes > MAX_TOTAL_BYTES)
      return this.#fault(
        wholeFile(
          file.path,
          `with it there are more than ${MAX_TOTAL_BYTES} bytes; judge fewer files at once`,
        ),
      );
    const value = await this.#parsed(file, read.bytes, isJson);
    if (value !== undefined) this.#keep({ name: file.name, bytes: read.bytes, value });
    return value;
  }

  async #parsed(file: Named, bytes: Uint8Array, isJson: boolean): Promise<JsonValue | undefined> {
    const text = utf8(bytes);
    if ("fault" in text) return this.#fault(wholeFile(file.path, text.fault));
    if (!isJson) return this.#yaml(file, text.text);
    const json = parseStrictJson(text.text);
    if ("value" in json) return json.value;
    const { at, fault } = json;
    return this.#fault({
      ...wholeFile(file.path, fault),
      line: at?.line ?? null,
      column: at?.column ?? null,
    });
  }

  async #yaml(file: Named, text: string): Promise<JsonValue | undefined> {
    const read = await readYaml(text, SAVED);
    if ("value" in read) return read.value;
    if ("faults" in read) {
      const { locator } = await import("../../wire/manifest/text.ts");
      this.#faults.push(...read.faults.placed(file.path, await locator(text)));
      return undefined;
    }
    const { at, message } = read.fault;
    return this.#fault({
      ...wholeFile(file.path, message),
      line: at?.line ?? null,
      column: at?.column ?? null,
    });
  }

  #answers(file: Named, value: JsonValue): void {
    const read = readAnswers(value, file.name);
    if ("fault" in read) this.#fault({ ...wholeFile(file.path, read.fault), field: read.pointer });
    else for (const answer of read.answers) this.#objects.push(answer);
  }

  #records(file: Named, read: ReturnType<typeof readHeld>): void {
    if ("fault" in read) this.#fault({ ...wholeFile(file.path, read.fault), field: read.pointer });
    else for (const record of read.records) this.#objects.push(record);
  }

  #snapshot(file: Named, value: JsonValue): void {
    const at = isJsonObject(value) && Object.hasOwn(value, "at") ? value["at"] : undefined;
    const time = typeof at === "string" ? parseTime(at) : undefined;
    if (time === undefined)
      this.#fault({
        ...wholeFile(file.path, "it does not say when it was taken (at, as RFC 3339)"),
        field: "/at",
      });
    else this.#snapshotAt = time;
    this.#server = serverIn(value);
    const unsteady = readUnsteady(value);
    if ("fault" in unsteady)
      this.#fault({ ...wholeFile(file.path, unsteady.fault), field: unsteady.pointer });
    else this.#unsteady = unsteady.unsteady;
    const followed = readFollowed(value, file.name);
    if ("fault" in followed)
      this.#fault({ ...wholeFile(file.path, followed.fault), field: followed.pointer });
    else this.#asked.push(...followed.asked);
  }

  #fault(fault: SourceFault): undefined {
    this.#faults.push(fault);
    return undefined;
  }

  evidence({
    at,
    named,
  }: Pick<SavedOptions, "at" | "named">): Awaited<ReturnType<EvidenceSource["collect"]>> {
    if (this.#faults.length > 0) return { faults: this.#faults };
    const newest = newestTime(this.#objects);
    const judgedAt = at ?? this.#snapshotAt ?? newest;
    if (judgedAt === undefined)
      return { faults: [wholeFile(named, "nothing in it says when it was read; say --at TIME")] };
    const guessed = at === null && this.#snapshotAt === null;
    const limits = guessed
      ? [
          SAVED_LIMIT,
          ...this.#limits,
          `judged at ${iso(judgedAt)}, the newest time inside the files: they may have been saved later`,
        ]
      : [SAVED_LIMIT, ...this.#limits];
    const evidence = { objects: this.#objects, asked: this.#asked, at: judgedAt, limits };
    return {
      evidence,
      from: judgedAt,
      to: judgedAt,
      meant: null,
      server: this.#server,
      unsteady: this.#unsteady,
    };
  }
}

/** Snapshots of before this was kept do not say it. */
const serverIn = (snapshot: JsonValue): string | null => {
  const cluster = isJsonObject(snapshot) && Object.hasOwn(snapshot, "cluster") ? snapshot["cluster"] : null;
  const server = isJsonObject(cluster) && Object.hasOwn(cluster, "server") ? cluster["server"] : null;
  return typeof server === "string" && server !== "" ? server : null;
};

const wholeFile = (file: string, message: string): SourceFault => ({
  file,
  line: null,
  column: null,
  field: "",
  message,
});
