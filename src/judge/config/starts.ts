/** When each container of a Pod was started last: config is judged per start, not per Pod (C1). */
import type { ContainerRole } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import { hint, LIST, OBJECT, type Path, TEXT, TIME } from "../read.ts";

export interface Start {
  readonly at: Instant;
  readonly path: Path;
  /** Of the container that was started then: `containerd://…`. */
  readonly id: { readonly path: Path; readonly value: string | undefined };
}

export interface Container {
  /** undefined: it has not started, or nothing says when. */
  readonly start: Start | undefined;
  /** Why it waits (`CreateContainerConfigError`); undefined: it does not. */
  readonly waitsFor: string | undefined;
  /** It ran before, and is to be started again. */
  readonly hasRun: boolean;
}

const FIELD: Readonly<Record<ContainerRole, string>> = {
  app: "containerStatuses",
  init: "initContainerStatuses",
  sidecar: "initContainerStatuses",
  ephemeral: "ephemeralContainerStatuses",
};

const NOTHING: Container = { start: undefined, waitsFor: undefined, hasRun: false };

export const containerOf = (pod: Seen, role: ContainerRole, name: string): Container => {
  const field = FIELD[role];
  const statuses = hint(pod.raw, ["status", field], LIST);
  if (statuses === undefined) return NOTHING;
  const at = statuses.findIndex((one) => hint(one, ["name"], TEXT) === name);
  if (at < 0) return NOTHING;
  const status = statuses[at];
  const path: Path = ["status", field, at];
  const waitsFor = hint(status, ["state", "waiting", "reason"], TEXT);
  for (const state of ["running", "terminated"] as const) {
    const started = hint(status, ["state", state, "startedAt"], TIME);
    if (started === undefined) continue;
    return {
      start: {
        at: started,
        path: [...path, "state", state, "startedAt"],
        id: { path: [...path, "containerID"], value: hint(status, ["containerID"], TEXT) },
      },
      waitsFor,
      hasRun: true,
    };
  }
  const hasRun = hint(status, ["lastState", "terminated"], OBJECT) !== undefined;
  return { start: undefined, waitsFor, hasRun };
};
