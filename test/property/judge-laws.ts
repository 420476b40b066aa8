/**
 * The laws of judging as functions that throw, each with its number: over a judge that is handed in, so that a broken one
 * can be shown to be caught (`judge-mutants.ts`).
 */
import { CLAIMS } from "../../src/domain/claim.ts";
import type { Cited, Evidence, Seen } from "../../src/domain/evidence.ts";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import type { Judged, judge } from "../../src/judge/judge.ts";

export type Judge = typeof judge;

/** V6 is of whoever watches; a judge is handed what GET and LIST gave, and knows no watch. */
export const LAW_NUMBERS = [
  "V1",
  "V2",
  "V3",
  "V4",
  "V5",
  "V7",
  "V8",
  "V9",
  "O1",
  "O2",
  "O3",
  "O4",
  "O5",
  "O6",
  "O7",
] as const;
export type LawNumber = (typeof LAW_NUMBERS)[number];

/** Notes each law that one state breaks, so that a law that breaks first hides no other. */
export type Law = (number: LawNumber, holds: boolean, what: string) => void;

/** What is broken, each with its number; empty: every law holds. */
export const brokenBy = (check: (law: Law) => void): readonly string[] => {
  const broken: string[] = [];
  check((number, holds, what) => {
    if (!holds) broken.push(`${number}: ${what}`);
  });
  return broken;
};

const proven = (judged: Judged, claim: string): boolean =>
  judged.findings.some((one) => one.claim === claim && one.finding === "proven");

const told = ({ verdict, findings, statement }: Judged): string =>
  JSON.stringify([
    verdict,
    findings.map(({ claim, finding, reason, sentence }) => [claim, finding, reason, sentence]),
    statement,
  ]);

/** Evidence with what a citation points to changed: a field, or a whole LIST that was then never asked for. */
export const without = (
  law: Law,
  evidence: Evidence,
  cited: Cited,
  change: (value: JsonValue) => JsonValue | undefined,
): Evidence => {
  if (cited.pointer === "")
    return {
      ...evidence,
      asked: evidence.asked.filter(({ source }) => source.evidence !== cited.evidence),
      objects: evidence.objects.filter(({ source }) => source.evidence !== cited.evidence),
    };
  return { ...evidence, objects: evidence.objects.map((seen) => changedIn(law, seen, cited, change)) };
};

const changedIn = (
  law: Law,
  seen: Seen,
  cited: Cited,
  change: (value: JsonValue) => JsonValue | undefined,
): Seen => {
  const own = `${seen.source.pointer}/`;
  if (seen.source.evidence !== cited.evidence || !cited.pointer.startsWith(own)) return seen;
  const path = cited.pointer
    .slice(own.length)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const raw = structuredClone(seen.raw) as Record<string, JsonValue>;
  let inside = raw;
  for (const key of path.slice(0, -1)) inside = inside[key] as Record<string, JsonValue>;
  const last = path.at(-1) as string;
  const value = inside[last];
  law("V1", value !== undefined, `${cited.evidence}#${cited.pointer} is cited and is not there`);
  const next = change(value as JsonValue);
  if (next === undefined) delete inside[last];
  else inside[last] = next;
  const uid = isJsonObject(raw["metadata"]) ? raw["metadata"]["uid"] : undefined;
  return { ...seen, raw, uid: typeof uid === "string" ? uid : null };
};

export const removingAnyCitedField = (
  law: Law,
  judgeIt: Judge,
  evidence: Evidence,
  question: Question,
): void => {
  for (const finding of judgeIt(evidence, question).findings) {
    if (finding.finding !== "proven") continue;
    law("V1", finding.evidence.length > 0, `${finding.claim} is proven and cites nothing`);
    for (const cited of finding.evidence) {
      const left = judgeIt(
        without(law, evidence, cited, () => undefined),
        question,
      );
      law(
        "V1",
        !proven(left, finding.claim),
        `${finding.claim} stays proven without ${cited.evidence}#${cited.pointer}`,
      );
    }
  }
};

/**
 * The other half of V1: what speaks against a claim cannot be taken away so that it is proven. Whatever a finding that is not
 * proven cites, without it the claim is not proven either, nor the verdict.
 */
export const removingProvesNothing = (
  law: Law,
  judgeIt: Judge,
  evidence: Evidence,
  question: Question,
): void => {
  for (const finding of judgeIt(evidence, question).findings) {
    if (finding.finding === "proven") continue;
    for (const cited of finding.evidence) {
      const left = judgeIt(
        without(law, evidence, cited, () => undefined),
        question,
      );
      const what = `${cited.evidence}#${cited.pointer}`;
      law(
        "V1",
        !proven(left, finding.claim),
        `${finding.claim} was ${finding.finding} and is proven without ${what}`,
      );
      law(
        "V1",
        !finding.required || left.verdict !== "proven",
        `the verdict is proven without ${what}, by which ${finding.claim} was ${finding.finding}`,
      );
    }
  }
};

/** A number becomes its text, a text a number, what has members a text. */
const otherType = (value: JsonValue): JsonValue => {
  if (typeof value === "number") return String(value);
  return typeof value === "string" || typeof value === "boolean" ? 7 : "here";
};

export const wrongTypes = (law: Law, judgeIt: Judge, evidence: Evidence, question: Question): void => {
  for (const finding of judgeIt(evidence, question).findings) {
    if (finding.finding !== "proven") continue;
    for (const cited of finding.evidence) {
      if (cited.pointer === "") continue;
      const left = judgeIt(without(law, evidence, cited, otherType), question);
      law(
        "V7",
        !proven(left, finding.claim),
        `${finding.claim} is proven with ${cited.evidence}#${cited.pointer} of another type`,
      );
    }
  }
};

/** Objects and questions in another order, conditions and owners too. */
export const anyOrder = (
  law: Law,
  judgeIt: Judge,
  evidence: Evidence,
  question: Question,
  shuffle: <T>(items: readonly T[]) => readonly T[],
): void => {
  const first = told(judgeIt(evidence, question));
  const moved = { ...evidence, objects: shuffle(evidence.objects), asked: shuffle(evidence.asked) };
  law("V2", told(judgeIt(moved, question)) === first, "another order of the objects gives other findings");
  const inside = {
    ...evidence,
    objects: evidence.objects.map((seen) => ({ ...seen, raw: reordered(seen.raw, shuffle) })),
  };
  law("V2", told(judgeIt(inside, question)) === first, "another order of conditions gives other findings");
};

/** The same order for the same seeds. */
export const shuffled =
  (seeds: readonly number[]) =>
  <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item, at) => ({ item, key: ((seeds[at % seeds.length] ?? 0) * 7_919 + at * 104_729) % 1_009 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);

const reordered = (raw: JsonObject, shuffle: <T>(items: readonly T[]) => readonly T[]): JsonObject => {
  const status = raw["status"] as JsonObject | undefined;
  const conditions = status?.["conditions"];
  if (status === undefined || !Array.isArray(conditions)) return raw;
  return { ...raw, status: { ...status, conditions: shuffle(conditions) } };
};

/** Nothing of another incarnation counts: with another UID expected, and with all that it owned owned by another. */
export const otherIncarnation = (law: Law, judgeIt: Judge, evidence: Evidence, question: Question): void => {
  const expecting = {
    ...question,
    expected: { ...question.expected, uid: "00000000-0000-4000-8000-000000000000" },
  };
  for (const { claim, finding } of judgeIt(evidence, expecting).findings)
    law(
      "V3",
      finding === "undetermined" || finding === "refuted",
      `${claim} is ${finding} of an object with another UID`,
    );
  const { target } = judgeIt(evidence, question);
  if (target === null) return;
  const reborn = evidence.objects.map((seen) => (isSame(seen, target) ? renamed(seen) : seen));
  const judged = judgeIt({ ...evidence, objects: reborn }, question);
  if (!["Deployment", "StatefulSet", "DaemonSet"].includes(target.kind)) return;
  const pods = evidence.objects.some(
    ({ kind, raw }) => kind === "Pod" && !/"phase":"(?:Failed|Succeeded)"/.test(JSON.stringify(raw)),
  );
  for (const claim of ["rollout-complete", "old-gone"])
    law("V3", !pods || !proven(judged, claim), `${claim} is proven by Pods of an earlier incarnation`);
};

const isSame = (a: Seen, b: Seen): boolean =>
  a.source.evidence === b.source.evidence && a.source.pointer === b.source.pointer;

const renamed = (seen: Seen): Seen => {
  const uid = "11111111-0000-4000-8000-000000000000";
  return { ...seen, uid, raw: { ...seen.raw, metadata: { ...(seen.raw["metadata"] as JsonObject), uid } } };
};

/** V4: time alone refutes nothing; only the controller's own deadline does. */
export const timeAlone = (law: Law, judgeIt: Judge, evidence: Evidence, question: Question): void => {
  const now = judgeIt(evidence, question);
  const later = judgeIt({ ...evidence, at: instant(evidence.at + 7 * 86_400_000) }, question);
  for (const one of now.findings) {
    const then = later.findings.find(({ claim }) => claim === one.claim);
    law(
      "V4",
      one.finding !== "progressing" || then?.finding !== "refuted",
      `${one.claim} is refuted by waiting`,
    );
  }
};

/** V5: what was not asked for is never empty. */
export const notAsked = (law: Law, judgeIt: Judge, evidence: Evidence, question: Question): void => {
  for (const { source, resource } of evidence.asked) {
    const unasked = {
      ...evidence,
      asked: evidence.asked.filter((one) => one.source !== source),
      objects: evidence.objects.filter((seen) => seen.source.evidence !== source.evidence),
    };
    const judged = judgeIt(unasked, question);
    const old = judged.findings.find(({ claim }) => claim === "old-gone");
    if (resource === "pods" || resource === "replicasets")
      law(
        "V5",
        old === undefined || old.finding === "undetermined",
        `old-gone is ${old?.finding} without ${resource}`,
      );
    if (resource === "endpointslices")
      law("V5", !proven(judged, "endpoints-ready"), "endpoints are ready without endpointslices");
  }
};

/** V9: a proof says what it leaves open. */
export const limitsTold = (law: Law, judgeIt: Judge, evidence: Evidence, question: Question): void => {
  for (const { claim, finding, limits, layer } of judgeIt(evidence, question).findings) {
    law("V9", layer === CLAIMS[claim].layer, `${claim} is told in another layer`);
    law(
      "V9",
      finding !== "proven" || limits.some((limit) => limit.includes(CLAIMS[claim].doesNotTell)),
      `${claim} does not say what it does not tell`,
    );
  }
};

/** V1, V2, V7: any field that a proof cites is needed, in any order. */
export const anyFieldAnyOrder = (
  law: Law,
  judgeIt: Judge,
  evidence: Evidence,
  question: Question,
  seeds: readonly number[],
): void => {
  removingAnyCitedField(law, judgeIt, evidence, question);
  removingProvesNothing(law, judgeIt, evidence, question);
  wrongTypes(law, judgeIt, evidence, question);
  anyOrder(law, judgeIt, evidence, question, shuffled(seeds));
};
