/** `config trace -o json`: kind `ConfigTrace`: each reference of each container's last start. Pure; every field is always there. */
import type { ConfigReference, ConfigState, EvidenceLevel } from "../../domain/config.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";
import { type VerdictReportInput, verdictReport } from "./verdict-report.ts";

export interface ConfigTraceRow extends ConfigReference {
  readonly pod: string;
  readonly podUid: string | null;
  readonly template: "new" | "old" | "held";
  /** The API server's own: of the volume with the service account's token, which every Pod has. */
  readonly serviceAccount: boolean;
  readonly source: {
    readonly found: "there" | "absent" | "not-read";
    readonly uid: string | null;
    readonly resourceVersion: string | null;
    readonly writtenByLatest: number | null;
    readonly manager: string | null;
    readonly immutable: boolean;
    /** Of its keys as files (C3); null: it was not read, or is a Secret. */
    readonly sha256: string | null;
  };
  /** null: it is no file. */
  readonly file: "as-the-object" | "another" | "as-mounted" | "not-knowable" | null;
  /** What this start may have been given, as a recorder held it; null: that is not known. */
  readonly given:
    | readonly {
        readonly uid: string;
        readonly resourceVersion: string;
        /** null: of a Secret. */
        readonly sha256: string | null;
      }[]
    | null;
  readonly startedAt: number | null;
  readonly state: ConfigState;
  readonly level: EvidenceLevel;
  readonly reason: string;
  readonly why: string;
}

/** What looks like a checksum of config, as an annotation of the workload. */
export interface ConfigTraceChecksum {
  readonly annotation: string;
  readonly on: "template" | "metadata";
  readonly of: "all" | "object" | "key" | "earlier" | "time" | "opaque";
  /** A ConfigMap's name; null: of none, or of all. */
  readonly object: string | null;
  readonly key: string | null;
  readonly says: string;
}

export interface ConfigTraceInput {
  readonly report: VerdictReportInput;
  readonly rows: readonly ConfigTraceRow[];
  /** Content that comes by another way, each a clause. */
  readonly untraceable: readonly string[];
  readonly checksums: readonly ConfigTraceChecksum[];
}

export const configTrace = (trace: ConfigTraceInput): JsonObject =>
  document("ConfigTrace", configTraceBody(trace));

export const configTraceBody = ({ report, rows, untraceable, checksums }: ConfigTraceInput): JsonObject => {
  const { apiVersion: _, kind: __, ...verdict } = verdictReport(report);
  return {
    ...verdict,
    references: rows.map(configReference),
    untraceable: [...untraceable],
    checksums: checksums.map((one) => ({ ...one })),
  };
};

/** One reference, as it also stands on a line of `-o jsonl`. */
export const configReference = (row: ConfigTraceRow): JsonObject => ({
  pod: row.pod,
  podUid: row.podUid,
  template: row.template,
  container: row.container,
  role: row.role,
  object: { kind: row.kind, name: row.name },
  keys: row.keys === null ? null : [...row.keys],
  delivery: row.delivery,
  as: row.as,
  inArguments: row.inArguments,
  optional: row.optional,
  serviceAccount: row.serviceAccount,
  source: { ...row.source, writtenByLatest: time(row.source.writtenByLatest) },
  file: row.file,
  given: row.given === null ? null : row.given.map((one) => ({ ...one })),
  startedAt: time(row.startedAt),
  state: row.state,
  level: row.level,
  reason: row.reason,
  why: row.why,
});
