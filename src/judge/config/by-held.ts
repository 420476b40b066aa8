/**
 * What one start was given, by what a recorder held of the object around it (L2).
 *
 * Laws: C1 per start. C2 each delivery by its own rule: env is read when the container is made, files when the Pod is set up,
 * or at any time until this start, and a volume's follow after it. C4 contents are compared by digest, and identities told
 * apart beside it. What no record covers is not known, however alike it is before and after.
 */

import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import { createdAt } from "../pod.ts";
import type { Path } from "../read.ts";
import { listed, quoted } from "../words.ts";
import { contentOf, shortly } from "./content.ts";
import { heldOver, isAsNow, type Span, spanCites, spansOf } from "./held.ts";
import { objectText } from "./lack.ts";
import { CLOCK_MARGIN_MS, isFile, type Judged, type Moment, notKnowable } from "./moment.ts";
import { keptByNode } from "./node-holders.ts";

export type ByHeld =
  /** Nothing follows from it; `why`: a clause where a recorder held the object, and not then. */
  | { readonly kind: "silent"; readonly why: string | null }
  /** A record cannot be read, so that nothing else may stand in for it. */
  | { readonly kind: "unreadable"; readonly why: string }
  | {
      readonly kind: "told";
      readonly judged: Judged;
      /** What the start may have been given. */
      readonly given: readonly Span[];
      readonly cites: readonly (readonly [Seen, Path])[];
    }
  /** It was given something else than is there now, and its files follow. */
  | { readonly kind: "other"; readonly given: readonly Span[]; readonly why: string };

export const byHeld = (moment: Moment): ByHeld => {
  const { collection, consumption, object, at } = moment;
  const read = spansOf(collection, consumption.kind, object, at);
  if (read.kind === "unreadable") return { kind: "unreadable", why: read.why };
  if (read.kind !== "known") return { kind: "silent", why: null };
  const [from, to] = readBetween(moment);
  const over = heldOver(read.value, from, to);
  if (over.blind !== null)
    return { kind: "silent", why: `the recorder was blind around this start: ${over.blind}` };
  const given = over.spans;
  const same = given.map((span) => isAsNow(span, object, consumption.keys));
  const isSame = same.every((one) => one === true);
  if (!isSame && !same.every((one) => one === false))
    return {
      kind: "silent",
      why: `about this start it held ${contentsText(given)}, and which of them was given is not known`,
    };
  const kept = keptByNode(moment, madeBefore(moment, read.value, given));
  if (kept !== undefined) return { kind: "silent", why: kept.why };
  if (!isSame) return other(moment, given);
  return follows(moment) ? sinceThen(moment, read.value, given, to) : fresh(moment, read.value, given);
};

/** When the kubelet may have read what it gave, by the API server's clock. */
const readBetween = ({ consumption, created, start, at }: Moment): readonly [Instant, Instant] => {
  const earliest = isFile(consumption) ? created : laterOf(created, before(start.at));
  const latest = after(start.at);
  return [earliest, laterOf(earliest, latest < at ? latest : at)];
};

const before = (time: Instant): Instant => (time - CLOCK_MARGIN_MS) as Instant;
const after = (time: Instant): Instant => (time + CLOCK_MARGIN_MS) as Instant;
const laterOf = (a: Instant, b: Instant): Instant => (a > b ? a : b);

const follows = ({ consumption: { delivery } }: Moment): boolean =>
  delivery === "volume" || delivery === "projected";

/** When the earliest of the incarnations that it may have been given was made, as far as that is known. */
const madeBefore = (
  { object }: Moment,
  all: readonly Span[],
  given: readonly Span[],
): Instant | undefined => {
  const made = given.map(({ uid }) => {
    if (uid === object.uid) return createdAt(object);
    const [first] = all.filter((span) => span.uid === uid);
    return first?.from;
  });
  const [first, ...others] = made;
  return others.reduce(
    (latest, one) => (one === undefined || latest === undefined ? undefined : laterOf(latest, one)),
    first,
  );
};

/** `sha256:1f0c2b…`; of a Secret its resourceVersion. */
const contentsText = (spans: readonly Span[]): string =>
  listed([
    ...new Set(
      spans.map(({ content, resourceVersion }) =>
        content === null ? `resourceVersion ${quoted(resourceVersion)}` : shortly(content.sha256),
      ),
    ),
  ]);

const other = (moment: Moment, given: readonly Span[]): ByHeld => {
  const { consumption, object } = moment;
  const now = contentOf(object);
  const what = objectText(consumption);
  const why = `this start at ${iso(moment.start.at)} was given ${contentsText(given)}, as the recorder held it, and ${what} holds ${now === null ? "another" : shortly(now.sha256)} now${identityText(moment, given)}`;
  const cannotFollow = given.every(({ immutable }) => immutable);
  if (follows(moment) && !cannotFollow) return { kind: "other", given, why };
  return {
    kind: "told",
    judged: { file: isFile(consumption) ? "as-mounted" : null, state: "stale", reason: "held-another", why },
    given,
    cites: citesOf(moment, given),
  };
};

/** For files that follow: that nothing else was there in between either, which a process might have read. */
const sinceThen = (
  moment: Moment,
  all: readonly Span[],
  given: readonly Span[],
  started: Instant,
): ByHeld => {
  const { consumption, object, at } = moment;
  const rest = heldOver(all, started, laterOf(started, at));
  if (rest.blind !== null)
    return {
      kind: "silent",
      why: `the recorder was blind since this start, and files follow the object: ${rest.blind}`,
    };
  const between = rest.spans.filter((span) => isAsNow(span, object, consumption.keys) !== true);
  if (between.length === 0) return fresh(moment, all, [...new Set([...given, ...rest.spans])]);
  return {
    kind: "told",
    judged: notKnowable(
      consumption,
      "another-in-between",
      `this start was given what is there now, and ${contentsText(between)} was in between: its files followed, and whether the process has read them then is not known`,
    ),
    given,
    cites: [],
  };
};

const fresh = (moment: Moment, all: readonly Span[], given: readonly Span[]): ByHeld => {
  const { consumption, object, start } = moment;
  const wasEdited = all.some(
    (span) => span.from > start.at && isAsNow(span, object, consumption.keys) === false,
  );
  const edited = wasEdited ? "; it was edited since, and put back" : "";
  return {
    kind: "told",
    judged: {
      file: !isFile(consumption) ? null : follows(moment) ? "as-the-object" : "as-mounted",
      state: "fresh",
      reason: "held-around-the-start",
      why: `the recorder held ${contentsText(given)} around this start at ${iso(start.at)}, which is what is there now${identityText(moment, given)}${edited}`,
    },
    given,
    cites: citesOf(moment, given),
  };
};

/** C4. */
const identityText = ({ object }: Moment, given: readonly Span[]): string =>
  given.every(({ uid }) => uid === object.uid)
    ? ""
    : `; it was made again since and is another object of this name (UID ${quoted(String(object.uid))})`;

const citesOf = ({ consumption }: Moment, given: readonly Span[]): readonly (readonly [Seen, Path])[] =>
  given.flatMap((span) => spanCites(span, consumption.keys));
