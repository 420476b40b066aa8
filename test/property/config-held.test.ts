/**
 * What was given, by what a recorder held while it was not blind (L2), over drawn timelines with edits, edits that are put back,
 * and objects that are made again. C1: per start. C2: each delivery by its own rule. C4: by content, identity told apart.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configDigest } from "../../src/domain/config-digest.ts";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { seenHeld } from "../../src/domain/held.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { judge } from "../../src/judge/judge.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { about } from "../support/kubernetes/evidence.ts";
import {
  dataAt,
  givenTo,
  heldSince,
  isKept,
  isWrittenSince,
  keysTaken,
  type Life,
  life,
  POD_MADE,
  recordsOf,
  worldOf,
} from "./config-worlds.ts";
import * as laws from "./judge-laws.ts";

interface Recorded {
  readonly drawn: Life;
  /** Seconds at which the recorder saw nothing. */
  readonly blind: readonly { readonly from: number; readonly seconds: number }[];
  /** null: what the object holds now. */
  readonly expected: JsonObject | null;
}

const recorded: fc.Arbitrary<Recorded> = fc.record({
  drawn: life,
  blind: fc.array(
    fc.record({ from: fc.integer({ min: 400, max: 690 }), seconds: fc.integer({ min: 1, max: 60 }) }),
    { maxLength: 2 },
  ),
  expected: fc.option(fc.record({ KEY: fc.constantFrom("a", "b"), OTHER: fc.constantFrom("x", "a") }), {
    freq: 2,
  }),
});

const digestOf = (data: JsonObject): string => String(configDigest({ data }));

const sees = ({ blind }: Recorded, second: number): boolean =>
  !blind.some(({ from, seconds }) => second >= from && second < from + seconds);

const evidenceFor = (one: Recorded): Evidence => {
  const world = worldOf(one.drawn);
  const records = recordsOf(one.drawn, (second) => sees(one, second)).map((raw, at) =>
    seenHeld(raw, `number ${String(at).padStart(4, "0")}`, { evidence: "held.json", pointer: `/${at}` }),
  );
  return { ...world, objects: [...world.objects, ...records] };
};

const questionFor = ({ expected }: Recorded): Question =>
  about("deployment/web", {
    claims: ["rollout-complete", "config-loaded", "config-bound"],
    expected:
      expected === null
        ? {}
        : { config: new Map([["settings", { sha256: digestOf(expected), version: null }]]) },
  });

const found = (judgeIt: laws.Judge, one: Recorded) => {
  const { findings } = judgeIt(evidenceFor(one), questionFor(one));
  const of = (claim: string) => findings.find((finding) => finding.claim === claim) as Finding;
  return { loaded: of("config-loaded"), bound: of("config-bound") };
};

/** What is so, and what may and must be said of it; empty: all of it holds. */
const untrue = (judgeIt: laws.Judge, one: Recorded): readonly string[] => {
  const { drawn, expected } = one;
  const { loaded, bound } = found(judgeIt, one);
  const now = dataAt(drawn, READ_AT);
  const wanted = expected ?? now;
  const taken = keysTaken(drawn);
  const same = (a: JsonObject | null, b: JsonObject | null): boolean =>
    a !== null && b !== null && taken.every((key) => a[key] === b[key]);
  const given = givenTo(drawn);
  // Files of an immutable object do not.
  const follows = (drawn.delivery === "volume" || drawn.delivery === "projected") && !drawn.immutable;
  const wasGiven = given.every((data) => same(data, wanted)) && (!follows || isStill(drawn, same));
  const wasGivenNow = given.every((data) => same(data, now));
  const wasGivenAnother = given.every((data) => !same(data, now));
  const wasNeverExpected = given.every(
    (data) => data === null || wanted === null || digestOf(data) !== digestOf(wanted),
  );
  const says = (finding: Finding) => `${finding.finding} (${finding.reason}: ${finding.sentence})`;
  const checks: readonly (readonly [holds: boolean, what: string])[] = [
    [loaded.finding !== "proven" || wasGiven, `it was given something else, and ${says(loaded)}`],
    [loaded.reason !== "stale" || wasGivenAnother, `it was given what is there, and ${says(loaded)}`],
    [loaded.reason !== "other-content" || wasNeverExpected, `it was given that, and ${says(loaded)}`],
    [loaded.reason !== "stale" || !follows, `its files follow, and ${says(loaded)}`],
    [bound.reason !== "time-bomb" || isWrittenSince(drawn), `nothing was written, and ${says(bound)}`],
    [
      bound.finding !== "proven" || (drawn.immutable && wasGivenNow),
      `the next one may be given another, and ${says(bound)}`,
    ],
    [!mustKnow(one) || KNOWN.has(loaded.finding), `all of it was held, and ${says(loaded)}`],
    [
      !mustKnow(one) || expected !== null || loaded.finding !== "refuted" || bound.reason === "time-bomb",
      `it is stale, and ${says(bound)}`,
    ],
  ];
  return checks.flatMap(([holds, what]) => (holds ? [] : [what]));
};

const KNOWN: ReadonlySet<string> = new Set(["proven", "refuted"]);

const isStill = (drawn: Life, same: (a: JsonObject | null, b: JsonObject | null) => boolean): boolean => {
  const now = dataAt(drawn, READ_AT);
  return heldSince(drawn).every((data) => same(data, now));
};

/** Read once, of one incarnation, with nothing kept and nothing written about the time of reading, and the recorder awake. */
const mustKnow = (one: Recorded): boolean => {
  const { drawn } = one;
  const isEnv = drawn.delivery === "env" || drawn.delivery === "envFrom";
  if (!isEnv && drawn.delivery !== "subPath") return false;
  if (drawn.madeAgain !== null || isKept(drawn) || one.expected !== null) return false;
  const [from, to] = [(isEnv ? drawn.started : POD_MADE) - 10, drawn.started + 10];
  if (drawn.made > from || to > READ_AT) return false;
  const seconds = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const [first] = seconds;
  const text = (second: number) => JSON.stringify(dataAt(drawn, second));
  return seconds.every((second) => sees(one, second) && text(second) === text(Number(first)));
};

/** Judges, and notes what was found. */
const noting =
  (seen: Set<string>): laws.Judge =>
  (evidence, question) => {
    const judged = judge(evidence, question);
    for (const { layer, finding, reason } of judged.findings)
      if (layer === "config") seen.add(`${finding} ${reason}`);
    return judged;
  };

describe("by what a recorder held", () => {
  it("C1, C2, C4: says what was given, and nothing of what it was blind for", () => {
    fc.assert(
      fc.property(recorded, (one) => {
        expect(untrue(judge, one)).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it("control: what is drawn comes to each finding that records make", () => {
    const seen = new Set<string>();
    for (const one of fc.sample(recorded, { numRuns: 300, seed: 5 })) untrue(noting(seen), one);
    expect([...seen]).toEqual(
      expect.arrayContaining([
        "proven loaded",
        "refuted stale",
        "refuted other-content",
        "refuted time-bomb",
      ]),
    );
  });

  it("V1, V2, V7: any field that a proof cites is needed, in any order", () =>
    fc.assert(
      fc.property(recorded, fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }), (one, seeds) => {
        const [evidence, question] = [evidenceFor(one), questionFor(one)];
        const broken = laws.brokenBy((law) => {
          laws.anyFieldAnyOrder(law, judge, evidence, question, seeds);
          laws.limitsTold(law, judge, evidence, question);
        });
        expect(broken).toEqual([]);
      }),
      { numRuns: 25 },
    ));
});

/** A judge that sees other records than there are. */
const recordsAs =
  (change: (records: readonly Seen[]) => readonly Seen[]): laws.Judge =>
  (evidence, question) => {
    const isHeld = ({ kind }: Seen) => kind === "HeldConfig";
    const others = evidence.objects.filter((seen) => !isHeld(seen));
    return judge({ ...evidence, objects: [...others, ...change(evidence.objects.filter(isHeld))] }, question);
  };

const withRaw = (seen: Seen, more: JsonObject): Seen => ({ ...seen, raw: { ...seen.raw, ...more } });

const podsAs =
  (change: (container: JsonObject) => JsonObject): laws.Judge =>
  (evidence, question) =>
    judge(
      {
        ...evidence,
        objects: evidence.objects.map((seen) => {
          if (seen.kind !== "Pod") return seen;
          const spec = seen.raw["spec"] as JsonObject;
          const lists = ["containers", "initContainers"].flatMap((field) =>
            spec[field] === undefined
              ? []
              : [[field, (spec[field] as readonly JsonObject[]).map(change)] as const],
          );
          return withRaw(seen, { spec: { ...spec, ...Object.fromEntries(lists) } });
        }),
      },
      question,
    );

const MUTANTS: Readonly<Record<string, laws.Judge>> = {
  "a blind interval is taken as unchanged": recordsAs((records) =>
    records.map((seen, at) => withRaw(seen, { to: records[at + 1]?.raw["from"] ?? String(seen.raw["to"]) })),
  ),
  "C4: an equal digest bridges a blind interval, whatever UID and resourceVersion": recordsAs((records) =>
    records.map((seen) =>
      withRaw(seen, { uid: String(seen.raw["sha256"]), resourceVersion: String(seen.raw["sha256"]) }),
    ),
  ),
  "C2: env is judged like a volume": podsAs((container) =>
    container["env"] === undefined && container["envFrom"] === undefined
      ? container
      : { ...container, env: [], envFrom: [], volumeMounts: [{ name: "config", mountPath: "/etc/app" }] },
  ),
  "C2: a volume is judged like env": podsAs((container) =>
    container["volumeMounts"] === undefined
      ? container
      : { ...container, volumeMounts: [], envFrom: [{ configMapRef: { name: "settings" } }] },
  ),
  "C3: the digest of a key is not looked at, only that it is there": recordsAs((records) => {
    const last = records.at(-1);
    return records.map((seen) =>
      withRaw(seen, { keys: last?.raw["keys"] ?? null, sha256: String(last?.raw["sha256"]) }),
    );
  }),
  "what a recorder held is not looked at": recordsAs(() => []),
};

describe("mutant", () => {
  it.each(Object.entries(MUTANTS))("%s: caught", (_, broken) => {
    const { failed } = fc.check(
      fc.property(recorded, (one) => untrue(broken, one).length === 0),
      { numRuns: 2_000, endOnFailure: true, seed: 5 },
    );
    expect(failed).toBe(true);
  });
});
