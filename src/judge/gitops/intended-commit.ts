/**
 * `intended-commit`: the Application aims at the expected commit. Pinned to a commit, its spec alone tells; where it names a
 * branch or a tag, what counts is the commit that its controller last found there.
 */

import type { Seen } from "../../domain/evidence.ts";
import { isCommit } from "../../domain/expected-commit.ts";
import type { Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { isFixed } from "../image-reference.ts";
import { Inquiry } from "../inquiry.ts";
import { itemsAt, TEXT } from "../read.ts";
import { listed, quoted } from "../words.ts";
import { citeRevision, comparedRevisionAt, comparisonFault, shortOf, sourceMeant } from "./sources.ts";

export const intendedCommit: Rule = (given) => {
  const inquiry = new Inquiry("intended-commit");
  const { target, expected } = given;
  const stop = sameIncarnation(inquiry, target, expected);
  if (stop !== undefined) return stop;
  if (expected.commit === null)
    return inquiry.undetermined("not-asked", "no commit is expected of it (--commit)");
  const { sha } = expected.commit;
  const source = sourceMeant(inquiry, given);
  if ("finding" in source) return source;
  citeRevision(inquiry, target, source);
  if (isCommit(source.revision)) {
    if (source.revision !== sha)
      return inquiry.refuted(
        "other-commit",
        `it is pinned to commit ${shortOf(source.revision)}, and ${shortOf(sha)} is expected; a pinned Application follows no branch`,
      );
    sayTags(inquiry, target);
    return inquiry.proven("pinned", `it is pinned to commit ${shortOf(sha)}`);
  }
  const fault = comparisonFault(inquiry, target);
  if (fault !== undefined) return fault;
  const found = inquiry.need(target, comparedRevisionAt(source), TEXT);
  if (found === undefined) return inquiry.unknown();
  const follows = `it follows ${quoted(source.revision)}`;
  if (found !== sha)
    return inquiry.progressing(
      "not-found-yet",
      `${follows}, where its controller last found commit ${shortOf(found)}; ${shortOf(sha)} is expected`,
    );
  inquiry.limit(`it follows ${quoted(source.revision)}, which may move on to another commit at any time`);
  return inquiry.proven("found", `${follows}, where its controller found commit ${shortOf(sha)}`);
};

const MOST_NAMED = 3;

/** status.summary.images: those of what runs. A commit that names an image by tag does not fix what runs. */
const sayTags = (inquiry: Inquiry, { raw }: Seen): void => {
  const tagged = itemsAt(raw, ["status", "summary", "images"]).filter(
    (image): image is string => typeof image === "string" && !isFixed(image),
  );
  if (tagged.length === 0) return;
  const more = tagged.length > MOST_NAMED ? ` and ${tagged.length - MOST_NAMED} more` : "";
  inquiry.limit(
    `the commit is pinned, and what its tags name is not: ${listed(tagged.slice(0, MOST_NAMED).map(quoted))}${more} can be moved without a commit`,
  );
};
