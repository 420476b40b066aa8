/**
 * What a bystander is answered, before and after (Y3), where somebody named a path: each time it has to be as expected. A
 * request without a reply is no answer (R2), and one that was not as expected before shows no change: both are missing.
 */
import type { Before, BystanderReply } from "../../domain/bystander.ts";
import type { Seen } from "../../domain/evidence.ts";
import { viaText } from "../../domain/response.ts";
import { answersBy, untied } from "../answers.ts";
import type { Collection } from "../collection.ts";
import type { Inquiry } from "../inquiry.ts";
import { hint, TEXT } from "../read.ts";
import { differences } from "../response.ts";
import { counted, listed, nameOf, quoted } from "../words.ts";
import type { Change } from "./compared.ts";
import { collectionOf, type Meant } from "./whom.ts";

export interface Answered {
  readonly meant: Meant;
  readonly changes: readonly Change[];
  /** Whether it was asked before too. */
  readonly isBefore: boolean;
}

export const answered = (
  inquiry: Inquiry,
  { response }: BystanderReply,
  meant: Meant,
  before: Before | null,
  now: Collection,
): Answered => {
  const of = { kind: meant.resource.kind, namespace: meant.namespace, name: meant.name };
  const path = `${nameOf(of)} by ${viaText(response.via)}`;
  const look = (collection: Collection, when: string): Look => {
    const { replied, silent } = answersBy({ collection }, response, of);
    for (const { why } of silent) inquiry.miss(`an answer of ${path}${when}: ${quoted(why)}`);
    const [open] = untied({ collection }, response, replied);
    if (open !== undefined)
      inquiry.miss(
        `an answer of ${path}${when} of which it is shown that this cluster sent it: ${quoted(open.why)}`,
      );
    const wrong =
      open === undefined
        ? replied.flatMap((answer) => differences(inquiry, answer, response.expect).slice(0, 1))
        : [];
    const isKnown = silent.length === 0 && open === undefined;
    return { asked: replied.length + silent.length, replied, wrong, isKnown };
  };
  const after = look(now, "");
  if (after.asked === 0) inquiry.miss(`an answer of ${path} (not asked for)`);
  const earlier = before === null ? null : look(collectionOf(before.evidence), ` in ${before.named}`);
  const isBefore = earlier !== null && earlier.asked > 0;
  if (isBefore && earlier.wrong.length > 0)
    inquiry.miss(`a right answer of ${path} in ${before?.named}: ${listed([...new Set(earlier.wrong)])}`);
  // What was not right before, or not known, did not change by being so now.
  if (isBefore && (earlier.wrong.length > 0 || !earlier.isKnown)) return { meant, changes: [], isBefore };
  if (isBefore && isOtherBody(earlier.replied, after.replied))
    inquiry.limit(`${path}: as expected, with another body than before`);
  return { meant, changes: after.wrong.length === 0 ? [] : [otherwise(response, after)], isBefore };
};

interface Look {
  readonly asked: number;
  /** Every request had a reply, and it is this cluster's. */
  readonly isKnown: boolean;
  readonly replied: readonly Seen[];
  readonly wrong: readonly string[];
}

const otherwise = ({ via }: BystanderReply["response"], { wrong, replied }: Look): Change => ({
  says: `is answered otherwise by ${viaText(via)}, in ${wrong.length} of ${counted(replied.length, "reply", "replies")}: ${listed([...new Set(wrong)])}`,
  by: [],
});

const isOtherBody = (before: readonly Seen[], now: readonly Seen[]): boolean => {
  const digestsOf = (all: readonly Seen[]): ReadonlySet<string> =>
    new Set(all.map(({ raw }) => hint(raw, ["bodySha256"], TEXT)).filter((one) => one !== undefined));
  const was = digestsOf(before);
  return was.size > 0 && was.isDisjointFrom(digestsOf(now));
};
