/** `recover report -o json`: kind `GitRecoveryReport`. Pure; every field is always there. */
import { citation } from "../../domain/evidence.ts";
import type { Finding } from "../../domain/finding.ts";
import type { GitRecord } from "../../domain/git-record.ts";
import type { JsonObject } from "../../domain/json.ts";
import { document, time } from "./document.ts";
import { finding, type VerdictReportInput } from "./verdict-report.ts";

/** How the recovery commit's content stands to the normal one's. */
export interface RecoveryContent {
  readonly equal: "tree" | "path" | "no" | "unknown";
  readonly differs: readonly { readonly path: string; readonly how: "added" | "removed" | "changed" }[];
  /** A clause; null: all is told. */
  readonly why: string | null;
}

interface Change {
  readonly kind: "none" | "config-only" | "template" | "config-and-template" | "other" | "unknown";
  readonly objects: readonly { readonly object: string; readonly what: string }[];
  readonly why: string | null;
}

type Role = "normal" | "failure" | "recovery";

export interface GitRecoveryInput {
  readonly target: VerdictReportInput["target"];
  readonly application: string | null;
  readonly verdict: string;
  readonly statement: string;
  readonly commits: readonly (GitRecord & { readonly role: Role })[];
  readonly lineage: { readonly failureAfterNormal: string; readonly recoveryAfterFailure: string };
  /** Whether its message says that it reverts the failing commit; null: it could not be read. */
  readonly saysItReverts: boolean | null;
  readonly path: string;
  readonly content: RecoveryContent;
  readonly changes: { readonly failing: Change; readonly recovering: Change };
  readonly findings: readonly Finding[];
  readonly firstAid: readonly string[];
  readonly permanent: readonly string[];
  readonly identity: readonly string[];
  readonly timeline: {
    readonly git: readonly {
      readonly at: string | null;
      readonly commit: string;
      readonly author: string | null;
      readonly subject: string | null;
      readonly role: Role | null;
    }[];
    readonly cluster: readonly { readonly at: string; readonly what: string; readonly evidence: string }[];
  };
  readonly limits: readonly string[];
  readonly window: { readonly from: number; readonly to: number };
  readonly exit: number;
}

const plain = <T>(value: T): JsonObject => value as unknown as JsonObject;

export const gitRecoveryReport = (report: GitRecoveryInput): JsonObject =>
  document("GitRecoveryReport", {
    target: {
      ...report.target,
      source: report.target.source === null ? null : citation(report.target.source),
    },
    application: report.application,
    verdict: report.verdict,
    statement: report.statement,
    commits: report.commits.map(plain),
    lineage: { ...report.lineage },
    saysItReverts: report.saysItReverts,
    path: report.path,
    content: plain(report.content),
    changes: plain(report.changes),
    findings: report.findings.map(finding),
    firstAid: [...report.firstAid],
    permanent: [...report.permanent],
    identity: [...report.identity],
    timeline: plain(report.timeline),
    limits: [...report.limits],
    window: { from: time(report.window.from), to: time(report.window.to) },
    exit: report.exit,
  });
