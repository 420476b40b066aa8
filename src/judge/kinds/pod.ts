/** Pods by themselves: ready, or run to a good end. A Pod that failed is refuted, whoever may replace it (k8s-34). */
import { RESOURCES } from "../../domain/resource.ts";
import type { Case, Rule } from "../case.ts";
import { conditionOf } from "../conditions.ts";
import { configBound } from "../config-bound.ts";
import { configLoaded } from "../config-loaded.ts";
import { sameIncarnation } from "../generation.ts";
import { Inquiry } from "../inquiry.ts";
import type { KindRule } from "../kind-rule.ts";
import type { Population } from "../population.ts";
import { TEXT } from "../read.ts";
import { troubleOf } from "../trouble.ts";
import { beingDeleted } from "../whole.ts";
import { quoted } from "../words.ts";

const rolloutComplete: Rule = (given) => {
  const inquiry = new Inquiry("rollout-complete");
  const { target } = given;
  const stop = sameIncarnation(inquiry, target, given.expected) ?? beingDeleted(inquiry, target);
  if (stop !== undefined) return stop;
  const phase = inquiry.need(target, ["status", "phase"], TEXT);
  if (phase === undefined)
    return inquiry.undetermined("not-reported", "the kubelet has not reported on this Pod (no status.phase)");
  if (phase === "Succeeded") return inquiry.proven("succeeded", "all its containers ended well");
  if (phase === "Unknown")
    return inquiry.undetermined(
      "node-silent",
      "its node does not answer (phase Unknown), so what runs is not known",
    );
  if (!PHASES.has(phase))
    return inquiry.undetermined("unknown-phase", `its phase is ${quoted(phase)}, which is none of the API's`);
  const ready = conditionOf(target, "Ready");
  if (ready.kind === "known" && ready.value.status === "True" && phase === "Running") {
    inquiry.cite(target, [...ready.value.path, "type"]);
    inquiry.cite(target, [...ready.value.path, "status"]);
    return inquiry.proven("ready", "it runs and is ready");
  }
  const trouble = troubleOf(target, given.collection, given.at);
  if (trouble === undefined) return inquiry.progressing("starting", `it is ${phase} and not ready yet`);
  inquiry.cite(target, trouble.path);
  return trouble.lasting
    ? inquiry.refuted(trouble.reason, `it ${trouble.clause}`)
    : inquiry.progressing(trouble.reason, `it ${trouble.clause}`);
};

const PHASES: ReadonlySet<string> = new Set(["Pending", "Running", "Failed"]);

/** It is the only Pod that is judged with it. */
const itself = ({ target }: Case): Population => ({
  fresh: [target],
  old: [],
  held: [],
  unknown: [],
  freshVersion: null,
  oldVersions: [],
});

export const pod: KindRule = {
  resource: RESOURCES.Pod,
  required: ["rollout-complete"],
  rules: {
    "rollout-complete": rolloutComplete,
    "config-loaded": configLoaded((_, given) => itself(given)),
    "config-bound": configBound(["spec"], (_, given) => itself(given)),
  },
};
