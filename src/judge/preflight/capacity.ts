/** `capacity`: whether Pods wait for a node already. How much a node has left is not asked: the scheduler alone knows. */
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { isActive } from "../pod.ts";
import { unscheduled } from "../unscheduled.ts";
import { counted, listed } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

export const capacity = ({ live, collection, at }: Given): Check => {
  const checking = new Checking("capacity");
  const pods = checking.needList(collection, RESOURCES.Pod, live.namespace);
  if (pods === undefined) return checking.unknown();
  const waiting = pods.objects.filter(isActive).flatMap((pod) => {
    const found = unscheduled(pod, collection, at);
    return found === undefined ? [] : [`${pod.name} ${found.clause}`];
  });
  checking.limit("how much the nodes have left for new Pods is the scheduler's to say, and was not asked");
  return waiting.length === 0
    ? checking.proven("none-waits", "no Pod of the namespace waits for a node")
    : checking.undetermined(
        "pods-wait",
        `${counted(waiting.length, "Pod")} of the namespace ${waiting.length === 1 ? "waits" : "wait"} for a node now, and new ones may too: ${listed(waiting)}`,
        "make room, or scale something down",
      );
};
