/**
 * `config-loaded`: every last start of a container of this template was given what is expected of the object, else what it
 * holds now. Judged per start (C1), by the rule of each delivery (C2); nothing is refuted by times alone, since an edit may
 * have been undone.
 */
import type { Seen } from "../domain/evidence.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import { objectText } from "./config/lack.ts";
import { type Traced, trace } from "./config/loaded.ts";
import { configRule, isWhole, unreferenced } from "./config/rule.ts";
import { type Standing, standingOf } from "./config/standing.ts";
import { tracePods } from "./config/tracing.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import type { PopulationFor } from "./old-gone.ts";
import { isTerminating } from "./pod.ts";
import { counted, listed, nameOf, quoted } from "./words.ts";

export const configLoaded = (populationFor: PopulationFor): Rule =>
  configRule("config-loaded", populationFor, (inquiry, given, pods) =>
    loadedBy(
      inquiry,
      given,
      pods.filter((pod) => !isTerminating(pod)),
    ),
  );

const loadedBy = (inquiry: Inquiry, given: Case, pods: readonly Seen[]): Found => {
  if (inquiry.needList(given.collection, RESOURCES.Pod, given.target.namespace) === undefined)
    return inquiry.unknown();
  const tracing = tracePods(pods, given.collection, given.at);
  if (!isWhole(inquiry, tracing)) return inquiry.unknown();
  const { traced } = tracing;
  const own = traced.filter(({ consumption }) => !consumption.isServiceAccount);
  const nowhere = unreferenced(
    given,
    own.map(({ consumption }) => consumption),
  );
  if (pods.length > 0 && nowhere !== null) return inquiry.refuted("not-referenced", nowhere);
  if (own.length === 0)
    return inquiry.undetermined(
      pods.length === 0 ? "vacuous" : "takes-none",
      pods.length === 0
        ? "no Pod of this template runs, so none has loaded anything"
        : "no container of its Pods takes anything from a ConfigMap or Secret",
    );
  inquiry.limit(
    "times of objects are whole seconds, and two events within one second are taken in the order of their rules",
  );
  inquiry.limit(
    "a node may have kept an earlier immutable object of the name for a Pod that is gone by now; that leaves no trace",
  );
  if (own.some(({ consumption }) => consumption.keys === null))
    inquiry.limit("that somebody else removed a key since leaves no trace in times");
  const standing = own
    .map((one): Judged => ({ traced: one, ...standingIn(inquiry, given, one) }))
    .sort(byWhere);
  const wrong = standing.filter(({ finding }) => finding === "refuted");
  const [first] = wrong;
  if (first !== undefined)
    return inquiry.refuted(
      first.reason,
      `${counted(wrong.length, "reference")} ${wrong.length === 1 ? "was" : "were"} given something else${wrong.length === 1 ? "" : ", the first of them"}: ${whereOf(first.traced)}: ${first.says}`,
    );
  const open = standing.filter(({ finding }) => finding === "open");
  if (open.length === 0)
    return inquiry.proven(
      "loaded",
      `${counted(own.length, "reference")} of ${counted(pods.length, "Pod")} ${own.length === 1 ? "was" : "were"} given what ${objectsOf(own)} ${hold(own)} ${given.expected.config.size === 0 ? "now" : "and is expected"}`,
    );
  return stillOpen(inquiry, given, open);
};

interface Judged extends Standing {
  readonly traced: Traced;
}

const standingIn = (inquiry: Inquiry, given: Case, traced: Traced): Standing => {
  const { pod, consumption } = traced;
  const expected = consumption.kind === "ConfigMap" ? given.expected.config.get(consumption.name) : undefined;
  const standing = standingOf(traced, expected, () =>
    trace(pod, { ...consumption, keys: null }, given.collection, given.at),
  );
  for (const [object, path] of standing.cites) inquiry.cite(object, path);
  return standing;
};

const stillOpen = (inquiry: Inquiry, given: Case, open: readonly Judged[]): Found => {
  for (const { traced } of open)
    if (traced.source.kind !== "known" && traced.source.kind !== "absent") inquiry.miss(missed(traced));
  const [worst] = [...open].sort(bySeverity);
  const told = worst === undefined ? "" : `: ${whereOf(worst.traced)}: ${worst.says}`;
  const more = open.length > 1 ? `${open.length} references, the first of them` : "1 reference";
  const sentence = `what was loaded is not shown of ${more}${told}`;
  const follows = open.every(({ traced }) => traced.state === "propagating");
  const moves = open.every(({ traced, reason }) => traced.state === "propagating" || NO_START.has(reason));
  const isUnderWay = given.before.get("rollout-complete")?.finding === "progressing";
  if (moves && (isUnderWay || follows))
    return inquiry.progressing(isUnderWay ? "waiting-for" : "propagating", sentence);
  return inquiry.undetermined(worst === undefined ? "not-knowable" : worst.reason, sentence);
};

const NO_START: ReadonlySet<string> = new Set(["not-started", "not-running"]);

const ORDER: readonly Traced["state"][] = [
  "reference-missing",
  "stale",
  "will-change-on-restart",
  "not-knowable",
  "propagating",
  "fresh",
];

/** The same first one in whatever order they were read (V2). */
const bySeverity = (a: Judged, b: Judged): number =>
  ORDER.indexOf(a.traced.state) - ORDER.indexOf(b.traced.state) || byWhere(a, b);

const byWhere = (a: Judged, b: Judged): number => (whereOf(a.traced) < whereOf(b.traced) ? -1 : 1);

/** `Pod shop/web-1, container web, env MODE from ConfigMap settings`. */
export const whereOf = ({ pod, consumption }: Traced): string =>
  `${nameOf(pod)}, container ${quoted(consumption.container)}, ${consumption.delivery} ${quoted(consumption.as)} from ${objectText(consumption)}`;

const missed = ({ pod, consumption }: Traced): string =>
  nameOf({ kind: consumption.kind, namespace: pod.namespace, name: quoted(consumption.name) });

const hold = (own: readonly Traced[]): string =>
  new Set(own.map(({ consumption }) => objectText(consumption))).size === 1 ? "holds" : "hold";

const objectsOf = (own: readonly Traced[]): string =>
  listed([...new Set(own.map(({ consumption }) => objectText(consumption)))].sort());
