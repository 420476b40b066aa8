/** Where a rollback's plan meets its evidence: a live cluster, or saved files. Light: no ledger is opened to plan. */
import { resolve } from "node:path";
import { savedEvidence } from "../adapters/system/saved-evidence.ts";
import { EXIT } from "../domain/exit.ts";
import type { Instant } from "../domain/ids.ts";
import type { ReleaseCluster } from "../domain/release.ts";
import { resourceNamed } from "../domain/resource.ts";
import type { Digests, Means } from "../judge/preflight/given.ts";
import type { Wanted } from "../judge/preflight/target.ts";
import { clusterOf } from "../runtime/release-record-live.ts";
import { collectForRollback } from "../runtime/rollback-evidence.ts";
import {
  digestsWith,
  type RollbackPlan,
  rollbackPlanOf,
  rollbackQuestion,
} from "../runtime/rollback-plan.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import type { StackFaults } from "./place.ts";
import { type ReleasesPlace, releasesIn } from "./releases.ts";
import { asking, type Live } from "./verify-cluster.ts";

export interface RollbackAsk {
  readonly kind: string;
  readonly name: string;
  /** A release by its id or name, or a revision's number. */
  readonly to: string | number;
  readonly place: ReleasesPlace;
  readonly means: Means;
  /** Secrets are listed too. */
  readonly secrets: boolean;
}

/** What is rolled back to, and how its digests are computed again. */
interface Target {
  readonly kind: "target";
  readonly wanted: Wanted;
  readonly digests: Digests;
}

const targetOf = async (
  { kind, name, to, place }: RollbackAsk,
  namespace: string,
): Promise<Target | Refused> => {
  if (typeof to === "number")
    return { kind: "target", wanted: { kind: "revision", number: to }, digests: digestsWith(null) };
  const releases = releasesIn(place);
  const resource = resourceNamed(kind);
  const target =
    resource === undefined ? undefined : { group: resource.group, kind: resource.kind, namespace, name };
  const read = await releases.read(to, target);
  if ("fault" in read)
    return refused(
      read.reason === "absent" || read.reason === "ambiguous" ? EXIT.usage : EXIT.broken,
      read.fault,
    );
  const found = await releases.key({ create: false });
  if (found.kind === "fault") return refused(EXIT.broken, found.fault);
  const key = found.kind === "key" && found.key.id === read.release.keyId ? found.key : null;
  return { kind: "target", wanted: { kind: "release", release: read.release }, digests: digestsWith(key) };
};

/** `live.namespace`, else the context's, counts. */
export const planLive = async (live: Live, ask: RollbackAsk): Promise<RollbackPlan | Refused> => {
  const planned = await planFor(live, ask);
  return planned.kind === "planned" ? planned.plan : planned;
};

export interface Planned {
  readonly kind: "planned";
  readonly plan: RollbackPlan;
  readonly cluster: ReleaseCluster;
  /** Of the kubeconfig; null: it has none. */
  readonly context: string | null;
}

/** As `planLive`, with which cluster it was. */
export const planFor = (live: Live, ask: RollbackAsk): Promise<Planned | Refused> =>
  asking(live, rollbackQuestion({ ...ask, namespace: "" }), async (options) => {
    const { question, cluster, timeoutMs, stop } = options;
    const target = await targetOf(ask, question.namespace ?? "default");
    if (target.kind === "refused") return target;
    const look = await collectForRollback(options, ask.secrets);
    const plan = rollbackPlanOf(look, question, target.wanted, target.digests, ask.means);
    const round = cluster.round({ deadlineMs: timeoutMs, stop });
    try {
      const { server, context } = cluster.facts;
      return { kind: "planned", plan, cluster: (await clusterOf(round, server)).cluster, context };
    } finally {
      round.end();
    }
  });

export interface SavedFiles {
  /** A file or folder, as the person wrote it. */
  readonly from: string;
  readonly at: Instant | null;
  readonly namespace: string;
  readonly cwd: string;
}

export const planSaved = async (
  { from, at, namespace, cwd }: SavedFiles,
  ask: RollbackAsk,
): Promise<RollbackPlan | Refused | StackFaults> => {
  const target = await targetOf(ask, namespace);
  if (target.kind === "refused") return target;
  const collected = await savedEvidence({ path: resolve(cwd, from), named: from, at }).collect();
  if ("faults" in collected) return { kind: "faults", faults: collected.faults };
  const question = rollbackQuestion({ ...ask, namespace });
  return rollbackPlanOf(collected, question, target.wanted, target.digests, ask.means);
};
