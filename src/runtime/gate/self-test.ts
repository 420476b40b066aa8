/**
 * `gate test`: shows a gate what it has to refuse, and what it has to let pass. Each world goes the whole way: it is recorded as
 * evidence, checked, judged by the gate's own question, looked at once more, and decided by the gate's own rule.
 */
import { EXIT } from "../../domain/exit.ts";
import type { Gate, GateCase } from "../../domain/gate.ts";
import type { GateRefusal } from "../../domain/gate-decision.ts";
import { REFUSAL_NAMES, REFUSALS, type RefusalName } from "../../domain/gate-refusal.ts";
import type { ResponseExpectation } from "../../domain/response.ts";
import { refusalsOf } from "../../judge/gate/decide.ts";
import type { Collected } from "../../ports/evidence-source.ts";
import type { GateAsked } from "./asked.ts";
import type { OpenBench } from "./bench.ts";
import { gateJudged } from "./judged.ts";
import { fieldsTaken } from "./missing-fields.ts";
import { firstOf, isRefusedFor, REFUSED_RECORDS, type RecordRefusal } from "./refused-records.ts";
import { REFUSED_STATES, type StateRefusal } from "./refused-states.ts";
import type { CaseTested, GateTestReport, RefusalTested } from "./self-test-report.ts";
import { type Asked, asItShould, givenIn, type Rule, shownTo } from "./showing.ts";
import { askedOfWorld, healthyWorld, NOT_IN_WORLD } from "./world.ts";
import type { WorldFiles } from "./world-files.ts";

export interface GateTested {
  readonly file: string | null;
  readonly accepts: Gate["accepts"];
  /** At least one. */
  readonly asked: readonly GateAsked[];
  /** Saved states of the person's own, read. */
  readonly cases: readonly { readonly told: GateCase; readonly collected: Collected }[];
  readonly open: OpenBench;
  /** Left out: all. */
  readonly only?: readonly RefusalName[];
  /** Left out: the real one. */
  readonly rule?: Rule;
  /** Told of each as it is begun. */
  readonly note?: (text: string) => void;
}

export const gateTest = async (tested: GateTested): Promise<GateTestReport> => {
  const rule = tested.rule ?? refusalsOf;
  const all = tested.asked.map(({ question, policy }): Asked => {
    const claims = policy.claims.filter((claim) => !NOT_IN_WORLD.has(claim));
    return { question: askedOfWorld(question), policy: { ...policy, claims } };
  });
  const responses = all.flatMap(({ question }) =>
    question.expected.response === null ? [] : [question.expected.response],
  );
  const world: World = { open: tested.open, rule, all, responses, files: healthyWorld(responses) };
  const healthy = await healthyIn(world);
  const refusals: RefusalTested[] = [];
  for (const name of tested.only ?? REFUSAL_NAMES) {
    tested.note?.(name);
    refusals.push(await testedOf(name, await lookOf(name, world), tested.accepts));
  }
  const cases = tested.cases.map(({ told, collected }) => caseOf(rule, tested.asked, told, collected));
  return {
    kind: "tested",
    file: tested.file,
    refusals,
    healthy,
    cases,
    statement: statementOf(refusals, healthy.promoted, cases),
    notTested: notTestedOf(tested.asked),
    exit: holds(refusals, healthy.promoted, cases) ? EXIT.proven : EXIT.refuted,
  };
};

interface World {
  readonly open: OpenBench;
  readonly rule: Rule;
  readonly all: readonly Asked[];
  readonly responses: readonly ResponseExpectation[];
  readonly files: WorldFiles;
}

const sentences = (refusals: readonly GateRefusal[]): readonly string[] => [
  ...new Set(refusals.map(({ side, sentence }) => `${side}: ${sentence}`)),
];

const healthyIn = async ({ open, rule, all, files }: World): Promise<GateTestReport["healthy"]> => {
  const [first] = all;
  if (first === undefined) return { promoted: false, details: ["it verifies nothing"] };
  const refusals = (await shownTo(open, rule, all, asItShould(first.policy, files))).flat();
  return { promoted: refusals.length === 0, details: sentences(refusals) };
};

/** What showing one refusal to the gate came to, before what the gate accepts is looked at. */
type Looked =
  | { readonly kind: "refused" | "slipped"; readonly details: readonly string[]; readonly states: number }
  | { readonly kind: "not-asked"; readonly why: string };

const lookOf = (name: RefusalName, world: World): Promise<Looked> => {
  if (name === "missing-field") return lookAtFields(world);
  return Object.hasOwn(REFUSED_STATES, name)
    ? lookAtState(name as StateRefusal, world)
    : lookAtRecord(name as RecordRefusal, world);
};

/** On record and there now alike: each of the two has to speak against it, by any of the gate's verifications. */
const lookAtState = async (name: StateRefusal, world: World): Promise<Looked> => {
  const { open, rule, all, responses, files } = world;
  const state = REFUSED_STATES[name](files, responses);
  const refusals = (
    await Promise.all(all.map((asked) => shownTo(open, rule, [asked], asItShould(asked.policy, state))))
  ).flat(2);
  const open_ = (["evidence", "live"] as const).filter(
    (side) => !refusals.some((one) => one.side === side && one.finding !== null),
  );
  if (open_.length === 0)
    return {
      kind: "refused",
      details: sentences(refusals.filter(({ finding }) => finding !== null)),
      states: 1,
    };
  const where = open_.map((side) => (side === "evidence" ? "on record" : "as what is there now"));
  return { kind: "slipped", details: [`it passes ${where.join(" and ")}`], states: 1 };
};

const lookAtRecord = async (name: RecordRefusal, { open, rule, all, files }: World): Promise<Looked> => {
  const [asked] = firstOf(all);
  if (asked === undefined) return { kind: "not-asked", why: "it verifies nothing" };
  const { shown, for: wanted, notAsked } = REFUSED_RECORDS[name];
  const why = notAsked === undefined ? null : notAsked(asked.policy);
  if (why !== null) return { kind: "not-asked", why };
  const healthy = asItShould(asked.policy, files);
  const refusals = (await shownTo(open, rule, [asked], shown(healthy, asked.policy))).flat();
  if (isRefusedFor(refusals, wanted)) return { kind: "refused", details: sentences(refusals), states: 1 };
  const details =
    refusals.length === 0 ? ["it is promoted"] : ["it is refused for something else", ...sentences(refusals)];
  return { kind: "slipped", details, states: 1 };
};

const MOST_SLIPPED = 10;

const lookAtFields = async ({ open, rule, all, files }: World): Promise<Looked> => {
  const slipped: string[] = [];
  let states = 0;
  for (const asked of all) {
    const bench = await open();
    const healthy = await givenIn(bench, asked, asItShould(asked.policy, files)).finally(() => bench.end());
    const taken = fieldsTaken(rule, asked, files, healthy);
    slipped.push(...taken.slipped);
    states += taken.fields;
  }
  if (states === 0)
    return {
      kind: "slipped",
      details: ["nothing of the healthy world is proven, so no field is needed"],
      states,
    };
  if (slipped.length === 0) return { kind: "refused", details: [`${states} fields, each needed`], states };
  const more = slipped.length > MOST_SLIPPED ? [`and ${slipped.length - MOST_SLIPPED} more`] : [];
  return { kind: "slipped", details: [...slipped.slice(0, MOST_SLIPPED), ...more], states };
};

const testedOf = (name: RefusalName, looked: Looked, accepts: Gate["accepts"]): RefusalTested => {
  const { says, needs } = REFUSALS[name];
  const base = { name, says, needs: null };
  if (looked.kind === "not-asked") return { ...base, outcome: "not-asked", details: [looked.why], states: 0 };
  const { details, states } = looked;
  const accepted = accepts.get(name);
  if (looked.kind === "refused") return { ...base, outcome: "refused", details, states };
  return accepted === undefined
    ? { ...base, outcome: "slips-through", details, states, needs }
    : { ...base, outcome: "accepted", details: [`accepted: ${accepted}`, ...details], states };
};

/** A saved state of the person's own: on record and there now alike, approved, and looked at when it was read. */
const caseOf = (
  rule: Rule,
  all: readonly GateAsked[],
  { name, of, expect, claims }: GateCase,
  collected: Collected,
): CaseTested => {
  const asked = all[of];
  if (asked === undefined)
    return { name, expected: expect, held: false, details: [`there is no verification ${of}`] };
  const { policy, question } = asked;
  const { verdict: judged } = gateJudged(collected, {
    ...question,
    namespace: question.namespace === null ? "default" : question.namespace,
  });
  const { at } = collected.evidence;
  const sha256 = `case ${name}`;
  const refusals = rule(policy, {
    evidence: {
      run: name,
      sha256,
      readAt: at,
      recordedAt: at,
      recorded: judged.verdict,
      trust: policy.trust,
      faults: [],
      judged,
    },
    live: { kind: "looked", at, judged },
    approvals: asItShould(policy, {}).approvers.map((actor) => ({
      run: name,
      actor,
      reason: name,
      at,
      of: sha256,
      whole: true,
      trust: policy.trust,
    })),
    newestRecordAt: at,
    now: at,
  });
  const missed = claims.filter((claim) => !refusals.some((one) => one.claim === claim));
  const did = refusals.length === 0 ? "promote" : "refuse";
  return {
    name,
    expected: expect,
    held: did === expect && missed.length === 0,
    details: [
      ...(did === expect ? [] : [did === "promote" ? "it is promoted" : "it is refused"]),
      ...missed.map((claim) => `it is not refused for ${claim}`),
      ...sentences(refusals),
    ],
  };
};

const holds = (
  refusals: readonly RefusalTested[],
  promoted: boolean,
  cases: readonly CaseTested[],
): boolean =>
  promoted && refusals.every(({ outcome }) => outcome !== "slips-through") && cases.every(({ held }) => held);

const statementOf = (
  refusals: readonly RefusalTested[],
  promoted: boolean,
  cases: readonly CaseTested[],
): string => {
  const of = (outcome: RefusalTested["outcome"]) => refusals.filter((one) => one.outcome === outcome);
  const slipped = of("slips-through").map(({ name }) => name);
  const broken = cases.filter(({ held }) => !held).map(({ name }) => name);
  const [accepted, notAsked] = [of("accepted").length, of("not-asked").length];
  return [
    slipped.length === 0
      ? `it refuses all ${of("refused").length} that it can be shown`
      : `${slipped.length} of ${refusals.length} slip through: ${slipped.join(", ")}`,
    ...(accepted === 0 ? [] : [`${accepted} slip through knowingly`]),
    ...(notAsked === 0 ? [] : [`${notAsked} it asks nothing of`]),
    promoted ? "it lets the healthy one pass" : "it does not let the healthy one pass",
    ...(cases.length === 0
      ? []
      : [
          broken.length === 0
            ? `your ${cases.length} ${cases.length === 1 ? "case holds" : "cases hold"}`
            : `of your cases ${broken.join(", ")} did not come out as expected`,
        ]),
  ].join("; ");
};

const notTestedOf = (all: readonly GateAsked[]): readonly string[] => {
  const claims = new Set(
    all.flatMap(({ policy, question }) => [
      ...policy.claims,
      ...(question.claims === null ? [] : question.claims),
    ]),
  );
  const absent = [...claims].filter((claim) => NOT_IN_WORLD.has(claim));
  const kinds = [...new Set(all.map(({ question }) => question.kind))].filter(
    (kind) => !/^(deploy(ment)?s?|applications?)(\.|$)/i.test(kind),
  );
  return [
    ...absent.map((claim) => `${claim}: no built-in world shows it; name cases of your own`),
    ...kinds.map((kind) => `${kind}: the built-in worlds are of a Deployment; name cases of your own`),
    ...(all.some(({ question }) => question.rules !== undefined && question.rules.length > 0)
      ? ["rules for kinds of your own: the built-in worlds are of a Deployment; name cases of your own"]
      : []),
  ];
};
