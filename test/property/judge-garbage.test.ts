/** A lying or broken API: whatever stands anywhere in an object, judging ends, says so in bounded words, and proves no more. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { abortedYetPromoted, paused, promoted, rolloutFiles } from "../support/kubernetes/rollout.ts";
import { evidenceFor, made, questionFor } from "./custom-rules.ts";
import { KINDS } from "./judge-kinds.ts";
import { filesOf, shape } from "./judge-worlds.ts";

const garbage = fc.oneof(
  fc.jsonValue() as fc.Arbitrary<JsonValue>,
  fc.constantFrom<JsonValue>(
    null,
    "",
    [],
    {},
    -1,
    1e300,
    0.5,
    "7",
    true,
    [[]],
    { __proto__: null } as JsonObject,
    "x".repeat(100_000),
  ),
);

/** Replaces the value that a walk by these choices comes to. */
const spoiled = (raw: JsonObject, walk: readonly number[], value: JsonValue): JsonObject => {
  const copy = structuredClone(raw) as Record<string, JsonValue>;
  let inside: Record<string, JsonValue> = copy;
  for (const [depth, choice] of walk.entries()) {
    const keys = Object.keys(inside);
    const key = keys[choice % Math.max(1, keys.length)];
    if (key === undefined) break;
    const next = inside[key];
    if (depth === walk.length - 1 || typeof next !== "object" || next === null) {
      inside[key] = value;
      break;
    }
    inside = next as Record<string, JsonValue>;
  }
  return copy;
};

const spoil = fc.record({
  which: fc.nat(),
  walk: fc.array(fc.nat(50), { minLength: 1, maxLength: 7 }),
  value: garbage,
});
type Spoil = typeof spoil extends fc.Arbitrary<infer T> ? T : never;

const spoiledEvidence = (evidence: Evidence, spoils: readonly Spoil[]): Evidence => {
  const objects: Seen[] = [...evidence.objects];
  for (const { which, walk, value } of spoils) {
    const at = which % Math.max(1, objects.length);
    const seen = objects[at];
    if (seen === undefined) continue;
    const raw = spoiled(seen.raw, walk, value);
    const metadata = raw["metadata"];
    const uid =
      typeof metadata === "object" && metadata !== null ? (metadata as JsonObject)["uid"] : undefined;
    objects[at] = { ...seen, raw, uid: typeof uid === "string" ? uid : null };
  }
  return { ...evidence, objects };
};

const subjects = fc
  .oneof(
    shape.map((made) => ({ target: "deployment/web", files: filesOf(made) })),
    ...Object.values(KINDS).map(({ target, made }) => made.map(({ files }) => ({ target, files }))),
    fc.constantFrom(promoted, paused, abortedYetPromoted).map((world) => ({
      target: "rollout/web",
      files: rolloutFiles(world),
    })),
  )
  .map(({ target, files }) => ({ question: about(target), evidence: evidenceOf(files, READ_AT) }));

/** By rules of any kind, which say nothing of what stands there. */
const declared = made.map((one) => ({
  question: questionFor(one.declared),
  evidence: evidenceFor(one.widget),
}));

const holds = (judgeIt: typeof judge, parameters: { readonly numRuns: number; readonly seed?: number }) =>
  fc.check(
    fc.property(
      fc.oneof({ weight: 8, arbitrary: subjects }, { weight: 1, arbitrary: declared }),
      fc.array(spoil, { minLength: 1, maxLength: 3 }),
      ({ question, evidence }, spoils) => {
        const judged = judgeIt(spoiledEvidence(evidence, spoils), question);
        expect(judged.findings.length).toBeGreaterThan(0);
        for (const { sentence, missing } of judged.findings) {
          expect(sentence.length).toBeLessThan(4_000);
          expect(sentence).not.toMatch(/\bundefined\b|\bNaN\b|\[object/);
          for (const one of missing) expect(one.length).toBeLessThan(4_000);
        }
        expect(judged.statement.length).toBeLessThan(12_000);
      },
    ),
    parameters,
  );

it("never throws, and never says more than a page", () => {
  const found = holds(judge, { numRuns: 5_000 });
  expect(found.failed ? `${found.errorInstance} ${fc.defaultReportMessage(found)}` : "").toBe("");
});

it("control: a judge that believes a type, or repeats all it reads, is caught", () => {
  const believing: typeof judge = (evidence, question) => {
    for (const { raw } of evidence.objects) (raw["metadata"] as { name: string }).name.trim();
    return judge(evidence, question);
  };
  expect(holds(believing, { numRuns: 2_000, seed: 5 }).failed).toBe(true);
  const repeating: typeof judge = (evidence, question) => {
    const judged = judge(evidence, question);
    return { ...judged, statement: JSON.stringify(evidence.objects) };
  };
  expect(holds(repeating, { numRuns: 2_000, seed: 5 }).failed).toBe(true);
});
