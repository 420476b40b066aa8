/**
 * `pod-replaced`: a Pod that was removed is gone, and another one came in its place and is right (Y2). Right is: owned through
 * the kind's whole chain by the workload, which is the one of before; Ready; given its config; and, where an answer is
 * expected, one tied to that very Pod. Names prove nothing here: a StatefulSet's new Pod is called as the old one was.
 *
 * By when it has to be Ready is told by who asks (`by`), or it has all the time there is (V4).
 */
import type { Seen } from "../domain/evidence.ts";
import { iso } from "../domain/ids.ts";
import type { Replacing } from "../domain/replacing.ts";
import { RESOURCES } from "../domain/resource.ts";
import { viaText } from "../domain/response.ts";
import { sendersOf } from "./answered-by.ts";
import { answersBy, limitByPath } from "./answers.ts";
import type { Case, Rule } from "./case.ts";
import { controllerOf } from "./collection.ts";
import { conditionOf } from "./conditions.ts";
import { configLoaded } from "./config-loaded.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { PopulationFor } from "./old-gone.ts";
import { isActive, isReady, isTerminating } from "./pod.ts";
import type { Population } from "./population.ts";
import { hint, type Path, TEXT, WHOLE } from "./read.ts";
import { differences } from "./response.ts";
import { troubles, troubleText } from "./troubles.ts";
import { beingDeleted } from "./whole.ts";
import { counted, listed, nameOf, quoted } from "./words.ts";

export const podReplaced =
  (populationFor: PopulationFor, wantedAt: Path = ["spec", "replicas"]): Rule =>
  (given) => {
    const inquiry = new Inquiry("pod-replaced");
    const { target, expected } = given;
    const { replaced } = expected;
    if (replaced === null || replaced.uids.length === 0)
      return inquiry.undetermined("not-asked", "no Pod is named that was to be replaced (--replaced UID)");
    const stop = sameIncarnation(inquiry, target, expected) ?? beingDeleted(inquiry, target);
    if (stop !== undefined) return stop;
    if (expected.uid === null) {
      inquiry.miss(`the UID that ${nameOf(target)} had before (--uid)`);
      return inquiry.undetermined(
        "not-pinned",
        `whether ${nameOf(target)} is the one of before is not told: say which UID it had (--uid)`,
      );
    }
    const pods = inquiry.needList(given.collection, RESOURCES.Pod, target.namespace);
    if (pods === undefined) return inquiry.unknown();
    // One without a UID may be the very one that was to go.
    for (const pod of pods.objects) if (pod.uid === null) inquiry.need(pod, ["metadata", "uid"], TEXT);
    if (inquiry.missing.length > 0) return inquiry.unknown();
    const left = pods.objects.filter(({ uid }) => uid !== null && replaced.uids.includes(uid));
    if (left.length > 0) return stillThere(inquiry, left);
    const population = populationFor(inquiry, given);
    if (population === undefined) return inquiry.unknown();
    if ("claim" in population) return population;
    return inItsPlace(inquiry, given, { replaced, population, wantedAt });
  };

const stillThere = (inquiry: Inquiry, left: readonly Seen[]): Found => {
  for (const pod of left) inquiry.cite(pod, ["metadata", "uid"]);
  const names = listed(left.map(({ name, uid }) => `${name} (UID ${uid})`).sort());
  if (!left.every(isTerminating))
    return inquiry.refuted(
      "still-there",
      `the Pod that was to be replaced is there, and is not being deleted: ${names}`,
    );
  for (const pod of left) inquiry.cite(pod, ["metadata", "deletionTimestamp"]);
  return inquiry.progressing(
    "terminating",
    `the Pod that was to be replaced is terminating and may still run: ${names}`,
  );
};

/** Those that came since; without word of who else ran, whoever may have. */
const cameInstead = ({ uids, beside }: Replacing, { fresh }: Pick<Population, "fresh">): readonly Seen[] => {
  const others = fresh.filter((pod) => isActive(pod) && pod.uid !== null && !uids.includes(pod.uid));
  const came = beside === null ? others : others.filter(({ uid }) => uid !== null && !beside.includes(uid));
  return came.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

interface Place {
  readonly replaced: Replacing;
  readonly population: Population;
  /** Where the workload says how many it wants. */
  readonly wantedAt: Path;
}

const inItsPlace = (inquiry: Inquiry, given: Case, place: Place): Found => {
  const { target } = given;
  const { replaced, population, wantedAt } = place;
  const came = cameInstead(replaced, population);
  if (came.length < replaced.uids.length) return noneYet(inquiry, given, place, came.length);
  if (replaced.beside === null) {
    inquiry.limit(
      "which Pod came in its place is not told, as it is not known who ran beside it: each Pod is as it should be, unless fewer are wanted now than before",
    );
    const wanted = inquiry.need(target, wantedAt, WHOLE);
    if (wanted === undefined) return inquiry.unknown();
    const fresh = population.fresh.filter(isActive).length;
    if (fresh < wanted)
      return late(
        inquiry,
        given,
        replaced,
        "no-replacement",
        `${fresh} of ${counted(wanted, "Pod")} are there, so none may have come in its place yet`,
      );
  }
  for (const pod of came) citeChain(inquiry, pod);
  const unready = came.filter((pod) => !isReadyBy(inquiry, pod));
  if (inquiry.missing.length > 0) return inquiry.unknown();
  if (unready.length > 0) return notReady(inquiry, given, replaced, unready);
  const config = withConfig(inquiry, given, population, came);
  return typeof config === "string" ? withAnswer(inquiry, given, { population, came, config }) : config;
};

const noneYet = (
  inquiry: Inquiry,
  given: Case,
  { replaced, population: { fresh }, wantedAt }: Place,
  count: number,
): Found => {
  const wanted = hint(given.target.raw, wantedAt, WHOLE);
  const sentence = `${count} of ${counted(replaced.uids.length, "Pod")} came in place of what is gone`;
  if (wanted !== undefined && fresh.filter(isActive).length >= wanted) {
    inquiry.miss(`${nameOf(given.target)}: a Pod that is wanted in place of the one that is gone`);
    return inquiry.undetermined(
      "not-wanted",
      `${sentence}, and none is wanted: ${counted(wanted, "Pod")} of this template ${wanted === 1 ? "is" : "are"} asked for, and as many run`,
    );
  }
  return late(inquiry, given, replaced, "no-replacement", `${sentence} yet`);
};

/** What has no bound may still come (V4). */
const late = (inquiry: Inquiry, { at }: Case, { by }: Replacing, reason: string, sentence: string): Found =>
  by !== null && at >= by
    ? inquiry.refuted(reason, `${sentence}, and it had to be Ready by ${iso(by)}`)
    : inquiry.progressing(reason, sentence);

const citeChain = (inquiry: Inquiry, pod: Seen): void => {
  inquiry.need(pod, ["metadata", "uid"], TEXT);
  const owner = controllerOf(pod);
  if (owner !== undefined) inquiry.need(pod, ["metadata", "ownerReferences", owner.at, "uid"], TEXT);
};

/** A Pod without the condition is not ready yet. */
const isReadyBy = (inquiry: Inquiry, pod: Seen): boolean => {
  const ready = conditionOf(pod, "Ready");
  if (ready.kind === "unreadable") inquiry.miss(`${nameOf(pod)} ${ready.why}`);
  if (ready.kind !== "known") return false;
  inquiry.cite(pod, [...ready.value.path, "status"]);
  return isReady(pod);
};

const notReady = (inquiry: Inquiry, given: Case, replaced: Replacing, unready: readonly Seen[]): Found => {
  const found = troubles(unready, given);
  for (const { pod, trouble } of found) inquiry.cite(pod, trouble.path);
  const what =
    found.length > 0
      ? troubleText(found)
      : `Pod ${listed(unready.map(({ name }) => name).sort())} ${unready.length === 1 ? "is" : "are"} not Ready`;
  const lasting = found.find(({ trouble }) => trouble.lasting);
  const sentence = `what came in its place does not run as it should: ${what}`;
  return lasting === undefined
    ? late(inquiry, given, replaced, found[0] === undefined ? "not-ready" : found[0].trouble.reason, sentence)
    : inquiry.refuted(lasting.trouble.reason, sentence);
};

/** A clause: it was given what its objects hold now, or takes nothing. */
const withConfig = (
  inquiry: Inquiry,
  given: Case,
  population: Population,
  came: readonly Seen[],
): Found | string => {
  const theirs: Population = { ...population, fresh: came, old: [], held: [], unknown: [] };
  const { finding, reason, sentence, evidence, missing, limits } = configLoaded(() => theirs)(given);
  if (finding === "undetermined" && reason === "takes-none") return "and takes no config";
  for (const cited of evidence) inquiry.citeReading(cited);
  if (finding === "proven") {
    for (const limit of limits) if (!limit.startsWith("it does not tell")) inquiry.limit(limit);
    return "and was given its config";
  }
  for (const what of missing) inquiry.miss(what);
  const told = `the config of what came in its place: ${sentence}`;
  if (finding === "refuted") return inquiry.refuted(reason, told);
  return finding === "progressing" ? inquiry.progressing(reason, told) : inquiry.undetermined(reason, told);
};

interface Came {
  readonly population: Population;
  readonly came: readonly Seen[];
  /** What is shown of its config, a clause. */
  readonly config: string;
}

const withAnswer = (inquiry: Inquiry, given: Case, { population, came, config }: Came): Found => {
  const { response, replaced } = given.expected;
  if (response === null) {
    const reply = replaced === null ? null : replaced.reply;
    if (reply === null) return inPlace(inquiry, given, came, config);
    inquiry.miss(`an answer by ${quoted(reply)} from what came in its place`);
    return inquiry.undetermined(
      "reply-not-asked",
      `a reply by ${quoted(reply)} is expected of what came in its place, and none was asked for now: run the drill again, or ask for it (asfound verify --via)`,
    );
  }
  const via = viaText(response.via);
  if (response.pod === null && response.via.kind !== "pod") {
    inquiry.miss("which Pod answered (--pod)");
    return inquiry.undetermined(
      "not-told",
      `by ${via} it is not told which Pod answers: say where the app names it (--pod), or ask the Pods (--via pod)`,
    );
  }
  const { replied } = answersBy(given, response);
  const uids = new Set(came.map(({ uid }) => uid));
  // Of others nothing is looked at: what they lack says nothing of this one.
  const theirs = sendersOf(given, population, response, replied).filter(({ uid }) => uids.has(uid));
  const silent = came.filter(({ uid }) => !theirs.some((one) => one.uid === uid));
  if (silent.length > 0) {
    inquiry.miss(`an answer by ${via} from Pod ${listed(silent.map(({ name }) => name))}`);
    return inquiry.undetermined(
      "no-answer",
      `${replied.length === 0 ? "no reply came" : `none of ${counted(replied.length, "reply", "replies")} is known to have come`} by ${via} from ${listed(silent.map(({ name }) => `Pod ${name}`))}, which came in its place`,
    );
  }
  limitByPath(
    inquiry,
    response,
    theirs.map(({ answer }) => answer),
  );
  for (const { cited } of theirs) for (const one of cited) inquiry.citeReading(one);
  const wrong = theirs.flatMap(({ answer }) => differences(inquiry, answer, response.expect).slice(0, 1));
  if (wrong.length > 0)
    return inquiry.refuted(
      "other-reply",
      `${wrong.length} of ${counted(theirs.length, "reply", "replies")} by ${via} of what came in its place ${wrong.length === 1 ? "is" : "are"} not as expected: ${listed([...new Set(wrong)])}`,
    );
  if (inquiry.missing.length > 0) return inquiry.unknown();
  return inPlace(
    inquiry,
    given,
    came,
    `${config}, and ${counted(theirs.length, "reply", "replies")} of it by ${via} ${theirs.length === 1 ? "is" : "are"} as expected`,
  );
};

const inPlace = (inquiry: Inquiry, { target }: Case, came: readonly Seen[], shown: string): Found => {
  const who = listed(came.map((pod) => `Pod ${pod.name} (UID ${quoted(String(pod.uid))})`));
  return inquiry.proven(
    "replaced",
    `${who} came in its place: controlled by the same ${nameOf(target)}, Ready ${shown}`,
  );
};
