/** Where an earlier state comes from: files that the person named, a folder of records, else the revision before. */
import { resolve } from "node:path";
import { openProvenStates } from "../adapters/system/proven-states.ts";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import { passingKey } from "../adapters/system/snapshot-folder.ts";
import { EXIT } from "../domain/exit.ts";
import type { Question } from "../domain/question.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { ProvenStates } from "../ports/proven-states.ts";
import {
  againstBaseline,
  againstRecords,
  BY_REVISION,
  type Comparison,
  keyOf,
  misfit,
  NO_COMPARISON,
} from "../runtime/comparison.ts";
import { isAlreadyKept, recordOf } from "../runtime/proven-record.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { reportIn, type VerdictReport } from "../runtime/verify.ts";
import type { StackFaults } from "./place.ts";

/** As the person gave them; null: not given. */
export interface Earlier {
  /** A file or folder of saved objects. */
  readonly baseline: string | null;
  /** A folder of records. */
  readonly record: string | null;
}

export interface Comparing {
  /** What is compared with, once it is known which cluster is asked; null: files that do not say it. */
  readonly comparison: (
    server: string | null,
    wanted: Pick<Question, "kind" | "namespace" | "name" | "rules"> | null,
  ) => Comparison | Refused;
  /** Records what is proven; a sentence for each that could not be. */
  readonly keep: (reports: readonly VerdictReport[], server: string) => Promise<readonly string[]>;
}

/** Nothing is asked where the files or the folder cannot be used. */
export const comparingWith = async (
  { baseline, record }: Earlier,
  cwd: string,
): Promise<Comparing | StackFaults | Refused> => {
  const states = record === null ? null : openProvenStates(resolve(cwd, record));
  if (states !== null && "fault" in states)
    return refused(EXIT.usage, `${record}: no records can be kept there: ${states.fault}`);
  const keep = keeping(states);
  if (baseline === null)
    return {
      comparison: (server) =>
        states === null || server === null ? BY_REVISION : againstRecords(states, server),
      keep,
    };
  const collected = await savedEvidence({
    path: resolve(cwd, baseline),
    named: baseline,
    at: null,
  }).collect();
  if ("faults" in collected) return { kind: "faults", faults: collected.faults };
  return { comparison: withFiles(baseline, collected), keep };
};

const withFiles = (named: string, collected: Collected): Comparing["comparison"] => {
  const comparison = againstBaseline(named, collected, (collection, its, question) =>
    reportIn(collection, its, question, NO_COMPARISON),
  );
  return (server, wanted) => {
    const why = misfit(named, collected, server, wanted);
    return why === null ? comparison : refused(EXIT.usage, why);
  };
};

const keeping =
  (states: ProvenStates | null): Comparing["keep"] =>
  async (reports, server) => {
    if (states === null) return [];
    const faults: string[] = [];
    for (const report of reports) {
      const { subject, verdict } = report;
      if (subject === null || verdict !== "proven") continue;
      const key = keyOf(subject, server);
      if (isAlreadyKept(states.last(key), subject)) continue;
      const kept = await states.keep(key, recordOf(report, subject, server, passingKey()));
      if (kept !== undefined)
        faults.push(`it was not recorded that ${subject.kind} ${subject.name} is proven: ${kept.fault}`);
    }
    return faults;
  };
