/** Where `gate test` records its worlds: a real folder of evidence, made for the test and gone after it. */
import type { RunId, RunLink } from "../../domain/evidence-run.ts";
import type { GateTier } from "../../domain/gate.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Question } from "../../domain/question.ts";
import type { Records } from "./on-record.ts";
import type { WorldFiles } from "./world-files.ts";

export interface RecordedState {
  readonly files: WorldFiles;
  readonly question: Question;
  readonly recordedAt: Instant;
  /** By a key that is not on this host, as far as the check can tell. */
  readonly signed: boolean;
  readonly replays: RunLink | null;
}

export interface GivenApproval {
  readonly of: RunLink;
  readonly actor: string;
  readonly at: Instant;
  readonly signed: boolean;
}

export interface Bench {
  record(state: RecordedState): Promise<RunLink>;
  approve(given: GivenApproval): Promise<void>;
  /** Changes one byte of what was observed. */
  edit(run: RunId): Promise<void>;
  /** Takes the run's last file away, as if it had never been written. */
  cut(run: RunId): Promise<void>;
  /** As far as that tier takes: above T0 with the signer's key, at T2 with the newest run as a checkpoint. */
  records(trust: GateTier): Records;
  end(): Promise<void>;
}

export type OpenBench = () => Promise<Bench>;
