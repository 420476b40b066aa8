/**
 * Files that come from ConfigMaps, read in the containers that have them (L4), with the person's consent. Each is read in one
 * start: which container runs is asked right before, and a record of another start says nothing of the one that is judged.
 *
 * C6: what Secrets bring is never read; of all else the bytes become a digest here, and are let go.
 */
import type { Evidence, Seen } from "../domain/evidence.ts";
import { type ReadFile, seenReadFile } from "../domain/held.ts";
import { iso } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Question } from "../domain/question.ts";
import { RESOURCES } from "../domain/resource.ts";
import { Collection } from "../judge/collection.ts";
import { fileOfKey } from "../judge/config/consumptions.ts";
import { type Row, traceTarget } from "../judge/config/of-target.ts";
import { containerOf } from "../judge/config/starts.ts";
import { keysIn } from "../judge/config/writes.ts";
import { rulesOf } from "../judge/rules.ts";
import { nameOf } from "../judge/words.ts";
import type { FileRef, ObjectReading, Resource, Round } from "../ports/cluster.ts";
import type { Collected } from "../ports/evidence-source.ts";
import { sha256Hex } from "../wire/digest.ts";
import { clauseOf } from "./readings.ts";
import { serverTime } from "./server-time.ts";

/** One container of one Pod, with the files that are read in it. */
export interface FilesPlanned {
  readonly pod: Seen;
  readonly container: string;
  readonly role: Row["consumption"]["role"];
  readonly paths: readonly string[];
}

/** A ConfigMap has at most a mebibyte. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** So many processes are started in containers at a time. */
const AT_A_TIME = 4;

/** What would be read of the target's Pods; `subject`: the target as it was read. */
export const filesPlanned = (
  { evidence }: Collected,
  question: Question,
  subject: Seen | null,
): readonly FilesPlanned[] => {
  if (subject === null) return [];
  const collection = new Collection(evidence);
  const given = {
    target: subject,
    expected: question.expected,
    collection,
    at: evidence.at,
    before: new Map(),
  };
  const traced = traceTarget(given, rulesOf(question).of(subject));
  const places = new Map<string, FilesPlanned & { readonly paths: string[] }>();
  for (const row of traced === null ? [] : traced.rows) {
    const paths = pathsOf(row);
    if (paths.length === 0) continue;
    const { container, role } = row.consumption;
    const key = JSON.stringify([row.pod.uid, container]);
    const there = places.get(key);
    if (there === undefined) places.set(key, { pod: row.pod, container, role, paths: [...paths] });
    else there.paths.push(...paths.filter((path) => !there.paths.includes(path)));
  }
  return [...places.values()];
};

/** Of a container that runs; one that has ended has no files any more. */
const pathsOf = ({ consumption, source, start }: Row): readonly string[] => {
  if (consumption.kind === "Secret" || consumption.isServiceAccount) return [];
  if (start === null || !start.path.includes("running") || source.kind !== "known") return [];
  const there = keysIn(source.value);
  const keys = consumption.keys ?? (there.kind === "known" ? [...there.value] : []);
  return keys.flatMap((key) => {
    const path = fileOfKey(consumption, key);
    return path === null ? [] : [path];
  });
};

export interface FilesRead {
  readonly records: readonly Seen[];
  /** What could not be read, each a clause: it limits the judgement. */
  readonly limits: readonly string[];
}

export const readFiles = async (round: Round, planned: readonly FilesPlanned[]): Promise<FilesRead> => {
  const files: ReadFile[] = [];
  const limits: string[] = [];
  for (let at = 0; at < planned.length; at += AT_A_TIME) {
    const read = await Promise.all(planned.slice(at, at + AT_A_TIME).map((one) => readIn(round, one)));
    for (const one of read) {
      files.push(...one.files);
      limits.push(...one.limits);
    }
  }
  return {
    records: files.map((file, at) =>
      seenReadFile(file as unknown as JsonObject, `number ${String(at + 1).padStart(7, "0")}`, {
        evidence: `cat ${file.path} in ${file.container} of Pod ${file.pod.namespace}/${file.pod.name} (${file.containerId})`,
        pointer: "",
      }),
    ),
    limits,
  };
};

/** With what was read in the containers. */
export const withFiles = <T extends { readonly evidence: Evidence }>(
  collected: T,
  { records, limits }: FilesRead,
): T => ({
  ...collected,
  evidence: {
    ...collected.evidence,
    objects: [...collected.evidence.objects, ...records],
    limits: [...collected.evidence.limits, ...limits],
  },
});

interface InOne {
  readonly files: readonly ReadFile[];
  readonly limits: readonly string[];
}

const readIn = async (round: Round, { pod, container, role, paths }: FilesPlanned): Promise<InOne> => {
  const { namespace, name, uid } = pod;
  const nothing = (why: string): InOne => ({
    files: [],
    limits: [`files in ${nameOf(pod)}, container ${container}, were not read: ${why}`],
  });
  if (namespace === null || uid === null) return nothing("the Pod does not say its UID");
  const before = await round.get({ resource: POD, namespace, name });
  if (before.kind !== "observed") return nothing(whyOf(before));
  const running = containerOf({ ...pod, raw: before.object }, role, container).start;
  const containerId = running?.id.value;
  if (before.uid !== uid || running === undefined || containerId === undefined)
    return nothing("the Pod or its container is not the one that was judged any more");
  const time = serverTime(before.exchanges).at;
  if (time === null) return nothing("the API server does not say what time it is");
  const files: ReadFile[] = [];
  const limits: string[] = [];
  for (const path of paths) {
    const ref: FileRef = { namespace, name, container, path, limitBytes: MAX_FILE_BYTES };
    const found = await round.readFile(ref);
    if (found.kind === "read" || found.kind === "no-file")
      files.push({
        pod: { namespace, name, uid },
        container,
        containerId,
        path,
        sha256: found.kind === "read" ? sha256Hex(found.bytes) : null,
        at: iso(time),
      });
    else limits.push(`${path} in ${nameOf(pod)}, container ${container}, was not read: ${whyOf(found)}`);
  }
  return { files, limits };
};

const whyOf = (reading: Exclude<ObjectReading, { kind: "observed" }>): string =>
  reading.kind === "absent" ? "the Pod is not there any more" : clauseOf(reading.sentence);

const POD: Resource = {
  group: RESOURCES.Pod.group,
  version: "v1",
  resource: RESOURCES.Pod.plural,
  kind: RESOURCES.Pod.kind,
  namespaced: true,
};
