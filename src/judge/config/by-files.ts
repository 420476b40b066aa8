/**
 * What the files in a container hold, as they were read there (L4), beside what the object holds now.
 *
 * Laws: C2 a file that was mounted by subPath is what its process was started with, and stays it; one that follows shows what
 * the kubelet has brought, never that the process has read it. V3 a file of another start or another Pod says nothing of this.
 */
import type { Seen } from "../../domain/evidence.ts";
import { READ_FILE } from "../../domain/held.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { Collection } from "../collection.ts";
import { oncePerNamespace } from "../once-per-namespace.ts";
import { hint, type Path, TEXT, TIME } from "../read.ts";
import { quoted } from "../words.ts";
import { fileOfKey } from "./consumptions.ts";
import { contentOf, shortly } from "./content.ts";
import { objectText } from "./lack.ts";
import type { Moment } from "./moment.ts";

export type ByFiles =
  | { readonly kind: "silent" }
  | { readonly kind: "unreadable"; readonly why: string }
  | {
      readonly kind: "read";
      /** What was read holds what the object holds now. */
      readonly isSame: boolean;
      /** All files that its keys are in were read. */
      readonly isWhole: boolean;
      /** When the first of them was. */
      readonly at: Instant;
      /** A clause. */
      readonly why: string;
      readonly cites: readonly (readonly [Seen, Path])[];
    };

const placeOf = (pod: string, container: string, path: string): string =>
  JSON.stringify([pod, container, path]);

/** Every record by the Pod's namespace and name, the container and the path. */
const recordsIn = oncePerNamespace((collection: Collection) => {
  const places = new Map<string, Seen[]>();
  for (const record of collection.ofKind(READ_FILE.group, READ_FILE.kind)) {
    const [namespace, name, container, path] = [
      ["pod", "namespace"],
      ["pod", "name"],
      ["container"],
      ["path"],
    ].map((field) => hint(record.raw, field, TEXT));
    if (name === undefined || container === undefined || path === undefined) continue;
    const place = placeOf(`${namespace}/${name}`, container, path);
    const there = places.get(place);
    if (there === undefined) places.set(place, [record]);
    else there.push(record);
  }
  return places;
});

interface FileRead {
  readonly path: string;
  readonly record: Seen;
  /** null: there was no such file. */
  readonly sha256: string | null;
  readonly at: Instant;
  /** Of the key's content now. */
  readonly wanted: string;
  readonly key: string;
}

export const byFiles = (moment: Moment): ByFiles => {
  const { consumption, object } = moment;
  const content = contentOf(object);
  // C6: a Secret's file is not read.
  if (consumption.mount === null || consumption.kind === "Secret") return SILENT;
  const there = content === null ? [] : [...content.keys.keys()];
  const keys = consumption.keys === null ? there : consumption.keys;
  const reads: FileRead[] = [];
  for (const key of keys) {
    const path = fileOfKey(consumption, key);
    const read = path === null ? null : lastRead(moment, path);
    if (typeof read === "string") return { kind: "unreadable", why: read };
    if (path === null || read === null) continue;
    if (content === null)
      return { kind: "unreadable", why: `what ${objectText(consumption)} holds cannot be read` };
    const wanted = content.keys.get(key);
    if (wanted !== undefined) reads.push({ ...read, path, wanted, key });
  }
  return reads.length === 0 ? SILENT : told(moment, reads, reads.length === keys.length);
};

const SILENT: ByFiles = { kind: "silent" };

/** The last reading of a file in this very start; null: there is none; a text: what cannot be read of one. */
const lastRead = (
  { collection, pod, consumption, start }: Moment,
  path: string,
): Pick<FileRead, "record" | "sha256" | "at"> | string | null => {
  const place = placeOf(`${pod.namespace}/${pod.name}`, consumption.container, path);
  const records = recordsIn(collection, null).get(place);
  if (records === undefined) return null;
  if (start.id.value === undefined) return "which container was started is not told (containerID)";
  let last: Pick<FileRead, "record" | "sha256" | "at"> | null = null;
  for (const record of records) {
    const { raw } = record;
    const uid = hint(raw, ["pod", "uid"], TEXT);
    const id = hint(raw, ["containerId"], TEXT);
    const at = hint(raw, ["at"], TIME);
    const sha256 = raw["sha256"] === null ? null : hint(raw, ["sha256"], TEXT);
    if (uid === undefined || id === undefined || at === undefined || sha256 === undefined)
      return `the record ${quoted(record.source.evidence)}${record.source.pointer} of a file that was read lacks a field`;
    if (uid !== pod.uid || id !== start.id.value) continue;
    if (last === null || at > last.at) last = { record, sha256, at };
  }
  return last;
};

const told = (moment: Moment, reads: readonly FileRead[], isWhole: boolean): ByFiles => {
  const { pod, object, start } = moment;
  const others = reads.filter(({ sha256, wanted }) => sha256 !== wanted);
  const [first] = others.length > 0 ? others : reads;
  const what = objectText(moment.consumption);
  const why =
    first === undefined
      ? ""
      : others.length > 0
        ? `its file ${quoted(first.path)} was ${first.sha256 === null ? "not there" : shortly(first.sha256)} at ${iso(first.at)}, and ${what} holds ${shortly(first.wanted)} for it now`
        : `its file ${quoted(first.path)} was read at ${iso(first.at)} and is what ${what} holds now`;
  return {
    kind: "read",
    isSame: others.length === 0,
    isWhole,
    at: earliestOf(reads, moment.at),
    why,
    cites: [
      [pod, ["metadata", "uid"]],
      [pod, start.id.path],
      ...reads.flatMap(({ record, key }) => [
        [record, ["pod", "uid"]] as const,
        [record, ["containerId"]] as const,
        [record, ["sha256"]] as const,
        [record, ["at"]] as const,
        [object, pathOfKey(object, key)] as const,
      ]),
    ],
  };
};

const pathOfKey = ({ raw }: Seen, key: string): Path =>
  hint(raw, ["data", key], TEXT) === undefined ? ["binaryData", key] : ["data", key];

const earliestOf = (reads: readonly FileRead[], now: Instant): Instant => {
  const [first] = [...reads].sort((a, b) => a.at - b.at);
  return first === undefined ? now : first.at;
};
