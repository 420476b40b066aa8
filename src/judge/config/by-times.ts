/**
 * What one start was given, by times alone (L1). Nothing is rounded up: times show that nothing was written since a start, and
 * never that something was (`writes.ts`), still less that its bytes differ.
 *
 * Rules: the kubelet resolves env when it makes a container, after the image is there; a volume is set up once for the Pod
 * before any image is pulled, and follows the object with the kubelet's sync (its period, 1 min, and its cache); a subPath
 * stays as it was mounted (kubernetes.io/docs, "Mounted ConfigMaps are updated automatically"). The object's and the Pod's
 * times are the API server's, in whole seconds; a start's is the node's.
 */
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import { createdAt } from "../pod.ts";
import { quoted } from "../words.ts";
import type { Consumption } from "./consumptions.ts";
import { objectText } from "./lack.ts";
import { CLOCK_MARGIN_MS, isFile, type Judged, type Moment } from "./moment.ts";
import type { Start } from "./starts.ts";
import { lastWrite, type Write } from "./writes.ts";

/** The kubelet's sync period and its cache, each a minute as it is shipped. */
export const PROPAGATION_MS = 120_000;

export interface ByTimes extends Judged {
  /** null: when it was written is not known. */
  readonly write: Write | null;
}

export const byTimes = (moment: Moment): ByTimes => {
  const { consumption, object } = moment;
  const write = lastWrite(object, consumption.keys);
  if (write.kind === "known")
    return { write: write.value, ...judgedBy(consumption, { ...moment, write: write.value }) };
  const why = write.kind === "unreadable" ? write.why : "it was not read";
  return {
    write: null,
    file: null,
    state: "not-knowable",
    reason: "no-times",
    why: `when ${objectText(consumption)} was written last is not known: ${why}`,
  };
};

interface Times {
  readonly write: Write;
  readonly created: Instant;
  readonly start: Start;
  readonly object: Seen;
  readonly at: Instant;
  readonly isImmutable: boolean;
}

const judgedBy = (consumption: Consumption, times: Times): Judged => {
  const { write, created, start } = times;
  const file = isFile(consumption);
  const written = `it was written at ${iso(write.at)} at the latest, by ${write.manager}`;
  if (write.at <= created)
    return {
      file: file ? (consumption.delivery === "subPath" ? "as-mounted" : "as-the-object") : null,
      state: "fresh",
      reason: "written-before-the-pod",
      why: `${written}, not after the Pod was created at ${iso(created)}`,
    };
  if (!file) return { file: null, ...sinceStart(times, written) };
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
