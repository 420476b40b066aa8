/**
 * What a file in the container shows (L4), over drawn timelines: of one that was mounted by subPath all that its process has, of
 * one that follows only what the kubelet has brought. The object, the file and the process never stand for each other.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Seen } from "../../src/domain/evidence.ts";
import type { Finding } from "../../src/domain/finding.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import { evidenceFor, filesOf, idOf, isSubPath, type Looked, looked } from "./config-file-worlds.ts";
import { dataAt, keysTaken } from "./config-worlds.ts";
import * as laws from "./judge-laws.ts";

const QUESTION = about("deployment/web", { claims: ["rollout-complete", "config-loaded", "config-bound"] });

const untrue = (judgeIt: laws.Judge, one: Looked): readonly string[] => {
  const { findings } = judgeIt(evidenceFor(one), QUESTION);
  const loaded = findings.find(({ claim }) => claim === "config-loaded") as Finding;
  const [now, files] = [dataAt(one.drawn, READ_AT), filesOf(one)];
  const taken = keysTaken(one.drawn);
  const isSame = now !== null && files !== null && taken.every((key) => now[key] === files[key]);
  const says = `${loaded.finding} (${loaded.reason}: ${loaded.sentence})`;
  // A process that read its files when it was started has what they held then, and may have read them at any time since.
  const sinceStart = Array.from({ length: READ_AT - one.drawn.started + 1 }, (_, past) =>
    dataAt(one.drawn, one.drawn.started + past),
  );
  const neverChanged = sinceStart.every((data) => taken.every((key) => data?.[key] === now?.[key]));
  const known = one.ofAnother || now === null || files === null;
  const checks: readonly (readonly [holds: boolean, what: string])[] = [
    [loaded.finding !== "proven" || isSame, `the files hold something else, and ${says}`],
    [loaded.finding !== "proven" || isSubPath(one) || neverChanged, `it may have read another, and ${says}`],
    [loaded.reason !== "stale" || !isSame, `the files hold what the object does, and ${says}`],
    [
      !isSubPath(one) || known || loaded.finding === (isSame ? "proven" : "refuted"),
      `its file tells, and ${says}`,
    ],
  ];
  return checks.flatMap(([holds, what]) => (holds ? [] : [what]));
};

describe("by a file that was read in the container", () => {
  it("C1, C2, V3: subPath shows what its process has, a volume what was brought, another start nothing", () =>
    fc.assert(
      fc.property(looked, (one) => {
        expect(untrue(judge, one)).toEqual([]);
      }),
      { numRuns: 500 },
    ));

  it("V1, V2, V7: any field that a proof cites is needed, in any order", () =>
    fc.assert(
      fc.property(looked, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (one, seeds) => {
        const evidence = evidenceFor(one);
        const broken = laws.brokenBy((law) => {
          laws.anyFieldAnyOrder(law, judge, evidence, QUESTION, seeds);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 25 },
    ));
});

const seeing =
  (change: (seen: Seen) => Seen): laws.Judge =>
  (evidence, question) =>
    judge({ ...evidence, objects: evidence.objects.map(change) }, question);

const withRaw = (seen: Seen, more: JsonObject): Seen => ({ ...seen, raw: { ...seen.raw, ...more } });

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "V3: a file of another start is taken for this one's": (evidence, question) => {
    const pods = evidence.objects.filter(({ kind }) => kind === "Pod");
    const ofThis = ({ raw }: Seen): string => {
      const pod = pods.find(({ name }) => name === (raw["pod"] as JsonObject)["name"]);
      return pod === undefined ? "" : idOf(pod, String(raw["container"]));
    };
    return seeing((seen) => (seen.kind === "ReadFile" ? withRaw(seen, { containerId: ofThis(seen) }) : seen))(
      evidence,
      question,
    );
  },
  "C2: a file that follows is taken for what the process has": seeing((seen) => {
    if (seen.kind !== "Pod" && seen.kind !== "ReadFile") return seen;
    const text = JSON.stringify(seen.raw)
      .replaceAll('"mountPath":"/etc/app"}', '"mountPath":"/etc/app","subPath":"KEY"}')
      .replaceAll('"path":"/etc/app/KEY"', '"path":"/etc/app"');
    return { ...seen, raw: JSON.parse(text) };
  }),
  "what was read is not looked at": (evidence, question) =>
    judge({ ...evidence, objects: evidence.objects.filter(({ kind }) => kind !== "ReadFile") }, question),
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(looked, (one) => untrue(broken, one).length === 0),
      { numRuns: 1_000, endOnFailure: true, seed: 5 },
    );
    expect(failed).toBe(true);
  });
});
