/**
 * The containers of a Pod in the order in which they start, each with what the kubelet reports of it. A sidecar is an init
 * container with restartPolicy Always (GA in Kubernetes 1.33): it runs on beside the others, which start once it has started.
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import { hint, itemsAt, type Path, TEXT, valueAt } from "./read.ts";
import { quoted } from "./words.ts";

export interface Container {
  readonly role: "init container" | "sidecar" | "container";
  readonly name: string | undefined;
  /** Its part of the Pod's spec; undefined: none of that name is declared. */
  readonly spec: JsonValue | undefined;
  readonly status: JsonValue;
  /** Where its status stands. */
  readonly path: Path;
  /** Whether it ended for good, by the Pod's restart policy: a sidecar once all that it goes with has ended. */
  readonly isOver: boolean;
}

export const containersOf = ({ raw }: Seen): readonly Container[] => {
  const [inits, containers] = (["initContainers", "containers"] as const).map((field) =>
    itemsAt(raw, ["spec", field]),
  );
  const specOf = (specs: readonly JsonValue[] | undefined, status: JsonValue): JsonValue | undefined =>
    specs?.find((one) => hint(one, ["name"], TEXT) === hint(status, ["name"], TEXT));
  // A container may have a policy of its own (core/v1 Container.restartPolicy); else its Pod's counts.
  const policyOf = (spec: JsonValue | undefined): string | undefined =>
    hint(spec, ["restartPolicy"], TEXT) ?? hint(raw, ["spec", "restartPolicy"], TEXT);
  const statuses = itemsAt(raw, ["status", "containerStatuses"]);
  const allOver =
    statuses.length > 0 &&
    statuses.every((status) => endsForGood(status, policyOf(specOf(containers, status))));
  const part = (status: JsonValue, path: Path, spec: JsonValue | undefined) => ({
    name: hint(status, ["name"], TEXT),
    spec,
    status,
    path,
  });
  return [
    ...itemsAt(raw, ["status", "initContainerStatuses"]).map((status, at): Container => {
      const spec = specOf(inits, status);
      const isSidecar = hint(spec, ["restartPolicy"], TEXT) === "Always";
      return {
        ...part(status, ["status", "initContainerStatuses", at], spec),
        role: isSidecar ? "sidecar" : "init container",
        isOver: isSidecar ? allOver : endsForGood(status, policyOf(spec)),
      };
    }),
    ...statuses.map((status, at): Container => {
      const spec = specOf(containers, status);
      return {
        ...part(status, ["status", "containerStatuses", at], spec),
        role: "container",
        isOver: endsForGood(status, policyOf(spec)),
      };
    }),
  ];
};

/** It has ended, and the kubelet starts it no more (core/v1 PodSpec.restartPolicy; Always where it is left out). */
const endsForGood = (status: JsonValue, policy: string | undefined): boolean => {
  const ended = valueAt(status, ["state", "terminated"]);
  if (ended === undefined) return false;
  return policy === "Never" || (policy === "OnFailure" && valueAt(ended, ["exitCode"]) === 0);
};

/** `sidecar proxy`. */
export const containerName = ({ role, name }: Container): string =>
  name === undefined ? role : `${role} ${quoted(name)}`;
