/**
 * The chain, from its newest run to its oldest: each whole run says which one was before it, by digest, and which slots between
 * were never finished. So a run that is missing, replaced, put elsewhere or made shorter contradicts the one after it; only the
 * newest ones can be cut off without a trace here, and a checkpoint that was kept elsewhere shows that too.
 */
import {
  type EvidenceProblem,
  type RunCheck,
  type RunId,
  type RunLink,
  type Trust,
  trustOf,
} from "../../../domain/evidence-run.ts";
import type { Digest, Instant } from "../../../domain/ids.ts";
import { iso } from "../../../domain/ids.ts";
import { age } from "../../../domain/time.ts";
import type { CheckOptions } from "../../../ports/evidence-runs.ts";
import { rotationIn } from "../../../wire/evidence/rotation.ts";
import { hexOf } from "../../../wire/evidence/sums.ts";
import { readingBuffer } from "./files.ts";
import { Keyring, type Signed } from "./keyring.ts";
import { BUNDLE, runPath, SEAL, STATEMENT, slotPath } from "./layout.ts";
import { type AlteredLink, type IncompleteLink, readLink, refuted, type WholeLink } from "./link.ts";
import { Retention } from "./retention.ts";
import { checkFiles } from "./run-files.ts";

type Options = Pick<CheckOptions, "keys" | "heldHere" | "checkpoint">;
type Depth = CheckOptions["depth"];

/** What the nearest whole run above says of those below it. */
interface Expected {
  readonly by: WholeLink;
  /** Where `previous` must stand; 0: there must be none. */
  readonly sequence: number;
}

export class Walk {
  readonly #place: string;
  readonly #options: Options;
  readonly #keyring: Keyring;
  readonly #retention: Retention;
  readonly #buffer = readingBuffer();
  /** The newest run of each signer, as far as the walk came. */
  readonly #signedLast = new Map<Digest, WholeLink>();
  #expected: Expected | null = null;
  /** Tied by digests, without a break, to the checkpoint. */
  #isFixed = false;
  isCheckpointSeen = false;
  newest: RunLink | null = null;

  /** `isWhole`: it begins at the newest run, and leaves none out. */
  constructor(place: string, options: Options, { isWhole }: { readonly isWhole: boolean }) {
    this.#place = place;
    this.#options = options;
    this.#keyring = new Keyring(place, options.keys);
    const isSound = (link: WholeLink): boolean => this.#keyring.signed(link).problem === null;
    this.#retention = new Retention(place, isSound, { isTold: isWhole });
  }

  /** Takes its word for those below, and checks nothing of it itself. */
  start(above: WholeLink): void {
    this.#expected = expectedBy(above);
  }

  /** Called with each number once, downwards. */
  look(sequence: number, depth: Depth): RunCheck {
    const link = readLink(this.#place, sequence);
    const expected = this.#expected;
    switch (link.kind) {
      case "missing":
        return this.#broken(sequence, null, [
          refuted(slotPath(sequence), "slot-missing", `is missing${namedBy(expected, sequence)}`),
        ]);
      case "altered":
        return this.#broken(sequence, link.run, [this.#blamed(link)]);
      case "incomplete":
        return this.#incomplete(link);
      case "whole":
        return this.#whole(link, depth);
    }
  }

  /** Of slots that are not there, all of them at once: somebody can make a number as large as they like. */
  lookAtGap(from: number, to: number): RunCheck {
    const check = this.look(to, "chain");
    if (from === to) return check;
    this.#expected = null;
    const sentence = `${slotPath(from)} to ${slotPath(to)} are missing`;
    return { ...check, problems: [{ ...refuted(slotPath(to), "slot-missing", ""), sentence }] };
  }

  /** What no other can be tied to: what is below stands for itself. */
  #broken(sequence: number, run: RunId | null, problems: readonly EvidenceProblem[]): RunCheck {
    this.#expected = null;
    this.#isFixed = false;
    return { run, sequence, finding: "refuted", problems, notes: [], sha256: null, trust: trustOf("T0") };
  }

  /** Where the run above has the digest of the statement, it is the seal that was altered. */
  #blamed(link: AlteredLink): EvidenceProblem {
    const previous = this.#expected?.by.statement.previous ?? null;
    if (link.unsealed === null || link.run === null || previous?.sha256 !== link.unsealed)
      return link.problem;
    const file = `${runPath(link.run)}/${SEAL}`;
    return refuted(
      file,
      "altered",
      `is not as it was recorded: the run after it names another digest, that of ${STATEMENT}`,
    );
  }

  // ---- never finished ----------------------------------------------------------------------------------------------

  #incomplete({ sequence, run, lacks }: IncompleteLink): RunCheck {
    const expected = this.#expected;
    const check = { run, sequence, sha256: null, trust: trustOf("T0") } as const;
    if (expected === null) {
      const sentence = `${lacks} is not there: the recording of run ${sequence} (${slotPath(sequence)}) was not finished (or is under way), and it proves nothing`;
      const problem = { file: lacks, reason: "incomplete", sentence, finding: "undetermined" } as const;
      return { ...check, finding: "undetermined", problems: [problem], notes: [] };
    }
    const { by } = expected;
    const listed = by.statement.incomplete.find((one) => one.sequence === sequence);
    if (listed !== undefined && (listed.run === run || listed.run === null))
      return {
        ...check,
        finding: "undetermined",
        problems: [],
        notes: [`never finished, as run ${by.sequence} says: it proves nothing`],
      };
    const problem = refuted(
      lacks,
      "made-shorter",
      listed === undefined
        ? `is missing, unless ${slotPath(sequence)} was altered: run ${by.sequence} (${by.run}) says that run ${sequence} was whole`
        : `is of another run than the unfinished one that run ${by.sequence} (${by.run}) names in ${slotPath(sequence)}`,
    );
    this.#expected = null;
    this.#isFixed = false;
    return { ...check, finding: "refuted", problems: [problem], notes: [] };
  }

  // ---- whole -------------------------------------------------------------------------------------------------------

  #whole(link: WholeLink, depth: Depth): RunCheck {
    const { checkpoint } = this.#options;
    const problems: EvidenceProblem[] = [];
    const notes: string[] = [];
    const misfit = this.#misfit(link) ?? contradiction(link);
    if (misfit !== null) {
      problems.push(misfit);
      this.#isFixed = false;
    }
    if (checkpoint?.run === link.run) {
      this.isCheckpointSeen = true;
      this.#isFixed = checkpoint.sha256 === link.sha256;
      if (!this.#isFixed)
        problems.push(
          refuted(
            `${runPath(link.run)}/${STATEMENT}`,
            "not-the-checkpoint",
            `is not the one of the checkpoint: its SHA-256 is ${hexOf(link.sha256)}, and the checkpoint has ${hexOf(checkpoint.sha256)}`,
          ),
        );
    }
    const later = this.#expected?.by.statement.recordedAt;
    if (later !== undefined && later < link.statement.recordedAt)
      notes.push(clockNote(link.statement.recordedAt, later));
    const signed = this.#keyring.signed(link);
    if (signed.problem !== null) problems.push(signed.problem);
    problems.push(...this.#retired(link, signed));
    if (depth === "files") {
      const files = checkFiles(
        this.#place,
        link.statement,
        this.#buffer,
        () => this.#retention.of(link) !== null,
      );
      problems.push(...files.problems);
      notes.push(...this.#retentionNotes(link, files));
    }
    // What is itself in doubt is no word on others' deletions.
    if (depth === "files" && link.statement.kind === "retention" && problems.length === 0)
      this.#retention.add(link);
    this.#expected = expectedBy(link);
    this.newest ??= { run: link.run, sha256: link.sha256 };
    const finding = problems.some((one) => one.finding === "refuted")
      ? "refuted"
      : problems.length > 0
        ? "undetermined"
        : "proven";
    return {
      run: link.run,
      sequence: link.sequence,
      finding,
      problems,
      notes,
      sha256: link.sha256,
      trust: finding === "proven" ? this.#trustOf(link, signed) : trustOf("T0"),
    };
  }

  /** Why it cannot be the run that the one above names. */
  #misfit({ sequence, run, sha256 }: WholeLink): EvidenceProblem | null {
    if (this.#expected === null) return null;
    const { by, sequence: its } = this.#expected;
    const { previous } = by.statement;
    const file = `${runPath(run)}/${STATEMENT}`;
    const who = `run ${by.sequence} (${by.run})`;
    if (sequence !== its || previous === null)
      return refuted(
        file,
        "not-in-the-chain",
        by.statement.incomplete.some((one) => one.sequence === sequence)
          ? `makes run ${sequence} whole, and ${who} says that it never was`
          : `is in the chain as run ${sequence}, and ${who} knows of none there`,
      );
    if (previous.run !== run)
      return refuted(
        file,
        "not-in-the-chain",
        `is of another run than the one that ${who} names before it, ${previous.run}`,
      );
    return previous.sha256 === sha256
      ? null
      : refuted(
          file,
          "altered",
          `is not as it was recorded: ${who} names it with another SHA-256, ${hexOf(previous.sha256)}`,
        );
  }

  /** A key that was replaced signs nothing any more. */
  #retired(link: WholeLink, signed: Signed): readonly EvidenceProblem[] {
    const { signer } = link.statement;
    if (signer === null || signed.problem !== null) return [];
    const rotation = rotationIn(link.statement);
    const later = rotation === undefined ? undefined : this.#signedLast.get(rotation.replaces);
    if (!this.#signedLast.has(signer)) this.#signedLast.set(signer, link);
    if (rotation === undefined || later === undefined) return [];
    const file = `${runPath(later.run)}/${BUNDLE}`;
    return [
      refuted(
        file,
        "retired-key",
        `is signed by ${signer} as run ${later.sequence}, and run ${link.sequence} (${link.run}) replaced that key before`,
      ),
    ];
  }

  #retentionNotes(
    link: WholeLink,
    { gone, kept }: Pick<ReturnType<typeof checkFiles>, "gone" | "kept">,
  ): readonly string[] {
    const deleted = gone.size > 0 ? this.#retention.of(link) : this.#retention.knownOf(link);
    if (deleted === null) return [];
    return [
      ...(gone.size > 0
        ? [
            `${files(gone.size)} of what was observed ${gone.size === 1 ? "was" : "were"} deleted by retention on ${deleted.at}, as run ${deleted.sequence} (${deleted.by.run}) says; sums and statement are here`,
          ]
        : []),
      ...(kept.size > 0
        ? [
            `${files(kept.size)} of it that retention was to delete (run ${deleted.sequence}) ${kept.size === 1 ? "is" : "are"} still there; asfound evidence prune goes on with that`,
          ]
        : []),
    ];
  }

  #trustOf({ statement }: WholeLink, { by }: Signed): Trust {
    if (this.#isFixed) return trustOf("T2");
    if (by === "named" && statement.signer !== null)
      return this.#options.heldHere.has(statement.signer)
        ? trustOf(
            "T0",
            "signed, but the private key is on this host: whoever controls this host can sign other evidence",
          )
        : trustOf("T1");
    return by === "beside"
      ? trustOf(
          "T0",
          "signed, and checked only by the public key that lies beside it: whoever made all of it anew would have put theirs there; name the signer's key (--key)",
        )
      : trustOf("T0");
  }
}

const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);

const expectedBy = (by: WholeLink): Expected => ({
  by,
  sequence: by.statement.previous === null ? 0 : by.sequence - by.statement.incomplete.length - 1,
});

/** What it says of the runs before it has to fit its own number. */
const contradiction = ({ run, sequence, statement }: WholeLink): EvidenceProblem | null => {
  const { previous, incomplete } = statement;
  const first = sequence - incomplete.length;
  const isInOrder = incomplete.every((one, index) => one.sequence === first + index);
  return isInOrder && (previous === null ? first === 1 : first > 1)
    ? null
    : refuted(
        `${runPath(run)}/${STATEMENT}`,
        "contradicts-itself",
        `says that it is run ${sequence}, and what it says of those before it does not come to that`,
      );
};

const namedBy = (expected: Expected | null, sequence: number): string => {
  const previous = expected?.by.statement.previous ?? null;
  return expected !== null && previous !== null && expected.sequence === sequence
    ? `: run ${expected.by.sequence} (${expected.by.run}) says that ${previous.run} was there`
    : "";
};

const clockNote = (before: Instant, after: Instant): string =>
  `this host's clock went backwards by ${age(before - after)} or more between this run (${iso(before)}) and the next (${iso(after)}); the numbers are the order`;
