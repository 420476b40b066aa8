/** Words of `verify --explain`. */
const meant = (names: readonly string[]): string =>
  names.length === 0 ? "" : `; did you mean ${names.join(" or ")}?`;

export const EXPLAIN = {
  restsOn: "A proof rests on:",
  lists: "all of",
  laws: "Laws:",
  lawsOfAll: "Laws of every claim:",
  sources: "Sources:",
  leavesOpen: "What a proof leaves open:",
  doesNotTell: (what: string) => `it does not tell ${what}`,
  never: (finding: string) => `never: this claim does not come to ${finding}`,
  noClaim: (typed: string, near: readonly string[]) =>
    `there is no claim ${JSON.stringify(typed)}${meant(near)}${near.length === 0 ? ";" : ""} asfound verify --explain tells all of them`,
  targetFirst: (typed: string) =>
    `${JSON.stringify(typed)} is no claim: --explain takes the word after it, so write the target first, as in asfound verify ${typed} --explain`,
  nothingAsked: (flag: string) =>
    `--explain without a target asks nothing, so ${flag} means nothing beside it; name a target, or leave one of them out`,
  ofOne: (flag: string) => `--explain goes with one target or none, and ${flag} selects many`,
  noForm: (format: string) =>
    `-o ${format} has no place for an explanation; take table, wide, json or yaml, or leave --explain out`,
  here: (target: string) => `Of ${target}:`,
  notJudged: "it was not judged of this target: nothing here asks for it",
  required: "the verdict needs it",
  notRequired: "the verdict does not need it",
  verdict: "Verdict:",
  page: {
    title: "# Claims",
    made: "<!-- Made by `asfound verify --explain -o markdown` from src/domain/explanation.ts; a test holds it to that. -->",
    lead: "What `asfound verify` can say of an object: for each claim its rule, what a proof of it rests on, where the rule comes from, and what a proof leaves open. `asfound verify --explain CLAIM` tells the same, and `asfound verify KIND/NAME --explain CLAIM` what came of it there. How to verify is in [the guide](../guide/verify.md).",
    findings: {
      proven: "Proven if",
      refuted: "Refuted if",
      progressing: "Progressing if",
      undetermined: "Undetermined if",
    },
    lawsOfAll: "## Laws of every claim",
    lists: (names: string) => `a complete LIST of ${names}`,
  },
} as const;
