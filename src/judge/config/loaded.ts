/**
 * What one start of one container was given of one ConfigMap or Secret, by the strongest evidence there is (DESIGN §9).
 *
 * Laws: C1 per container start. C2 each delivery by its own rule. C4 a name is not content: an object that was made again
 * is another one, and what it holds is told by its digest. Two levels that contradict each other prove nothing.
 */
import type { ConfigState, EvidenceLevel } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { Known } from "../../domain/known.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Collection } from "../collection.ts";
import { createdAt } from "../pod.ts";
import { FLAG, hint, type Path } from "../read.ts";
import { quoted } from "../words.ts";
import { type ByFiles, byFiles } from "./by-files.ts";
import { byHeld } from "./by-held.ts";
import { type ByTimes, byTimes, PROPAGATION_MS } from "./by-times.ts";
import type { Consumption } from "./consumptions.ts";
import { contentPaths } from "./content.ts";
import type { Span } from "./held.ts";
import { lackOf, objectText } from "./lack.ts";
import { type Judged, type Moment, notKnowable } from "./moment.ts";
import { keptByNode } from "./node-holders.ts";
import { type Container, containerOf, type Start } from "./starts.ts";
import { keysIn, type Write } from "./writes.ts";

export interface Traced extends Judged {
  readonly pod: Seen;
  readonly consumption: Consumption;
  /** The object as it is now. */
  readonly source: Known<Seen>;
  readonly write: Write | null;
  readonly start: Start | null;
  readonly isImmutable: boolean;
  readonly level: EvidenceLevel;
  /** What the start may have been given, as a recorder held it; null: that is not known. */
  readonly given: readonly Span[] | null;
  /** What it rests on. */
  readonly cites: readonly (readonly [Seen, Path])[];
}

export const trace = (pod: Seen, consumption: Consumption, collection: Collection, at: Instant): Traced => {
  const source = collection.object(RESOURCES[consumption.kind], pod.namespace, consumption.name);
  const container = containerOf(pod, consumption.role, consumption.container);
  const start = container.start ?? null;
  const base = {
    pod,
    consumption,
    source,
    start,
    write: null,
    isImmutable: false,
    file: null,
    level: "L0",
    given: null,
    cites: [],
  } as const;
  const open = (state: ConfigState, reason: string, why: string): Traced => ({ ...base, state, reason, why });
  const what = objectText(consumption);
  const lack = lackOf(consumption, source);
  if (lack !== null) return missing(open, consumption, lack);
  if (source.kind !== "known")
    return open(
      "not-knowable",
      source.kind === "unreadable" ? "not-read" : "not-asked",
      source.kind === "unreadable"
        ? `${what} could not be read: ${source.why}`
        : `${what} was not asked for${consumption.kind === "Secret" ? " (--secrets asks which keys Secrets have)" : ""}`,
    );
  const object = source.value;
  if (keysIn(object).kind !== "known")
    return open("not-knowable", "not-read", `what ${what} holds cannot be read`);
  const isImmutable = hint(object.raw, ["immutable"], FLAG) === true;
  if (start === null) return { ...notStarted(open, container), isImmutable };
  const created = createdAt(pod);
  if (created === undefined || pod.uid === null || object.uid === null)
    return {
      ...open("not-knowable", "no-times", `the Pod or ${what} does not say its UID and when it was created`),
      isImmutable,
    };
  const moment: Moment = { collection, pod, consumption, object, isImmutable, created, start, at };
  return { ...base, isImmutable, ...byLevels(moment) };
};

type ByLevels = Pick<Traced, "write" | "level" | "given" | "cites"> & Judged;

/**
 * What a recorder held decides where it was not blind, and times where it was; a file that stays as it was mounted decides
 * before both. Which of them is asked never depends on a field that a proof rests on, so that without such a field nothing
 * else steps in (V1).
 */
const byLevels = (moment: Moment): ByLevels => {
  const files = byFiles(moment);
  const others = byRecords(moment);
  switch (files.kind) {
    case "silent":
      return others;
    case "unreadable":
      return {
        ...others,
        level: "L0",
        given: null,
        cites: [],
        ...notKnowable(moment.consumption, "file-unreadable", files.why),
      };
    case "read":
      return moment.consumption.delivery === "subPath"
        ? asMounted(moment, files, others)
        : followed(moment, files, others);
  }
};

type FilesRead = Extract<ByFiles, { kind: "read" }>;

/** The process was started with this very file, and has no other. */
const asMounted = (moment: Moment, files: FilesRead, others: ByLevels): ByLevels => {
  const state = files.isSame ? "fresh" : "stale";
  if (files.isSame && !files.isWhole) return others;
  if ((others.state === "fresh" || others.state === "stale") && others.state !== state)
    return contradiction(moment, others, files.why);
  const reason = files.isSame ? "file-as-the-object" : "file-is-another";
  const { why, cites } = files;
  return {
    file: files.isSame ? "as-the-object" : "another",
    state,
    reason,
    why,
    write: others.write,
    level: "L4",
    given: others.given,
    cites,
  };
};

/** Files that follow say what is there to be read, and not what was. */
const followed = (moment: Moment, files: FilesRead, others: ByLevels): ByLevels => {
  if (others.state === "fresh") return files.isSame ? others : contradiction(moment, others, files.why);
  const base = { write: others.write, level: "L4", given: others.given, cites: files.cites } as const;
  if (files.isSame)
    return !files.isWhole
      ? others
      : {
          ...base,
          file: "as-the-object",
          state: "not-knowable",
          reason: "process-may-not-have-read-it",
          why: `${files.why}; whether the process has read it since its start is not known`,
        };
  const { write } = others;
  if (write === null || write.at + PROPAGATION_MS > files.at)
    return { ...others, file: "another", why: `${files.why}; ${others.why}` };
  return {
    ...base,
    file: "another",
    state: "stale",
    reason: "file-is-behind",
    why: `${files.why}, though it was written at ${iso(write.at)} at the latest, and files follow within about two minutes`,
  };
};

const byRecords = (moment: Moment): ByLevels => {
  const { consumption } = moment;
  const times = timed(moment);
  const held = byHeld(moment);
  const { write } = times;
  switch (held.kind) {
    case "unreadable":
      return {
        write,
        level: "L0",
        given: null,
        cites: [],
        ...notKnowable(consumption, "held-unreadable", held.why),
      };
    case "silent":
      return times.state === "fresh" || held.why === null
        ? byTimesAlone(moment, times)
        : { ...byTimesAlone(moment, times), why: `${times.why}; ${held.why}` };
    case "other":
      if (times.state === "fresh") return contradiction(moment, times, held.why);
      return {
        ...byTimesAlone(moment, times),
        level: "L2",
        given: held.given,
        why: `${held.why}; ${times.why}`,
      };
    case "told": {
      const { judged, given, cites } = held;
      if (judged.state !== "fresh" && times.state === "fresh")
        return contradiction(moment, times, judged.why);
      return { ...judged, write, level: "L2", given, cites: [...cites, ...heldCites(moment, given)] };
    }
  }
};

const contradiction = (
  { consumption }: Moment,
  { write, why }: Pick<ByTimes, "write" | "why">,
  told: string,
): ByLevels => ({
  write,
  level: "L0",
  given: null,
  cites: [],
  ...notKnowable(consumption, "contradiction", `${why}; but ${told}`),
});

/** As times have it, if no node may have kept another object. */
const timed = (moment: Moment): ByTimes => {
  const told = byTimes(moment);
  const kept = told.state === "fresh" ? keptByNode(moment, createdAt(moment.object)) : undefined;
  return kept === undefined
    ? told
    : { write: told.write, ...notKnowable(moment.consumption, kept.reason, kept.why) };
};

const byTimesAlone = ({ pod, start, object }: Moment, told: ByTimes): ByLevels => {
  const { write } = told;
  if (write === null) return { ...told, level: "L0", given: null, cites: [] };
  return {
    ...told,
    level: "L1",
    given: null,
    cites: [
      ...startCites(pod, start),
      [object, ["metadata", "creationTimestamp"]],
      [object, ["metadata", "uid"]],
      ...write.cites.map((path) => [object, path] as const),
    ],
  };
};

const startCites = (pod: Seen, start: Start): readonly (readonly [Seen, Path])[] => [
  [pod, ["metadata", "creationTimestamp"]],
  [pod, ["metadata", "uid"]],
  [pod, ["spec", "nodeName"]],
  [pod, start.path],
];

/** What a comparison of contents rests on beside the records. */
const heldCites = (moment: Moment, given: readonly Span[]): readonly (readonly [Seen, Path])[] => [
  ...givenCites(moment, given),
  ...contentPaths(moment.object).map((path) => [moment.object, path] as const),
];

/** What it rests on that a start was given what these spans hold, beside their records. */
export const givenCites = (
  { pod, start, object }: Pick<Moment, "pod" | "start" | "object">,
  given: readonly Span[],
): readonly (readonly [Seen, Path])[] => [
  ...startCites(pod, start),
  // When the object of now was made bears on it where it is the one that was given.
  ...(given.some(({ uid }) => uid === object.uid)
    ? [[object, ["metadata", "creationTimestamp"]] as const]
    : []),
  [object, ["metadata", "uid"]],
  [object, ["metadata", "resourceVersion"]],
];

type Open = (state: ConfigState, reason: string, why: string) => Traced;

const missing = (open: Open, { optional }: Consumption, why: string): Traced =>
  optional
    ? open(
        "not-knowable",
        "optional-missing",
        `${why}; it is optional, so the next container starts without it`,
      )
    : open(
        "reference-missing",
        "reference-missing",
        `${why}, and the next container would not start without it`,
      );

const notStarted = (open: Open, { waitsFor, hasRun }: Container): Traced => {
  const why = waitsFor === undefined ? "" : ` (${quoted(waitsFor)})`;
  return hasRun
    ? open(
        "not-knowable",
        "not-running",
        `the container does not run now${why}, and its next start is still to come`,
      )
    : open(
        "not-knowable",
        "not-started",
        `the container has not started${why}, so it has been given nothing yet`,
      );
};
