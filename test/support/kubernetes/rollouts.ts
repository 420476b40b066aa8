/** The states of one rollout from v1 to v2 that most stories begin with; the seed's own among them. */
import { probeFailed, type World } from "./deployment.ts";

export const done: World = {
  replicas: 2,
  fresh: { version: "v2", pods: ["ready", "ready"] },
  old: [{ version: "v1", pods: [] }],
};

/** The new Pod's readiness answers 503, and two old ones serve. */
export const begun: World = {
  replicas: 2,
  fresh: { version: "v2", pods: ["not-ready"] },
  old: [{ version: "v1", pods: ["ready", "ready"] }],
  events: [probeFailed("v2", 0, "Readiness probe failed: HTTP probe failed with statuscode: 503", 12)],
};

export const crashing: World = { ...begun, fresh: { version: "v2", pods: ["crash-loop"] }, events: [] };
