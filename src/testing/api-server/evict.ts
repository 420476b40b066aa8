/** The eviction subresource of a Pod, with what disruption budgets say to it (registry/core/pod/rest, eviction.go). */
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";
import { type Changed, carryOut, type Sent } from "./change.ts";
import type { Objects, Place } from "./objects.ts";
import type { ServedResource } from "./resources.ts";
import { badRequest, budgetRefuses, evicted, notFound, severalBudgets } from "./status.ts";

const objectIn = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

const refused = (answer: Changed["answer"]): Changed => ({ answer, effect: null });

const selects = (budget: JsonObject, pod: JsonObject): boolean => {
  const wanted = Object.entries(objectIn(objectIn(objectIn(budget["spec"])["selector"])["matchLabels"]));
  const labels = objectIn(objectIn(pod["metadata"])["labels"]);
  return wanted.every(([key, value]) => labels[key] === value);
};

/** What is over, has not begun or goes already takes nothing from a budget. */
const isFree = ({ metadata, status }: JsonObject): boolean =>
  objectIn(metadata)["deletionTimestamp"] !== undefined ||
  ["Pending", "Succeeded", "Failed"].includes(String(objectIn(status)["phase"]));

/** Counts the budget down, or says why the Pod stays. */
const spend = (objects: Objects, place: Place, budget: JsonObject, isDry: boolean): Changed | null => {
  const name = String(objectIn(budget["metadata"])["name"]);
  const status = objectIn(budget["status"]);
  if (Number(status["observedGeneration"]) < Number(objectIn(budget["metadata"])["generation"]))
    return refused(
      budgetRefuses(`The disruption budget ${name} is still being processed by the server.`, 10),
    );
  const allowed = Number(status["disruptionsAllowed"]);
  if (!(allowed > 0)) {
    const { desiredHealthy, currentHealthy } = status;
    const why = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    return refused(budgetRefuses(why, null));
  }
  if (!isDry)
    objects.update({ ...place, name }, { ...budget, status: { ...status, disruptionsAllowed: allowed - 1 } });
  return null;
};

export const evict = (
  objects: Objects,
  resources: readonly ServedResource[],
  { asked, contentType, body }: Sent,
  eviction: ServedResource,
  nowIso: string,
): Changed => {
  const pods: ServedResource = { ...eviction, resource: "pods" };
  const place: Place = { served: pods, namespace: asked.namespace, name: asked.name ?? "" };
  if (asked.verb !== "create" || body === null || objectIn(body["metadata"])["name"] !== place.name)
    return refused(badRequest("name in URL does not match name in Eviction object"));
  const pod = objects.get(place);
  if (pod === undefined) return refused(notFound(pods, place.name));
  const given = objectIn(body["deleteOptions"]);
  const isDry = asked.query.get("dryRun") === "All" || given["dryRun"] !== undefined;
  const served = resources.find(({ resource }) => resource === "poddisruptionbudgets");
  const all = served === undefined || isFree(pod) ? [] : objects.list(served, place.namespace);
  const [budget, ...others] = all.filter((one) => selects(one, pod));
  if (others.length > 0) return refused(severalBudgets);
  if (budget !== undefined && served !== undefined) {
    const stays = spend(objects, { ...place, served }, budget, isDry);
    if (stays !== null) return stays;
  }
  const options = { ...given, ...(isDry ? { dryRun: ["All"] } : {}) };
  const removing: Sent = {
    asked: { ...asked, verb: "delete", served: pods },
    contentType,
    body: options,
    operations: null,
  };
  const { answer, effect } = carryOut(objects, removing, pods, nowIso);
  return answer.status >= 300 ? refused(answer) : { answer: evicted, effect };
};
