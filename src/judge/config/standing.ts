/**
 * How one reference of one start stands: against what its object is expected to hold, else against what it holds now.
 *
 * What is expected is the digest of a whole object, and a start takes perhaps one key of it. That the bytes it took are those
 * of the expected object is shown by any of both; that they are not, only by the digest of the whole object at that start.
 */
import type { ExpectedConfig } from "../../domain/config.ts";
import { contentOf, expectedText, shortly } from "./content.ts";
import { objectText } from "./lack.ts";
import type { Traced } from "./loaded.ts";

export interface Standing {
  readonly finding: "proven" | "refuted" | "open";
  readonly reason: string;
  /** A clause. */
  readonly says: string;
}

/** `whole`: the same start, of all that the object holds; `expected`: undefined where nothing is expected of the object. */
export const standingOf = (
  traced: Traced,
  expected: ExpectedConfig | undefined,
  whole: () => Traced,
): Standing => {
  const { state, reason, why, source } = traced;
  const content = source.kind === "known" ? contentOf(source.value) : null;
  const open: Standing = { finding: "open", reason, says: why };
  const isExpected = expected === undefined || content?.sha256 === expected.sha256;
  if (isExpected) {
    if (state === "fresh") return { finding: "proven", reason, says: why };
    return state === "stale" ? { finding: "refuted", reason: "stale", says: why } : open;
  }
  if (content === null || state !== "fresh") return open;
  const holds = `${objectText(traced.consumption)} holds ${shortly(content.sha256)}, and ${expectedText(expected)} is expected`;
  return whole().state === "fresh"
    ? { finding: "refuted", reason: "other-content", says: `it was given what is there: ${holds}` }
    : {
        finding: "open",
        reason: "other-content-now",
        says: `${holds}; whether this start was given the same of it is not told by the digest of the whole`,
      };
};
