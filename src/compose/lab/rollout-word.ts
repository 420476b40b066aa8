/**
 * What `kubectl rollout status` makes of a Deployment: the rule of kubectl's DeploymentStatusViewer (k8s.io/kubectl, 1.34),
 * which reads the object alone. A lab says it beside its own verdict, whether a kubectl is installed or not; a test asks the
 * real one.
 */
import type { JsonObject } from "../../domain/json.ts";
import type { RolloutWord } from "../../domain/lab.ts";
import { hint, itemsAt, TEXT, WHOLE } from "../../judge/read.ts";

export const rolloutWord = (deployment: JsonObject): RolloutWord => {
  // As in Go, a counter that is left out is 0.
  const count = (...path: string[]): number => hint(deployment, path, WHOLE) ?? 0;
  if (count("metadata", "generation") > count("status", "observedGeneration"))
    return waiting("the controller has not seen the change yet");
  const late = itemsAt(deployment, ["status", "conditions"]).some(
    (one) =>
      hint(one, ["type"], TEXT) === "Progressing" &&
      hint(one, ["reason"], TEXT) === "ProgressDeadlineExceeded",
  );
  if (late) return waiting("its progress deadline is over");
  const wanted = hint(deployment, ["spec", "replicas"], WHOLE);
  const updated = count("status", "updatedReplicas");
  const all = count("status", "replicas");
  const available = count("status", "availableReplicas");
  if (wanted !== undefined && updated < wanted)
    return waiting(`${updated} of ${wanted} Pods are of the new template`);
  if (all > updated) return waiting(`${all - updated} old Pods are still there`);
  if (available < updated) return waiting(`${available} of ${updated} updated Pods are available`);
  return { done: true, says: "successfully rolled out" };
};

const waiting = (says: string): RolloutWord => ({ done: false, says: `still waiting: ${says}` });
