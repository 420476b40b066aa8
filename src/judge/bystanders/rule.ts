/**
 * `bystanders-unchanged`: nobody but the target was touched (Y3), by UID, declared state, Pods and readiness, before and
 * after. A change is told with its author and time, and whether it is one of ours.
 *
 * Laws: nobody named proves nothing (V5); a state before that cannot be compared is named, never taken for equal.
 */
import { type Before, type BystanderReply, type Bystanders, OUR_MANAGER } from "../../domain/bystander.ts";
import type { Writer } from "../../domain/difference.ts";
import type { Seen } from "../../domain/evidence.ts";
import { iso } from "../../domain/ids.ts";
import type { Rule } from "../case.ts";
import type { Collection } from "../collection.ts";
import { Inquiry } from "../inquiry.ts";
import { counted, listed, nameOf } from "../words.ts";
import { type Change, type Compared, compare } from "./compared.ts";
import { type Answered, answered } from "./replies.ts";
import { bystandersMeant, type Meant, meantBy, unreadBefore } from "./whom.ts";

export const bystandersUnchanged: Rule = ({ expected: { bystanders }, collection, target, at }) => {
  const inquiry = new Inquiry("bystanders-unchanged");
  const meant = bystanders === null ? [] : bystandersMeant(bystanders, collection, target);
  const before = bystanders === null ? null : bystanders.before;
  if (before !== null && before.evidence.at > at)
    return inquiry.undetermined(
      "later",
      `${before.named} is of ${iso(before.evidence.at)}, after what is judged (${iso(at)}): it is no state before`,
    );
  if (before !== null && bystanders?.named === null) {
    const { failed, notAsked } = unreadBefore(before);
    for (const why of failed) inquiry.miss(why);
    if (notAsked.length > 0)
      inquiry.limit(`not in ${before.named}, and so not compared: ${listed(notAsked)}`);
  }
  if (meant.length === 0)
    return inquiry.undetermined(
      "vacuous",
      before === null
        ? "no bystander is named, so nothing was compared; name a state before (--bystanders DIR)"
        : `${before.named} holds no workload but the target, so nothing was compared`,
    );
  const compared = meant.map((one) => compare(inquiry, one, before, collection));
  const asked = repliesOf(bystanders, collection, target).map(([reply, one]) =>
    answered(inquiry, reply, one, before, collection),
  );
  const changed = together(compared, asked).filter(({ changes }) => changes.length > 0);
  if (changed.length > 0) return inquiry.refuted(reasonOf(changed), changedText(compared.length, changed));
  if (inquiry.missing.length > 0) return inquiry.unknown();
  if (before === null)
    inquiry.limit("what its Pods were before was not told: one that was restarted is not seen");
  inquiry.limit(
    "labels and annotations of the objects themselves are not compared; what was made since is not looked at",
  );
  limitByAnswers(inquiry, meant.length, asked, before);
  const same = sameText(compared, before === null ? null : iso(before.evidence.at));
  return inquiry.proven("unchanged", `${same}${answersText(asked)}`);
};

/** What somebody named to be asked, with whom it means. */
const repliesOf = (
  bystanders: Bystanders | null,
  collection: Collection,
  target: Seen,
): readonly (readonly [BystanderReply, Meant])[] =>
  bystanders?.replies === undefined
    ? []
    : bystanders.replies.map((reply) => [reply, meantBy(reply, collection, target)]);

/** The changes of one bystander stand together. */
const together = (compared: readonly Compared[], asked: readonly Answered[]): readonly Compared[] => {
  const isSame = (a: Meant, b: Meant): boolean =>
    a.resource.kind === b.resource.kind && a.namespace === b.namespace && a.name === b.name;
  const of = (meant: Meant): readonly Change[] =>
    asked.filter((one) => isSame(one.meant, meant)).flatMap(({ changes }) => changes);
  const others = asked.filter(({ meant }) => !compared.some((one) => isSame(one.meant, meant)));
  return [
    ...compared.map((one) => ({ ...one, changes: [...one.changes, ...of(one.meant)] })),
    ...others.map(({ meant, changes }) => ({ meant, changes, pods: 0 })),
  ];
};

/** What was not asked is said. */
const limitByAnswers = (
  inquiry: Inquiry,
  all: number,
  asked: readonly Answered[],
  before: Before | null,
): void => {
  const unasked =
    all - new Set(asked.map(({ meant }) => nameOf({ ...meant, kind: meant.resource.kind }))).size;
  if (unasked > 0)
    inquiry.limit(
      `${counted(unasked, "bystander")} ${unasked === 1 ? "was" : "were"} not asked for a reply: what ${unasked === 1 ? "it answers" : "they answer"} is not compared`,
    );
  const since = asked.filter(({ isBefore }) => !isBefore).length;
  if (since > 0)
    inquiry.limit(
      `${counted(since, "bystander")} ${since === 1 ? "was" : "were"} asked now alone${before === null ? "" : `, and not in ${before.named}`}: that ${since === 1 ? "its answer" : "their answers"} were so before is what was expected`,
    );
};

const answersText = (asked: readonly Answered[]): string => {
  if (asked.length === 0) return "";
  const both = asked.filter(({ isBefore }) => isBefore).length;
  return `; ${counted(asked.length, "answer")} as expected${both === 0 ? "" : `, ${both} of them before too`}`;
};

const sameText = (compared: readonly Compared[], since: string | null): string => {
  const who = `${counted(compared.length, "bystander")} ${compared.length === 1 ? "is" : "are"} as ${since === null ? "was told" : `at ${since}`}`;
  const pods = compared.reduce((sum, one) => sum + one.pods, 0);
  return since === null
    ? `${who}: the same ${compared.length === 1 ? "UID" : "UIDs"} and generations`
    : `${who}: the same UIDs and specs; of ${counted(pods, "Pod")} none is gone, was started again or is less ready`;
};

const MOST_TOLD = 4;

const changedText = (all: number, changed: readonly Compared[]): string => {
  const told = changed.slice(0, MOST_TOLD).map(({ meant: { resource, namespace, name }, changes }) => {
    const said = changes.slice(0, MOST_TOLD).map(({ says, by }) => `${says}${byText(by)}`);
    return `${nameOf({ kind: resource.kind, namespace, name })} ${listed(said)}`;
  });
  const more = changed.length - told.length;
  return `${changed.length} of ${counted(all, "bystander")} changed: ${[...told, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")}`;
};

const byText = (by: readonly Writer[]): string =>
  by.length === 0
    ? ""
    : ` (by ${listed([...new Set(by.map(({ manager, at }) => `${manager}${at === null ? "" : ` at ${iso(at)}`}`))])})`;

/** Whose changes they are, as far as anything tells. */
const reasonOf = (changed: readonly Compared[]): string => {
  const authors = changed.flatMap(({ changes }) => changes.map(authorOf));
  if (authors.includes("ours")) return "changed-by-us";
  return authors.includes("unknown") ? "changed" : "changed-by-others";
};

const authorOf = ({ by }: Change): "ours" | "others" | "unknown" => {
  if (by.length === 0) return "unknown";
  return by.some(({ manager }) => manager === OUR_MANAGER) ? "ours" : "others";
};
