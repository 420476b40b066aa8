/** PersistentVolumeClaims: Bound, Pending, or Lost (core/v1). A claim may wait for its first Pod on purpose. */
import { RESOURCES } from "../../domain/resource.ts";
import { pendingClaim } from "../binding.ts";
import type { Rule } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { sameIncarnation } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import { TEXT } from "../read.ts";
import { beingDeleted } from "../whole.ts";
import { quoted } from "../words.ts";

const reportedReady: Rule = (given) => {
  const inquiry = new Inquiry("reported-ready");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const phase = inquiry.need(target, ["status", "phase"], TEXT);
  if (phase === undefined)
    return inquiry.undetermined("not-reported", "no controller has reported on this claim");
  if (phase === "Lost") return inquiry.refuted("volume-lost", "the volume that it was bound to is gone");
  if (phase === "Pending") return pendingClaim(inquiry, given);
  if (phase !== "Bound")
    return inquiry.undetermined("unknown-phase", `its phase is ${quoted(phase)}, which is none of the API's`);
  const volume = inquiry.need(target, ["spec", "volumeName"], TEXT);
  if (volume === undefined) return inquiry.unknown();
  for (const type of ["Resizing", "FileSystemResizePending"]) {
    const condition = conditionOf(target, type);
    if (condition.kind === "known" && condition.value.status === "True")
      return inquiry.progressing("resizing", `it is bound to ${quoted(volume)}, and ${type}`);
  }
  return inquiry.proven("bound", `it is bound to ${quoted(volume)}`);
};

export const volumeClaim: KindRule = {
  resource: RESOURCES.PersistentVolumeClaim,
  required: ["reported-ready"],
  rules: { "reported-ready": reportedReady },
};
