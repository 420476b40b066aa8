/**
 * Where evidence is kept: append-only, each run a link of one chain (E1). A run is whole from the moment its last file is
 * there, and before that it is incomplete, for ever. What was altered, cut short or left unfinished is said, and never taken
 * for a run; a store that cannot be read is a fault, never an empty one.
 *
 * Every adapter passes `test/contract/evidence-runs.ts`.
 */
import type {
  DeletedRun,
  EvidenceRun,
  IncompleteRun,
  PublicKey,
  RunCheck,
  RunFacts,
  RunLink,
  Trust,
} from "../domain/evidence-run.ts";
import type { Digest, Instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { FoundKey } from "./releases.ts";
import type { Signer } from "./signer.ts";

/**
 * A file of a run. `path`: `report.json`, `question.json`, or one below `snapshot/`, parts of letters, digits, `.`, `_` and `-`.
 * Redacted already (E5): these bytes are what is kept.
 */
export interface RunFile {
  readonly path: string;
  /** Several pieces: written as they come, so a large snapshot is never whole in memory. */
  readonly bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface NewRun {
  readonly facts: RunFacts;
  /** Pulled one by one while the folder is locked; `report.json` among them, always. */
  readonly files: Iterable<RunFile> | AsyncIterable<RunFile>;
  /** null: not signed. */
  readonly signer: Signer | null;
}

export type RecordedRun =
  | {
      readonly kind: "recorded";
      readonly run: EvidenceRun;
      /** For whoever wants to name it. */
      readonly link: RunLink;
      /** What to tell: a clock that went backwards, an unfinished run before it. */
      readonly notes: readonly string[];
    }
  /** There is a run of this id. Nothing was written. */
  | { readonly kind: "exists" }
  /** A clause. There is no run; what was begun is incomplete. */
  | { readonly kind: "fault"; readonly fault: string };

/** One slot of the chain, as it says itself; nothing but its own form was checked. */
export type ListedRun =
  | { readonly kind: "run"; readonly run: EvidenceRun; readonly sha256: Digest }
  | ({ readonly kind: "incomplete" } & IncompleteRun)
  /** Its statement or slot is not as asfound writes it; the sentence names the file. */
  | { readonly kind: "altered"; readonly sequence: number; readonly fault: string };

/** A whole run whose files were found as its statement has them. */
export interface StoredRun {
  readonly run: EvidenceRun;
  readonly sha256: Digest;
  readonly report: JsonObject;
  /** null: it has none. */
  readonly question: JsonObject | null;
  /** The folder of what was observed, as `verify --from` reads it; null: it has none, or it was deleted by retention. */
  readonly snapshot: string | null;
  /** Its own folder, for an export. */
  readonly folder: string;
  /** Deleted by retention; null: not. */
  readonly deleted: DeletedByRetention | null;
}

/** What a retention run says of another. */
export interface DeletedByRetention {
  readonly by: RunLink;
  /** Paths in that run, with the digests that they had. */
  readonly files: ReadonlyMap<string, Digest>;
  /** When, as ISO 8601. */
  readonly at: string;
}

/** Why a run cannot be had. */
export interface EvidenceFault {
  readonly reason: "absent" | "ambiguous" | "incomplete" | "altered" | "unreadable";
  /** One sentence. */
  readonly fault: string;
}

export interface CheckOptions {
  /** null: every run of the chain. */
  readonly run: string | null;
  /** What the person has the signers by; what they signed over to by rotation counts too. Empty: signatures are checked against the keys beside the evidence, which proves no signer (T0). */
  readonly keys: readonly PublicKey[];
  /** Keys whose private halves this host holds, as far as anybody looked. */
  readonly heldHere: ReadonlySet<Digest>;
  /** Kept elsewhere; null: none, and the newest runs could have been cut off. */
  readonly checkpoint: RunLink | null;
  /** `chain`: statements, links and signatures only; no file of what was observed is read. */
  readonly depth: "files" | "chain";
}

/** What checking all of it came to. */
export interface EvidenceCheck {
  readonly finding: "proven" | "refuted" | "undetermined";
  readonly runs: number;
  readonly incomplete: number;
  /** The newest whole run: what a person would keep elsewhere as a checkpoint. */
  readonly newest: RunLink | null;
  readonly trust: Trust;
  readonly notes: readonly string[];
}

export interface PruneAsked {
  /** Of runs recorded before this. */
  readonly before: Instant;
  /** Of the record of it; kind `retention`. */
  readonly facts: RunFacts;
  readonly signer: Signer | null;
  readonly dryRun: boolean;
}

export type Pruned =
  | {
      readonly kind: "pruned";
      /** Oldest first, with the files that go (or went). */
      readonly due: readonly DeletedRun[];
      /** What an earlier one recorded and did not come to delete. */
      readonly begun: readonly DeletedRun[];
      /** Not as recorded, so not touched; each a sentence. */
      readonly left: readonly string[];
      /** The record; null: there was nothing to record. */
      readonly link: RunLink | null;
      readonly notes: readonly string[];
      readonly dryRun: boolean;
    }
  /** A clause. */
  | { readonly kind: "fault"; readonly fault: string };

export interface EvidenceRuns {
  /** As the person named it. */
  readonly place: string;
  /** The key of the keyed digests (C6, E5), beside the evidence and never within a run. `create`: makes one where there is none. */
  key(options: { readonly create: boolean }): Promise<FoundKey>;
  /** All or incomplete, whatever dies in between. Two at once do not mix. What `files` throws, this throws. */
  record(run: NewRun): Promise<RecordedRun>;
  /** Deletes observations (`snapshot/`) of old runs, after it recorded which; all else stays. */
  prune(asked: PruneAsked): Promise<Pruned>;
  /** One after another, never all in memory. Throws `EvidenceUnreadable` where the folder cannot be read. */
  list(order: "oldest-first" | "newest-first"): AsyncIterable<ListedRun>;
  /** By id, by sequence number (`12`), or `latest`. */
  read(named: string): Promise<StoredRun | EvidenceFault>;
  /** Where the run's files are, whatever state they are in; for those who check them with tools of their own. */
  folderOf(named: string): Promise<string | EvidenceFault>;
  /** `tell`: of each run, the newest first, each before the next is looked at. */
  check(options: CheckOptions, tell: (run: RunCheck) => void): Promise<EvidenceCheck | EvidenceFault>;
}

/** The folder cannot be read; the message is a sentence. */
export class EvidenceUnreadable extends Error {
  readonly code = "ASFOUND_EVIDENCE";
}
