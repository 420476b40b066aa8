/** The flags of recover: those of a rollback, of a reply that is asked for, and of a drill. */
import type { BystanderReply } from "../../domain/bystander.ts";
import type { Instant } from "../../domain/ids.ts";
import {
  type Answering,
  type Asking,
  answering,
  askingFlags,
  bystanderVia,
  everywhereAliases,
  type Flag,
  type Flags,
  nonEmpty,
  text,
  toggle,
  verifying,
} from "./flags.ts";
import { type DrillFlags, drilling } from "./flags-drill.ts";
import { type RollbackRunFlags, running } from "./flags-rollback.ts";
import { FLAG } from "./texts/flags.ts";

export interface RecoverFlags
  extends RollbackRunFlags,
    Answering,
    Pick<DrillFlags, "allowNamespace" | "allowGap"> {
  readonly drill: boolean;
  readonly bystanderVia?: readonly BystanderReply[];
  readonly report?: string;
}

export const recovering: Flags<RecoverFlags> = {
  ...running,
  ...answering,
  drill: toggle(FLAG.recoverDrill),
  ...bystanderVia,
  allowNamespace: drilling.allowNamespace,
  allowGap: drilling.allowGap,
  report: text(FLAG.labReport, "FILE"),
};

export interface RecoverReportFlags extends Asking {
  readonly git: string;
  readonly normal: string;
  readonly failure: string;
  readonly recovery: string;
  readonly application?: { readonly namespace: string; readonly name: string };
  readonly repository?: string;
  readonly path?: string;
  readonly from?: string;
  readonly at?: Instant;
  readonly failed?: string;
  readonly report?: string;
}

const needed = (brief: string, placeholder: string): Flag<string> => ({
  kind: "parsed",
  parse: nonEmpty,
  brief,
  placeholder,
});

export const recoveringByGit: Flags<RecoverReportFlags> = {
  ...askingFlags,
  git: needed(FLAG.recoverGit, "DIR"),
  normal: needed(FLAG.normal, "COMMIT"),
  failure: needed(FLAG.failure, "COMMIT"),
  recovery: needed(FLAG.recovery, "COMMIT"),
  application: verifying.application,
  repository: verifying.repository,
  path: text(FLAG.gitPath, "PATH"),
  from: verifying.from,
  at: verifying.at,
  failed: text(FLAG.failed, "PATH"),
  report: text(FLAG.recoverReport, "FILE"),
};

export const recoverReportAliases = { ...everywhereAliases, n: "namespace", o: "output" } as const;
