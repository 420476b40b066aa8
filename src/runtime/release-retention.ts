/** release retention: who still names which config of a namespace. Reads one LIST each, and changes nothing. */
import type { Evidence } from "../domain/evidence.ts";
import { EXIT, type ExitCode } from "../domain/exit.ts";
import type { Instant } from "../domain/ids.ts";
import type { Release } from "../domain/release.ts";
import { RESOURCES } from "../domain/resource.ts";
import { Collection } from "../judge/collection.ts";
import { HOLDERS, type Retention, retentionOf } from "../judge/release/retention.ts";
import { counted } from "../judge/words.ts";
import type { Clock } from "../ports/clock.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { ReleaseListing } from "../ports/releases.ts";
import { dotted, evidenceOf, listNamed, momentOf } from "./readings.ts";

export interface RetentionOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
}

export const collectForRetention = async (
  { cluster, clock, timeoutMs, stop }: RetentionOptions,
  namespace: string,
  secrets: boolean,
): Promise<Evidence> => {
  const round = cluster.round({ deadlineMs: timeoutMs, stop });
  try {
    const kinds = [...HOLDERS, "ConfigMap" as const, ...(secrets ? (["Secret"] as const) : [])];
    const lists = await Promise.all(
      kinds.map((kind) => listNamed(round, dotted(RESOURCES[kind].plural, RESOURCES[kind].group), namespace)),
    );
    const read = lists.map((list) => evidenceOf(list, namespace));
    const moment = momentOf(
      cluster,
      lists.flatMap(({ reading }) => reading.exchanges),
    );
    return {
      objects: read.flatMap(({ objects }) => objects),
      asked: read.map(({ asked }) => asked),
      at: moment.at === null ? clock.now() : moment.at,
      limits: moment.limits,
    };
  } finally {
    round.end();
  }
};

export interface RetentionReport extends Retention {
  readonly namespace: string;
  /** Where releases were looked for, and how many there are of this namespace. */
  readonly place: string;
  readonly releases: number;
  readonly at: Instant;
  readonly statement: string;
  readonly limits: readonly string[];
  readonly exit: ExitCode;
}

export interface RetentionAsk {
  readonly namespace: string;
  readonly secrets: boolean;
  readonly place: string;
  readonly listing: ReleaseListing;
}

export const retentionReport = (
  evidence: Evidence,
  { namespace, secrets, place, listing }: RetentionAsk,
): RetentionReport => {
  const releases: readonly Release[] = listing.releases
    .map(({ release }) => release)
    .filter(({ target }) => target.namespace === namespace);
  const retention = retentionOf({
    collection: new Collection(evidence),
    namespace,
    releases,
    secrets,
    releaseFaults: listing.altered.map(
      ({ id, fault }) =>
        `release ${id} in ${place} is not as it was recorded (${fault}), so what it names is not known`,
    ),
  });
  return {
    ...retention,
    namespace,
    place,
    releases: releases.length,
    at: evidence.at,
    statement: statementOf(retention, namespace),
    limits: [...LIMITS, ...evidence.limits],
    exit: retention.unread.length === 0 ? EXIT.proven : EXIT.undetermined,
  };
};

const LIMITS = [
  "looked at: Pods, the templates and revisions of workloads, Jobs, CronJobs, and recorded releases; what else names an object (a custom resource, an operator, an Ingress, a program that asks the API) is not seen",
  "manifests in Git that are not applied now are not seen",
];

const statementOf = ({ objects, unread }: Retention, namespace: string): string => {
  const proposed = objects.filter((one) => one.proposed).length;
  const named = objects.filter(({ holders }) => holders.length > 0).length;
  const says = `${counted(objects.length, "object")} of config in namespace ${namespace}: ${named} named by somebody`;
  return unread.length > 0
    ? `${says}; nothing is proposed for deletion, since not all was read.`
    : `${says}, ${proposed} that nobody who was looked at names.`;
};
