/**
 * How one reference of one start stands: against what its object is expected to hold, else against what it holds now.
 *
 * What is expected is the digest of a whole object, and a start takes perhaps one key of it. That the bytes it took are those
 * of the expected object is shown by any of both; that they are not, only by the digest of the whole object at that start.
 */
import type { ExpectedConfig } from "../../domain/config.ts";
import { contentOf, contentPaths, expectedText, shortly } from "./content.ts";
import { spanCites } from "./held.ts";
import { objectText } from "./lack.ts";
import { givenCites, type Traced } from "./loaded.ts";

export interface Standing {
  readonly finding: "proven" | "refuted" | "open";
  readonly reason: string;
  /** A clause. */
  readonly says: string;
  /** What it rests on. */
  readonly cites: Traced["cites"];
}

/** `whole`: the same start, of all that the object holds; `expected`: undefined where nothing is expected of the object. */
export const standingOf = (
  traced: Traced,
  expected: ExpectedConfig | undefined,
  whole: () => Traced,
): Standing => {
  const { state, reason, why, source, cites } = traced;
  if (expected === undefined) {
    if (state === "stale") return { finding: "refuted", reason: "stale", says: why, cites };
    return { finding: state === "fresh" ? "proven" : "open", reason, says: why, cites };
  }
  const held = heldAsExpected(traced, expected);
  if (held !== null) return held;
  const content = source.kind === "known" ? contentOf(source.value) : null;
  if (content === null || source.kind !== "known") return { finding: "open", reason, says: why, cites };
  const all = [...cites, ...contentPaths(source.value).map((path) => [source.value, path] as const)];
  if (state === "stale") return againstStale(traced, expected, content.sha256 === expected.sha256, all);
  if (content.sha256 === expected.sha256)
    return { finding: state === "fresh" ? "proven" : "open", reason, says: why, cites: all };
  if (state !== "fresh") return { finding: "open", reason, says: why, cites: all };
  const holds = `${objectText(traced.consumption)} holds ${shortly(content.sha256)}, and ${expectedText(expected)} is expected`;
  return whole().state === "fresh"
    ? {
        finding: "refuted",
        reason: "other-content",
        says: `it was given what is there: ${holds}`,
        cites: all,
      }
    : {
        finding: "open",
        reason: "other-content-now",
        says: `${holds}; whether this start was given the same of it is not told by the digest of the whole`,
        cites: all,
      };
};

/** What it was given is the expected content, whatever is there now. */
const heldAsExpected = (traced: Traced, expected: ExpectedConfig): Standing | null => {
  const { pod, start, source, given, state, why } = traced;
  if (given === null || start === null || source.kind !== "known") return null;
  // Files that follow hold something else by now.
  if (state !== "fresh" && state !== "stale") return null;
  if (!given.every(({ content }) => content !== null && content.sha256 === expected.sha256)) return null;
  return {
    finding: "proven",
    reason: "held-as-expected",
    says: `it was given what is expected: ${why}`,
    cites: [
      ...givenCites({ pod, start, object: source.value }, given),
      ...given.flatMap((span) => spanCites(span, null)),
    ],
  };
};

const againstStale = (
  { given, why }: Traced,
  expected: ExpectedConfig,
  isThere: boolean,
  cites: Standing["cites"],
): Standing => {
  if (isThere) return { finding: "refuted", reason: "stale", says: why, cites };
  const mayBe =
    given === null || given.some(({ content }) => content === null || content.sha256 === expected.sha256);
  return {
    finding: mayBe ? "open" : "refuted",
    reason: "other-content",
    says: `${why}; ${expectedText(expected)} is expected`,
    cites,
  };
};
