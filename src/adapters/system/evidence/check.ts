/** Checking all of a folder of evidence, or one run of it. Each throws the system's error where a folder cannot be looked at. */
import { join } from "node:path";
import {
  type EvidenceProblem,
  isRunId,
  type RunCheck,
  type RunId,
  type RunLink,
  type Trust,
  type TrustTier,
  trustOf,
} from "../../../domain/evidence-run.ts";
import type { CheckOptions, EvidenceCheck } from "../../../ports/evidence-runs.ts";
import { readPublicKey } from "../../../wire/evidence/public-key.ts";
import { readStatement } from "../../../wire/evidence/statement.ts";
import { readBytes } from "./files.ts";
import { CHAIN, KEYS, keyPath, namesIn, RUNS, runPath, STATEMENT, slotPath, slotsIn } from "./layout.ts";
import { MOST_BYTES, readLink, refuted } from "./link.ts";
import { Walk } from "./walk.ts";

type Options = Omit<CheckOptions, "run">;
type Tell = (check: RunCheck) => void;

// ---- one run -------------------------------------------------------------------------------------------------------

/** With the run above it, whose word on it counts: the checkpoint's, where one is named and not below. */
export const checkOne = (place: string, sequence: number, options: Options, tell: Tell): EvidenceCheck => {
  const walk = new Walk(place, options, { isWhole: false });
  const { checkpoint } = options;
  const fixing = checkpoint === null ? null : sequenceOf(place, checkpoint.run);
  const above = fixing !== null && fixing > sequence ? fixing : nextWhole(place, sequence);
  for (let at = above; at > sequence; at -= 1) walk.look(at, "chain");
  const looked = walk.look(sequence, options.depth);
  const missed = missedCheckpoint(walk, checkpoint, fixing !== null && fixing < sequence);
  const check = missed === null ? looked : worse(looked, missed);
  tell(check);
  const newest =
    check.run === null || check.sha256 === null ? null : { run: check.run, sha256: check.sha256 };
  return { finding: check.finding, runs: 1, incomplete: 0, newest, trust: check.trust, notes: [] };
};

const worse = (check: RunCheck, problem: EvidenceProblem): RunCheck => ({
  ...check,
  finding: "refuted",
  problems: [...check.problems, problem],
  trust: trustOf("T0"),
});

/** The run itself, where there is none above. */
const nextWhole = (place: string, sequence: number): number => {
  for (const above of slotsIn(place).sequences)
    if (above > sequence && readLink(place, above).kind === "whole") return above;
  return sequence;
};

/** As its statement says and its slot agrees. */
const sequenceOf = (place: string, run: RunId): number | null => {
  const read = readBytes(join(place, runPath(run), STATEMENT), MOST_BYTES);
  const statement = "bytes" in read ? readStatement(read.bytes) : read;
  if ("fault" in statement) return null;
  const link = readLink(place, statement.sequence);
  return link.kind === "whole" && link.run === run ? link.sequence : null;
};

/** `isBelow`: it fixes nothing here, and is there. */
const missedCheckpoint = (
  walk: Walk,
  checkpoint: RunLink | null,
  isBelow: boolean,
): EvidenceProblem | null =>
  checkpoint === null || walk.isCheckpointSeen || isBelow
    ? null
    : refuted(
        runPath(checkpoint.run),
        "checkpoint-missing",
        "is the run of the checkpoint, and the chain here does not have it: runs were cut off, or it is another chain",
      );

// ---- all of them ---------------------------------------------------------------------------------------------------

/** Newest first. What is kept of each is a number; so much is said as is wrong. */
export const checkAll = (place: string, options: Options, tell: Tell): EvidenceCheck => {
  const walk = new Walk(place, options, { isWhole: true });
  const slots = slotsIn(place);
  const sum = new Sum(tell);
  const { sequences } = slots;
  for (let index = sequences.length - 1; index >= 0; index -= 1) {
    const sequence = sequences[index] ?? 0;
    const above = sequences[index + 1];
    if (above !== undefined && above > sequence + 1) sum.add(walk.lookAtGap(sequence + 1, above - 1));
    sum.add(walk.look(sequence, options.depth));
  }
  const [first] = sequences;
  if (first !== undefined && first > 1) sum.add(walk.lookAtGap(1, first - 1));
  const missed = missedCheckpoint(walk, options.checkpoint, false);
  if (missed !== null) sum.addOutside([missed]);
  sum.addOutside(slots.others.map((name) => strange(`${CHAIN}/${name}`)));
  sum.addOutside(strays(place, sequences, sum.folders));
  sum.addOutside(keyFaults(place));
  return sum.of(walk.newest, options.checkpoint);
};

const ORDER: readonly TrustTier[] = ["T0", "T1", "T2", "T3"];

class Sum {
  readonly #tell: Tell;
  #runs = 0;
  #incomplete = 0;
  #isRefuted = false;
  #isOpen = false;
  #trust: Trust | null = null;
  /** As many as have a run's name and are in the chain. */
  folders = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  add(check: RunCheck): void {
    this.#tell(check);
    if (check.sha256 !== null) this.#runs += 1;
    else if (check.finding === "undetermined") this.#incomplete += 1;
    if (check.run !== null) this.folders += 1;
    this.#count(check.problems);
    if (check.sha256 === null) return;
    const isWeaker =
      this.#trust === null || ORDER.indexOf(check.trust.tier) < ORDER.indexOf(this.#trust.tier);
    if (isWeaker) this.#trust = check.trust;
  }

  /** What belongs to no run of the chain. */
  addOutside(problems: readonly EvidenceProblem[]): void {
    if (problems.length === 0) return;
    this.#count(problems);
    this.#tell({
      run: null,
      sequence: null,
      finding: "refuted",
      problems,
      notes: [],
      sha256: null,
      trust: trustOf("T0"),
    });
  }

  #count(problems: readonly EvidenceProblem[]): void {
    if (problems.some(({ finding }) => finding === "refuted")) this.#isRefuted = true;
    else if (problems.length > 0) this.#isOpen = true;
  }

  /** No run at all proves nothing (V5). */
  of(newest: RunLink | null, checkpoint: RunLink | null): EvidenceCheck {
    const finding = this.#isRefuted
      ? "refuted"
      : this.#isOpen || this.#runs === 0
        ? "undetermined"
        : "proven";
    return {
      finding,
      runs: this.#runs,
      incomplete: this.#incomplete,
      newest,
      trust: finding === "proven" ? (this.#trust ?? trustOf("T0")) : trustOf("T0"),
      notes:
        checkpoint === null
          ? [
              "that no newer run was cut off cannot be told from here; a checkpoint that you keep elsewhere (--checkpoint) tells",
            ]
          : [],
    };
  }
}

const strange = (file: string): EvidenceProblem =>
  refuted(file, "added", "is nothing that asfound writes there");

/** Folders of runs that no slot names. Only when the counts tell that there are some is it looked up which. */
const strays = (place: string, sequences: readonly number[], inChain: number): readonly EvidenceProblem[] => {
  const problems: EvidenceProblem[] = [];
  let runs = 0;
  for (const name of namesIn(join(place, RUNS)))
    if (isRunId(name)) runs += 1;
    else problems.push(strange(`${RUNS}/${name}`));
  if (runs === inChain) return problems;
  const named = new Set<string>();
  for (const sequence of sequences) {
    const link = readLink(place, sequence);
    if (link.kind !== "missing" && link.run !== null) named.add(link.run);
  }
  for (const name of namesIn(join(place, RUNS)))
    if (isRunId(name) && !named.has(name))
      problems.push(
        refuted(
          runPath(name),
          "not-in-the-chain",
          `is a run that no slot of the chain names${slotOf(place, name)}`,
        ),
      );
  return problems;
};

/** Where its own statement says that it belongs. */
const slotOf = (place: string, run: RunId): string => {
  const read = readBytes(join(place, runPath(run), STATEMENT), MOST_BYTES);
  const statement = "bytes" in read ? readStatement(read.bytes) : read;
  return "fault" in statement ? "" : `: ${slotPath(statement.sequence)} should, by what it says itself`;
};

const KEY_BYTES = 4096;

/** Each public key is what its name says, byte for byte. */
const keyFaults = (place: string): readonly EvidenceProblem[] =>
  [...namesIn(join(place, KEYS))].flatMap((name) => {
    const file = `${KEYS}/${name}`;
    if (!/^[0-9a-f]{64}\.pem$/.test(name)) return [strange(file)];
    const read = readBytes(join(place, file), KEY_BYTES);
    if ("fault" in read) return [refuted(file, "unreadable", `cannot be read: ${read.fault}`)];
    const pem = read.bytes.toString("latin1");
    const key = readPublicKey(pem);
    return "fault" in key || key.pem !== pem || keyPath(key.keyId) !== file
      ? [refuted(file, "altered", "is not the public key that its name says")]
      : [];
  });
