/**
 * `release record` of a live cluster: waits for the verdict if asked to, looks, then reads config and target once more. What
 * changed in between is not recorded: config changes without any change of the workload's generation.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Known } from "../domain/known.ts";
import { absent, known, unreadable } from "../domain/known.ts";
import type { ReleaseCluster } from "../domain/release.ts";
import { RESOURCES } from "../domain/resource.ts";
import { objectText } from "../judge/config/lack.ts";
import { hint, TEXT } from "../judge/read.ts";
import type { Named, Unit } from "../judge/release/unit.ts";
import type { ObjectReading, ReadFailure, Resource, Round } from "../ports/cluster.ts";
import type { ReleaseKey, StoredRelease } from "../ports/releases.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type LiveOptions, type Look, liveEvidence } from "./collect.ts";
import { BY_REVISION } from "./comparison.ts";
import { clauseOf, generationOf, seenIn, servedAs, sourceOf } from "./readings.ts";
import { type Looked, lookedOf, releaseOf, type Told } from "./release-record.ts";
import type { VerdictReport } from "./verify.ts";
import { watchVerdict } from "./watch.ts";

export interface Recording {
  readonly id: string;
  readonly told: Told;
  readonly key: ReleaseKey;
  readonly secrets: boolean;
  /** To wait for the verdict; null: it is looked once. */
  readonly windowMs: number | null;
}

export type MadeRelease =
  | { readonly kind: "release"; readonly stored: StoredRelease }
  | { readonly kind: "not-proven"; readonly report: VerdictReport }
  /** A clause: nothing is recorded. */
  | { readonly kind: "fault"; readonly fault: string };

const EVERY_MS = 5_000;

/** `options.question`: as `recordQuestion` makes it. */
export const liveRelease = async (
  given: Omit<LiveOptions, "comparison">,
  recording: Recording,
  reporter: Reporter,
): Promise<MadeRelease> => {
  const options: LiveOptions = { ...given, comparison: BY_REVISION };
  if (recording.windowMs !== null) {
    // The usual claims alone: what was loaded is no reason to wait.
    const waiting = { ...options, question: { ...options.question, claims: null } };
    const watching = { windowMs: recording.windowMs, everyMs: EVERY_MS, failFast: false };
    const report = await watchVerdict(waiting, watching, reporter);
    if (report.verdict !== "proven") return { kind: "not-proven", report };
  }
  const look = await liveEvidence(options).collect();
  const looked = lookedOf(look, options.question);
  if (looked.report.verdict !== "proven") return { kind: "not-proven", report: looked.report };
  if ("fault" in looked.unit) return { kind: "fault", fault: looked.unit.fault };
  const again = await readAgain(options, look, looked, looked.unit, recording.secrets);
  if ("fault" in again) return { kind: "fault", fault: again.fault };
  const { told } = recording;
  const made = releaseOf(looked, {
    id: recording.id,
    told: { ...told, limits: [...told.limits, ...again.limits] },
    cluster: again.cluster,
    key: recording.key,
    secrets: again.secrets,
  });
  return "fault" in made ? { kind: "fault", fault: made.fault } : { kind: "release", stored: made };
};

interface Again {
  readonly cluster: ReleaseCluster;
  readonly secrets: ((name: string) => Known<Seen>) | null;
  readonly limits: readonly string[];
}

type Fault = { readonly fault: string };

const CHANGED = "changed while it was read, so what the containers were given is not known; run it again";

/** Two rounds: the same question within one has one answer. */
const readAgain = async (
  options: LiveOptions,
  look: Look,
  looked: Looked,
  unit: Unit,
  withSecrets: boolean,
): Promise<Again | Fault> => {
  const { cluster, timeoutMs, stop } = options;
  const inRound = async <T>(ask: (round: Round) => Promise<T>): Promise<T> => {
    const round = cluster.round({ deadlineMs: timeoutMs, stop });
    try {
      return await ask(round);
    } finally {
      round.end();
    }
  };
  const namespace = looked.report.target.namespace;
  const secrets = withSecrets ? unit.named.filter(({ kind }) => kind === "Secret") : [];
  const first = await inRound((round) => secretsIn(round, secrets, namespace));
  const then = await inRound(async (round) => ({
    secrets: await secretsIn(round, secrets, namespace),
    configMaps: await configMapsIn(round, unit, namespace),
    cluster: await clusterOf(round, cluster.facts.server),
  }));
  const maps = then.configMaps;
  if ("fault" in maps) return maps;
  for (const named of unit.named) {
    const { kind, name } = named;
    if (kind === "Secret" && !withSecrets) continue;
    const was =
      kind === "Secret" ? first.get(name) : looked.collection.object(RESOURCES.ConfigMap, namespace, name);
    const is = kind === "Secret" ? then.secrets.get(name) : maps.of(name);
    if (was !== undefined && is !== undefined && !isSame(was, is))
      return { fault: `${objectText(named)} ${CHANGED}` };
  }
  const ref = look.subject?.ref;
  const target = ref === undefined ? undefined : await inRound((round) => round.get(ref));
  const moved = movedSince(look, target);
  if (moved !== null) return { fault: moved };
  return {
    cluster: then.cluster.cluster,
    limits: then.cluster.limits,
    secrets: withSecrets ? (name) => then.secrets.get(name) ?? absent : null,
  };
};

const isSame = (was: Known<Seen>, is: Known<Seen>): boolean => {
  // What could not be read is a fault of its own.
  if (was.kind !== "known" || is.kind !== "known") return was.kind === is.kind || was.kind === "unreadable";
  const versionOf = ({ raw }: Seen) => hint(raw, ["metadata", "resourceVersion"], TEXT);
  const version = versionOf(was.value);
  return version !== undefined && was.value.uid === is.value.uid && version === versionOf(is.value);
};

const movedSince = ({ subject }: Look, target: ObjectReading | undefined): string | null => {
  if (target === undefined || subject === null) return "it was not found";
  if (target.kind === "absent") return `it ${CHANGED}: it is gone`;
  if (target.kind !== "observed") return `it could not be read again: ${clauseOf(target.sentence)}`;
  const isIt = target.uid === subject.uid && generationOf(target.object) === subject.generation;
  return isIt ? null : `it ${CHANGED}`;
};

const secretsIn = async (
  round: Round,
  named: readonly Named[],
  namespace: string | null,
): Promise<ReadonlyMap<string, Known<Seen>>> => {
  if (named.length === 0) return new Map();
  const served = await servedAs(round, "secrets", namespace);
  const one = async (name: string): Promise<Known<Seen>> =>
    served.failed === null
      ? seenOf(await round.get({ resource: served.resource, namespace, name }), served.resource)
      : unreadable(clauseOf(served.failed.sentence));
  return new Map(
    await Promise.all(named.map(async ({ name }): Promise<[string, Known<Seen>]> => [name, await one(name)])),
  );
};

const seenOf = (reading: ObjectReading, resource: Resource): Known<Seen> => {
  if (reading.kind === "absent") return absent;
  if (reading.kind !== "observed") return unreadable(clauseOf(reading.sentence));
  const { exchanges, resourceVersion, object } = reading;
  return known(seenIn(resource, object, sourceOf(exchanges, resourceVersion, resource)));
};

const configMapsIn = async (
  round: Round,
  { named }: Unit,
  namespace: string | null,
): Promise<{ readonly of: (name: string) => Known<Seen> } | Fault> => {
  if (!named.some(({ kind }) => kind === "ConfigMap")) return { of: () => absent };
  const served = await servedAs(round, "configmaps", namespace);
  const reading: ReadFailure | Awaited<ReturnType<Round["list"]>> =
    served.failed ?? (await round.list(served.collection));
  if (reading.kind !== "observed")
    return { fault: `its ConfigMaps could not be read again: ${clauseOf(reading.sentence)}` };
  const { resource } = served;
  const source = sourceOf(reading.exchanges, reading.resourceVersion, resource);
  const all = new Map(
    reading.items.map((item) => seenIn(resource, item, source)).map((seen) => [seen.name, seen]),
  );
  return {
    of: (name) => {
      const seen = all.get(name);
      return seen === undefined ? absent : known(seen);
    },
  };
};

/** A cluster has no id of its own; this Namespace is made with it and stays. */
const CLUSTERS_OWN = "kube-system";

export const clusterOf = async (
  round: Round,
  server: string,
): Promise<{ readonly cluster: ReleaseCluster; readonly limits: readonly string[] }> => {
  const served = await servedAs(round, "namespaces", null);
  const reading =
    served.failed ?? (await round.get({ resource: served.resource, namespace: null, name: CLUSTERS_OWN }));
  if (reading.kind === "observed") return { cluster: { server, uid: reading.uid }, limits: [] };
  const why = reading.kind === "absent" ? "it is not there" : clauseOf(reading.sentence);
  return {
    cluster: { server, uid: null },
    limits: [
      `the cluster is known by its address alone: Namespace ${CLUSTERS_OWN}, whose UID would name it, could not be read (${why})`,
    ],
  };
};
