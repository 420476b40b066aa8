/**
 * What a rollback's preflight is made over, from a live cluster: what a verdict about the workload rests on, the config that
 * its revisions may name, who shares it, and what could be in the way. One LIST each.
 */
import type { Evidence, Seen } from "../domain/evidence.ts";
import { type KnownKind, RESOURCES, type Resource } from "../domain/resource.ts";
import { kindOf } from "../judge/kinds.ts";
import { gitOpsOwner } from "../judge/preflight/owner.ts";
import { type LiveOptions, type Look, liveEvidence } from "./collect.ts";
import { BY_REVISION } from "./comparison.ts";
import { dotted, evidenceOf, listNamed } from "./readings.ts";

const BESIDE: readonly KnownKind[] = [
  "Pod",
  "ConfigMap",
  "PodDisruptionBudget",
  "ResourceQuota",
  "Role",
  "RoleBinding",
  "Event",
  // Who else takes config from the same objects.
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "CronJob",
  "Job",
];

/** `secrets`: Secrets are listed too. */
export const collectForRollback = async (
  options: Omit<LiveOptions, "comparison" | "beside">,
  secrets: boolean,
): Promise<Look> => {
  const kinds: readonly KnownKind[] = secrets ? [...BESIDE, "Secret"] : BESIDE;
  const beside: readonly Resource[] = kinds.map((kind) => RESOURCES[kind]);
  const look = await liveEvidence({ ...options, comparison: BY_REVISION, beside }).collect();
  const evidence = onceEach(look.evidence);
  const [live] = evidence.objects;
  const owner = look.subject === null || live === undefined ? null : gitOpsOwner(live);
  if (owner === null || owner.controller !== "Argo CD") return { ...look, evidence };
  const application = await applications(options);
  return {
    ...look,
    evidence: {
      ...evidence,
      objects: [...evidence.objects, ...application.objects],
      asked: [...evidence.asked, application.asked],
    },
  };
};

/** The target stands in a list of its own kind too, where an item says neither kind nor version of itself. */
const onceEach = (evidence: Evidence): Evidence => {
  const [target, ...others] = evidence.objects;
  if (target === undefined || kindOf(target) === undefined) return evidence;
  const isTarget = (one: Seen): boolean =>
    one.kind === target.kind &&
    one.group === target.group &&
    one.namespace === target.namespace &&
    one.name === target.name;
  return { ...evidence, objects: [target, ...others.filter((one) => !isTarget(one))] };
};

/** Applications are seldom where what they deploy is. */
const applications = async ({
  cluster,
  timeoutMs,
  stop,
}: Omit<LiveOptions, "comparison" | "beside">): Promise<ReturnType<typeof evidenceOf>> => {
  const { group, plural } = RESOURCES.Application;
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    return evidenceOf(await listNamed(round, dotted(plural, group), null), null);
  } finally {
    round.end();
  }
};
