/**
 * What one start of one container was given of one ConfigMap or Secret, judged by times (DESIGN §9, L1).
 *
 * Laws: C1 per container start. C2 each delivery by its own rule. C4 a name is not content: an object that was made again
 * is another one. Nothing is rounded up: times show that nothing was written since a start, and never that something was
 * (`writes.ts`), still less that its bytes differ.
 *
 * Rules: the kubelet resolves env when it makes a container, after the image is there; a volume is set up once for the Pod
 * before any image is pulled, and follows the object with the kubelet's sync (its period, 1 min, and its cache); a subPath
 * stays as it was mounted (kubernetes.io/docs, "Mounted ConfigMaps are updated automatically"). The object's and the Pod's
 * times are the API server's, in whole seconds; a start's is the node's.
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
import type { Consumption } from "./consumptions.ts";
import { lackOf, objectText } from "./lack.ts";
import { earlierHolder, nodeOf } from "./node-holders.ts";
import { type Container, containerOf, type Start } from "./starts.ts";
import { keysIn, lastWrite, type Write } from "./writes.ts";

/** Beyond this the node's clock and the API server's are taken to agree on an order (DESIGN §9). */
const CLOCK_MARGIN_MS = 5_000;
/** The kubelet's sync period and its cache, each a minute as it is shipped. */
const PROPAGATION_MS = 120_000;

export interface Traced {
  readonly pod: Seen;
  readonly consumption: Consumption;
  /** The object as it is now. */
  readonly source: Known<Seen>;
  readonly write: Write | null;
  readonly start: Start | null;
  readonly isImmutable: boolean;
  /** What a volume's file holds by now; null: it is no file. */
  readonly file: "as-the-object" | "as-mounted" | "not-knowable" | null;
  readonly state: ConfigState;
  readonly level: EvidenceLevel;
  /** A stable code. */
  readonly reason: string;
  /** A clause: why it is in this state. */
  readonly why: string;
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
  } as const;
  const open = (state: ConfigState, reason: string, why: string): Traced => ({
    ...base,
    state,
    reason,
    why,
    cites: [],
  });
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
  const write = lastWrite(object, consumption.keys);
  const created = createdAt(pod);
  if (write.kind !== "known" || created === undefined || pod.uid === null || object.uid === null)
    return {
      ...open(
        "not-knowable",
        "no-times",
        created === undefined || pod.uid === null || object.uid === null
          ? `the Pod or ${what} does not say its UID and when it was created`
          : `when ${what} was written last is not known: ${write.kind === "unreadable" ? write.why : "it was not read"}`,
      ),
      isImmutable,
    };
  const told = byTimes(consumption, { write: write.value, created, start, object, at, isImmutable });
  const judged =
    told.state === "fresh" ? (notFromTheNode(collection, pod, consumption, object) ?? told) : told;
  return {
    ...base,
    isImmutable,
    write: write.value,
    level: "L1",
    ...judged,
    cites: [
      [pod, ["metadata", "creationTimestamp"]],
      [pod, ["metadata", "uid"]],
      [pod, ["spec", "nodeName"]],
      [pod, start.path],
      [object, ["metadata", "creationTimestamp"]],
      [object, ["metadata", "uid"]],
      ...write.value.cites.map((path) => [object, path] as const),
    ],
  };
};

/** C4: why a start after the last write may have been given another object all the same; undefined: nothing says so. */
const notFromTheNode = (
  collection: Collection,
  pod: Seen,
  { kind }: Consumption,
  object: Seen,
): Judged | undefined => {
  const unknown = (reason: string, why: string): Judged => ({
    file: null,
    state: "not-knowable",
    reason,
    why,
  });
  const node = nodeOf(pod);
  if (node === undefined) return unknown("no-node", "the Pod does not say on which node it runs");
  if (collection.list(RESOURCES.Pod, pod.namespace).kind !== "known")
    return unknown("pods-not-read", "which other Pods of its node refer to the object was not read");
  const holder = earlierHolder(collection, node, kind, object);
  if (holder === undefined) return undefined;
  return unknown(
    "node-may-keep-another",
    `${holder === pod ? "this Pod" : `Pod ${quoted(holder.name)} of the same node`} is older than the object of this name; if the one before was immutable, the node's kubelet may still hand that out`,
  );
};

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

interface Times {
  readonly write: Write;
  readonly created: Instant;
  readonly start: Start;
  readonly object: Seen;
  readonly at: Instant;
  readonly isImmutable: boolean;
}

type Judged = Pick<Traced, "file" | "state" | "reason" | "why">;

const byTimes = (consumption: Consumption, times: Times): Judged => {
  const { write, created, start } = times;
  const isFile = consumption.delivery !== "env" && consumption.delivery !== "envFrom";
  const written = `it was written at ${iso(write.at)} at the latest, by ${write.manager}`;
  if (write.at <= created)
    return {
      file: isFile ? (consumption.delivery === "subPath" ? "as-mounted" : "as-the-object") : null,
      state: "fresh",
      reason: "written-before-the-pod",
      why: `${written}, not after the Pod was created at ${iso(created)}`,
    };
  if (!isFile) return { file: null, ...sinceStart(times, written) };
  if (consumption.delivery !== "subPath") return followed(times, written);
  // The volume was set up somewhere between the Pod's creation and its first start, and a container that is started
  // again mounts what the volume holds by then.
  return write.at > start.at + CLOCK_MARGIN_MS
    ? { file: "as-mounted", ...sinceStart(times, written) }
    : {
        file: "not-knowable",
        state: "not-knowable",
        reason: "volume-may-lag",
        why: `${written}, after the Pod was created and not after this start at ${iso(start.at)}: whether the volume had it by then is not known`,
      };
};

/** C4. */
const madeAgain = ({ object, created }: Times): string => {
  const made = createdAt(object);
  return made === undefined || made <= created
    ? ""
    : `; it was made again at ${iso(made)} and is another object of this name (UID ${quoted(String(object.uid))})`;
};

/** The object that was there at this start is gone, and another has its name. */
const isMadeSince = ({ object, start }: Times): boolean => {
  const made = createdAt(object);
  return made !== undefined && made > start.at + CLOCK_MARGIN_MS;
};

/** For what is read once, at the start. */
const sinceStart = (times: Times, written: string): Omit<Judged, "file"> => {
  const { write, start } = times;
  if (write.at + CLOCK_MARGIN_MS < start.at)
    return {
      state: "fresh",
      reason: "written-before-the-start",
      why: `${written}, before this start at ${iso(start.at)}`,
    };
  const again = madeAgain(times);
  if (write.at <= start.at + CLOCK_MARGIN_MS)
    return {
      state: "not-knowable",
      reason: "about-the-same-time",
      why: `${written}, too near to this start at ${iso(start.at)} to tell which came first${again}`,
    };
  return isMadeSince(times)
    ? {
        state: "will-change-on-restart",
        reason: "made-again-since",
        why: `this start was at ${iso(start.at)}${again}`,
      }
    : {
        state: "not-knowable",
        reason: "may-be-written-since",
        why: `it may have been written since this start at ${iso(start.at)}, at ${iso(write.at)} at the latest by ${write.manager}; times do not tell whether its bytes differ`,
      };
};

/** Files that follow the object; what the process did with them is its own matter. */
const followed = (times: Times, written: string): Judged => {
  const { write, at, isImmutable } = times;
  const again = madeAgain(times);
  if (isImmutable && isMadeSince(times))
    return {
      file: "as-mounted",
      state: "will-change-on-restart",
      reason: "immutable-made-again",
      why: `the files of an immutable object do not follow it${again}`,
    };
  const isRecent = at - write.at < PROPAGATION_MS;
  return isRecent
    ? {
        file: "not-knowable",
        state: "propagating",
        reason: "volume-follows",
        why: `${written}; the kubelet brings the files up to date within about two minutes of it${again}`,
      }
    : {
        file: "not-knowable",
        state: "not-knowable",
        reason: "process-may-not-have-read-it",
        why: `${written}; the files should follow, and whether the process has read them since is not known${again}`,
      };
};
