/**
 * JUnit XML as CI systems read it (the common subset of Ant's, Maven's and Jenkins' schemas): a suite a target, a case a
 * claim. Refuted is a failure, and so is progressing (type `progressing`): `skipped` would be shown green, and a rollout
 * that has not arrived is none. Undetermined is an error: the check could not be made. What does not count is skipped.
 */
import { printable } from "../../../../wire/redact/printable.ts";
import { VERDICT } from "../../texts/verdict.ts";
import { placeOf, type Told, toldOf, toldOfSelection, type Verdicts } from "./verdicts.ts";

export const junit = (verdicts: Verdicts): string => {
  const suites = suitesOf(verdicts);
  const all = suites.flatMap(({ cases }) => cases);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="asfound verify" ${countsOf(all)}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
  ].join("\n")}\n`;
};

interface Suite {
  readonly name: string;
  readonly says: string;
  readonly at: number | null;
  readonly cases: readonly Told[];
}

const suitesOf = (verdicts: Verdicts): readonly Suite[] => {
  const ofTargets = verdicts.items.map((report) => ({
    name: placeOf(report.target),
    says: report.statement,
    at: report.window.to,
    cases: toldOf(report),
  }));
  const selection = [...toldOfSelection(verdicts), ...apartOf(verdicts)];
  if (selection.length === 0) return ofTargets;
  return [...ofTargets, { name: "selection", says: verdicts.statement, at: null, cases: selection }];
};

const apartOf = ({ list }: Verdicts): readonly Told[] =>
  list === null
    ? []
    : list.scaledToZero.map((target) => ({
        rule: placeOf(target),
        finding: "undetermined",
        reason: "scaled-to-zero",
        sentence: VERDICT.zero,
        standing: "not-counted",
      }));

const countsOf = (cases: readonly Told[]): string => {
  const of = (wanted: Told["standing"]) => cases.filter(({ standing }) => standing === wanted).length;
  return `tests="${cases.length}" failures="${of("failed")}" errors="${of("open")}" skipped="${of("not-counted")}" time="0"`;
};

const suiteLines = ({ name, says, at, cases }: Suite): readonly string[] => {
  const when = at === null ? "" : ` timestamp="${new Date(at).toISOString().slice(0, 19)}"`;
  return [
    `  <testsuite name="${xml(name)}" ${countsOf(cases)}${when}>`,
    ...cases.flatMap((one) => caseLines(name, one)),
    `    <system-out>${xml(says)}</system-out>`,
    "  </testsuite>",
  ];
};

const caseLines = (suite: string, { rule, finding, reason, sentence, standing }: Told): readonly string[] => {
  const head = `    <testcase classname="${xml(suite)}" name="${xml(rule)}" time="0"`;
  if (standing === "passed") return [`${head}/>`];
  const message = `message="${xml(`${finding}: ${sentence}`)}"`;
  const type = `type="${xml(finding === "refuted" || finding === "undetermined" ? reason : finding)}"`;
  const inside = {
    failed: `<failure ${message} ${type}>${xml(sentence)}</failure>`,
    open: `<error ${message} ${type}>${xml(sentence)}</error>`,
    "not-counted": `<skipped ${message}/>`,
  }[standing];
  return [`${head}>`, `      ${inside}`, "    </testcase>"];
};

/** XML 1.0 has no place for these two, not even escaped; what else it has none for `printable` writes out. */
const NO_CHARACTER = /[\ufffe\uffff]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
};

/** As text or attribute value. */
export const xml = (text: string): string =>
  printable(text)
    .replace(NO_CHARACTER, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"'\t]/g, (character) => ESCAPES[character] ?? "");
