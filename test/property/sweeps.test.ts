/**
 * Sweeps over drawn crowds (ADR 0025): what each member comes to is known from how it was made, and the sweep may say nothing
 * better. Each law has a mutant that it catches.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import { NO_COMPARISON } from "../../src/runtime/comparison.ts";
import { keyOf, type SweepEvidence, sweepOf, type VerdictList } from "../../src/runtime/sweep.ts";
import { crowdFiles } from "../support/kubernetes/crowd.ts";
import { type Files, READ_AT, type World } from "../support/kubernetes/deployment.ts";
import { evidenceOf } from "../support/kubernetes/evidence.ts";
import { list } from "../support/kubernetes/object.ts";
import { done } from "../support/kubernetes/rollouts.ts";
import * as laws from "./judge-laws.ts";

const WORLDS = {
  proven: done,
  refuted: {
    replicas: 2,
    fresh: { version: "v2", pods: ["crash-loop"] },
    old: [{ version: "v1", pods: ["ready", "ready"] }],
  },
  progressing: { ...done, fresh: { version: "v2", pods: ["ready", "not-ready"] } },
  zero: { replicas: 0, fresh: { version: "v2", pods: [] }, old: [] },
} as const satisfies Readonly<Record<string, World>>;

interface Drawn {
  readonly members: readonly { readonly is: keyof typeof WORLDS; readonly isTorn: boolean }[];
  /** The kinds beside it were not read. */
  readonly isDenied: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  members: fc.array(
    fc.record({
      is: fc.constantFrom("proven", "proven", "proven", "refuted", "progressing", "zero"),
      isTorn: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    }),
    { maxLength: 3 },
  ),
  isDenied: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
});

const NONE: Files = Object.fromEntries(
  ["deployments", "replicasets", "pods", "events", "services", "endpointslices"]
    .concat(["horizontalpodautoscalers", "statefulsets", "daemonsets", "jobs", "cronjobs"])
    .map((name) => [`${name}.json`, list([])]),
);

type Sweep = (evidence: SweepEvidence) => VerdictList;

const QUESTION = { kinds: null, namespace: "shop", selector: null, claims: null };
const sweep: Sweep = (evidence) => sweepOf(evidence, QUESTION, NO_COMPARISON);

const madeOf = ({ members, isDenied }: Drawn): SweepEvidence => {
  const crowd = crowdFiles(
    members.map(({ is }, at) => ({ name: `app${at}`, namespace: "shop", world: WORLDS[is] })),
  );
  const read = evidenceOf({ ...NONE, ...crowd }, READ_AT);
  const asked = read.asked.map((one) =>
    isDenied && one.resource === "statefulsets"
      ? { ...one, answer: { kind: "denied" as const, why: "the right to list statefulsets.apps is missing" } }
      : one,
  );
  const torn = read.objects.flatMap((seen) => {
    const at = /^app(\d)$/.exec(seen.name)?.[1];
    const isTorn = seen.kind === "Deployment" && at !== undefined && members[Number(at)]?.isTorn === true;
    return isTorn ? [[keyOf(seen), "its spec was changed while the sweep read; look again"] as const] : [];
  });
  const now = instant(READ_AT);
  return {
    collected: { evidence: { ...read, asked }, from: now, to: now, meant: null, server: null },
    ...{ kinds: null, nameless: [], torn: new Map(torn), limits: new Map() },
  };
};

const truths = (law: laws.Law, judge: Sweep, made: Drawn): void => {
  const told = judge(madeOf(made));
  const whole = made.members.filter(({ isTorn }) => !isTorn);
  const of = (is: keyof typeof WORLDS) => whole.filter((one) => one.is === is).length;
  const torn = made.members.length - whole.length;
  const counted = of("proven") + of("refuted") + of("progressing");
  const says = `it is ${told.verdict}: ${told.statement}`;
  if (of("refuted") > 0) law("V2", told.verdict === "refuted", `one is refuted, and ${says}`);
  else if (torn > 0)
    law("V3", told.verdict === "undetermined", `${torn} changed in mid-reading, and ${says}`);
  else if (counted === 0) law("V5", told.verdict === "undetermined", `none can be judged, and ${says}`);
  else if (made.isDenied) law("V7", told.verdict === "undetermined", `a kind was not read, and ${says}`);
  else {
    const wanted = of("progressing") > 0 ? "progressing" : "proven";
    law("V2", told.verdict === wanted, `it has to be ${wanted}, and ${says}`);
    law("V5", told.scaledToZero.length === of("zero"), `${told.scaledToZero.length} stand apart`);
  }
  law("V5", told.counts.proven === of("proven"), `${told.counts.proven} are counted as proven`);
};

it("V2, V3, V5, R2: the worst is the sweep's, and what was not read, torn or wanted at zero proves nothing", () => {
  fc.assert(
    fc.property(drawn, (made) => {
      expect(laws.brokenBy((law) => truths(law, sweep, made))).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

const saying =
  (change: (told: VerdictList) => VerdictList): Sweep =>
  (evidence) =>
    change(sweep(evidence));

const MUTANTS: Readonly<Record<string, Sweep>> = {
  "nothing that is selected is proven": saying((told) =>
    told.items.length === 0 && told.unread.length === 0 ? { ...told, verdict: "proven" } : told,
  ),
  "what is scaled to zero is counted as proven": saying((told) => ({
    ...told,
    counts: { ...told.counts, proven: told.counts.proven + told.scaledToZero.length },
  })),
  "the best verdict is the sweep's": saying((told) =>
    told.counts.proven > 0 ? { ...told, verdict: "proven" } : told,
  ),
  "what changed in mid-reading is judged of the mixture": (evidence) =>
    sweep({ ...evidence, torn: new Map() }),
  "R2: a list that was denied is an empty one": (evidence) => {
    const { collected } = evidence;
    const asked = collected.evidence.asked.map((one) => ({ ...one, answer: { kind: "observed" as const } }));
    return sweep({
      ...evidence,
      collected: { ...collected, evidence: { ...collected.evidence, asked } },
    });
  },
};

describe("mutant", () => {
  for (const [name, broken] of Object.entries(MUTANTS))
    it(`${name}: caught`, () => {
      const found = fc.check(
        fc.property(drawn, (made) => laws.brokenBy((law) => truths(law, broken, made)).length === 0),
        { numRuns: 300, endOnFailure: true, seed: 7 },
      );
      expect(found.failed).toBe(true);
    });
});
