/** The flags of recover: those of a rollback, of a reply that is asked for, and of a drill. */
import type { BystanderReply } from "../../domain/bystander.ts";
import { type Answering, answering, bystanderVia, type Flags, text, toggle } from "./flags.ts";
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
