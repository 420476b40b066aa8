/** Applications of Argo CD (argoproj.io/v1alpha1): what is declared, what was synced, and what their controller says of it. */
import { RESOURCES } from "../../domain/resource.ts";
import type { Rule } from "../case.ts";
import { sameIncarnation } from "../generation.ts";
import { controllerHealth, followDeclared } from "../gitops/controller-health.ts";
import { intendedCommit } from "../gitops/intended-commit.ts";
import { comparisonFault } from "../gitops/sources.ts";
import { syncedRevision } from "../gitops/synced-revision.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";

/** By what was compared: each report raises an Application's generation. */
const specObserved: Rule = (given) => {
  const inquiry = new Inquiry("spec-observed");
  const stop =
    sameIncarnation(inquiry, given.target, given.expected) ?? comparisonFault(inquiry, given.target);
  return (
    stop ?? inquiry.proven("observed", "its controller has compared the cluster with what is declared now")
  );
};

export const application: KindRule = {
  resource: RESOURCES.Application,
  required: ["spec-observed", "synced-revision", "controller-health"],
  follows: followDeclared,
  rules: {
    "spec-observed": specObserved,
    "intended-commit": intendedCommit,
    "synced-revision": syncedRevision,
    "controller-health": controllerHealth,
  },
};
