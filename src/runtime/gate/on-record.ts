/** What is on record of what a gate asks: the run, checked and judged again by the gate's own question, and its approvals. Reads only. */
import type { EvidenceRun, RunCheck } from "../../domain/evidence-run.ts";
import type { GateApproval, GateEvidence } from "../../domain/gate-decision.ts";
import type { Digest, Instant } from "../../domain/ids.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { Question } from "../../domain/question.ts";
import { resourceNamed } from "../../domain/resource.ts";
import type { CheckOptions, EvidenceFault, EvidenceRuns, StoredRun } from "../../ports/evidence-runs.ts";
import type { EvidenceSource } from "../../ports/evidence-source.ts";
import { gateJudged } from "./judged.ts";

export interface Records {
  readonly runs: EvidenceRuns;
  /** What a run's snapshot holds, as evidence. */
  readonly saved: (folder: string) => EvidenceSource;
  readonly trusted: Pick<CheckOptions, "keys" | "heldHere" | "checkpoint">;
}

export interface OnRecord {
  /** null: nothing is. */
  readonly evidence: GateEvidence | null;
  readonly approvals: readonly GateApproval[];
  readonly newestRecordAt: Instant | null;
  /** What moves nothing and has to be known, each a sentence. */
  readonly notes: readonly string[];
}

/** `named`: a run; null: the newest verdict about the target. The fault is about the folder, or about who named a run. */
export const onRecord = async (
  records: Records,
  question: Question,
  named: string | null,
): Promise<OnRecord | EvidenceFault> => {
  const chain = await chainOf(records, question);
  if ("fault" in chain) return chain;
  const wanted = named === null ? chain.newest : named;
  const notes = [...chain.notes];
  const base = { approvals: [], newestRecordAt: chain.newestRecordAt, notes };
  if (wanted === null) return { ...base, evidence: null };
  const read = await evidenceIn(records, question, wanted, chain.broken);
  if ("fault" in read) return read;
  const { evidence } = read;
  const approvals = evidence.sha256 === null ? [] : await approvalsOf(records, evidence.sha256);
  return { ...base, evidence, approvals, notes: [...notes, ...read.notes] };
};

interface Chain {
  /** The newest verdict about the target; null: there is none. */
  readonly newest: string | null;
  readonly newestRecordAt: Instant | null;
  /** What does not fit in the chain as a whole, each a sentence. */
  readonly broken: readonly string[];
  readonly notes: readonly string[];
}

const chainOf = async ({ runs, trusted }: Records, question: Question): Promise<Chain | EvidenceFault> => {
  const broken: string[] = [];
  let unfinished = 0;
  const checked = await runs.check({ ...trusted, run: null, depth: "chain" }, ({ finding, problems }) => {
    if (finding === "refuted") broken.push(...problems.map(({ sentence }) => sentence));
  });
  if ("fault" in checked)
    // No folder, no records: that is a refusal, and no fault of whoever asks.
    return checked.reason === "absent" ? { newest: null, newestRecordAt: null, broken, notes: [] } : checked;
  let newest: string | null = null;
  let newestRecordAt: Instant | null = null;
  for await (const one of runs.list("newest-first")) {
    if (one.kind === "incomplete") unfinished += 1;
    if (one.kind !== "run") continue;
    if (newestRecordAt === null || one.run.recordedAt > newestRecordAt) newestRecordAt = one.run.recordedAt;
    if (newest === null && isAbout(one.run, question)) newest = one.run.run;
  }
  const notes =
    unfinished === 0
      ? []
      : [
          `${unfinished} ${unfinished === 1 ? "run was" : "runs were"} never finished, and ${unfinished === 1 ? "proves" : "prove"} nothing`,
        ];
  return { newest, newestRecordAt, broken, notes };
};

const isAbout = ({ kind, target }: EvidenceRun, { kind: typed, namespace, name }: Question): boolean => {
  if (kind !== "verdict" || target === null) return false;
  const resource = resourceNamed(typed);
  const wanted = resource === undefined ? typed : resource.kind;
  return (
    target.name === name &&
    target.kind.toLowerCase() === wanted.toLowerCase() &&
    (target.namespace === namespace || target.namespace === null)
  );
};

interface Read {
  readonly evidence: GateEvidence;
  readonly notes: readonly string[];
}

const evidenceIn = async (
  { runs, saved, trusted }: Records,
  question: Question,
  named: string,
  broken: readonly string[],
): Promise<Read | EvidenceFault> => {
  const read = await runs.read(named);
  if ("fault" in read) return unread(read, named);
  let check: RunCheck | null = null;
  const checked = await runs.check({ ...trusted, run: read.run.run, depth: "files" }, (one) => {
    if (one.run === read.run.run) check = one;
  });
  if ("fault" in checked) return unread(checked, named);
  const own = check as RunCheck | null;
  const problems = own === null ? [] : own.problems;
  const faults = [
    ...problems.map(({ finding, sentence }) => ({
      kind: finding === "refuted" ? ("altered" as const) : ("incomplete" as const),
      sentence,
    })),
    ...broken
      .filter((sentence) => !problems.some((one) => one.sentence === sentence))
      .map((sentence) => ({
        kind: "altered" as const,
        sentence: `the chain that it stands in is broken: ${sentence}`,
      })),
  ];
  return {
    evidence: {
      ...(await contentOf(read, saved, question)),
      trust: (own === null ? checked : own).trust.tier,
      faults,
    },
    notes: own === null ? [] : own.notes,
  };
};

/** Who names no run of the folder is told; a run that is there and is not whole is evidence that does not hold. */
const unread = ({ reason, fault }: EvidenceFault, named: string): Read | EvidenceFault => {
  if (reason !== "incomplete" && reason !== "altered") return { reason, fault };
  return {
    evidence: {
      run: named,
      sha256: null,
      readAt: null,
      recordedAt: null,
      recorded: null,
      trust: "T0",
      faults: [{ kind: reason, sentence: fault }],
      judged: null,
    },
    notes: [],
  };
};

const contentOf = async (
  { run, sha256, snapshot }: StoredRun,
  saved: Records["saved"],
  question: Question,
): Promise<Omit<GateEvidence, "trust" | "faults">> => {
  const collected = snapshot === null ? null : await saved(snapshot).collect();
  const known = { run: run.run, sha256, recordedAt: run.recordedAt, recorded: run.verdict };
  if (collected === null || "faults" in collected) return { ...known, readAt: run.recordedAt, judged: null };
  const { verdict } = gateJudged(collected, question);
  return { ...known, readAt: collected.evidence.at, judged: verdict };
};

const approvalsOf = async ({ runs, trusted }: Records, of: string): Promise<readonly GateApproval[]> => {
  const named: { readonly run: EvidenceRun; readonly of: Digest }[] = [];
  for await (const one of runs.list("oldest-first")) {
    const approved = one.kind === "run" ? approvedIn(one.run) : null;
    if (one.kind === "run" && approved !== null) named.push({ run: one.run, of: approved });
  }
  const approvals: GateApproval[] = [];
  for (const { run, of: approved } of named.filter((one) => one.of === of)) {
    let own: RunCheck | null = null;
    const checked = await runs.check({ ...trusted, run: run.run, depth: "files" }, (one) => {
      if (one.run === run.run) own = one;
    });
    const whole = !("fault" in checked) && (own as RunCheck | null)?.finding === "proven";
    const reason = run.details?.["reason"];
    approvals.push({
      run: run.run,
      actor: run.actor,
      reason: typeof reason === "string" ? reason : "",
      at: run.recordedAt,
      of: approved,
      whole,
      trust: (own as RunCheck | null)?.trust.tier ?? "T0",
    });
  }
  return approvals;
};

/** The digest of the verdict that a run approves; null: it approves none. */
const approvedIn = ({ kind, details }: EvidenceRun): Digest | null => {
  const approves = kind === "approval" && details !== null ? details["approves"] : undefined;
  const sha256 = isJsonObject(approves) ? approves["sha256"] : undefined;
  return typeof sha256 === "string" ? (sha256 as Digest) : null;
};
