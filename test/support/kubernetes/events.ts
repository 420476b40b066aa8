/** Events as kubelet, scheduler and autoscalers write them (core/v1). */
import type { JsonObject } from "../../../src/domain/json.ts";
import { at, metadata, uidOf } from "./object.ts";

export interface Said {
  readonly kind?: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
  readonly component?: string;
  /** `spec.containers{web}`. */
  readonly fieldPath?: string;
  readonly first?: number;
  readonly last?: number;
  readonly count?: number;
}

export const said = (
  { kind = "Pod", name, reason, message, component = "kubelet", fieldPath, ...when }: Said,
  number = 0,
): JsonObject => {
  const { first = 640, last = 690, count = 1 } = when;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: metadata("Event", { name: `${name}.${reason.toLowerCase()}.${number}`, created: first }),
    involvedObject: {
      kind,
      namespace: "shop",
      name,
      uid: uidOf(kind, name),
      apiVersion: "v1",
      ...(fieldPath === undefined ? {} : { fieldPath }),
    },
    reason,
    message,
    type: "Warning",
    count,
    firstTimestamp: at(first),
    lastTimestamp: at(last),
    source: { component },
    reportingComponent: component,
    reportingInstance: "",
  };
};
