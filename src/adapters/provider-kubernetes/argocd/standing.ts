/** Whether an Application is as the step declares it: aimed at the commit, and that commit deployed last. */
import {
  type Deployment,
  lastDeployment,
  rolledBack,
  textIn,
  underwayIn,
  valueIn,
} from "../../../domain/argo-application.ts";
import type { JsonObject, JsonValue } from "../../../domain/json.ts";
import { type Known, known, unreadable } from "../../../domain/known.ts";
import { withoutUser } from "../../../domain/repository.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { nameOf } from "../inventory.ts";
import type { There } from "../reach.ts";
import { endedOurs, isOurs, type Source, wasIn } from "./pin.ts";
import type { PinSpec } from "./spec.ts";

export interface Standing {
  readonly asDeclared: Known<boolean>;
  /** A sentence where it is not. */
  readonly reason: string | null;
}

const MOST_TEXT = 300;

/** What a controller wrote, for a person. */
export const saidBy = (text: string): string => {
  const line = printable(text);
  return line.length <= MOST_TEXT ? line : `${line.slice(0, MOST_TEXT).toWellFormed()}…`;
};

export const shortOf = (revision: string): string =>
  /^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 10) : printable(revision);

export const deploymentText = ({ id, at, by }: Deployment): string =>
  [
    id === null ? "by its last sync" : `history ${id}`,
    ...(by === null ? [] : [`by ${printable(by)}`]),
    ...(at === null ? [] : [`at ${printable(at)}`]),
  ].join(", ");

const isSyncedAt = (object: JsonObject, { index }: Source, revision: string): boolean => {
  const sync = valueIn(object, "status", "sync");
  const at = index === null ? textIn(sync, "revision") : textIn(sync, "revisions", index);
  return textIn(sync, "status") === "Synced" && at === revision;
};

/** Whether that commit is what was deployed last: by a sync, or without one as it came to what was there already. */
export const isDeployed = (object: JsonObject, source: Source, revision: string): boolean =>
  lastDeployment(object, source.index)?.revision === revision || isSyncedAt(object, source, revision);

const other = (reason: string): Standing => ({ asDeclared: known(false), reason });

export const standingOf = (there: There, source: Source, spec: PinSpec, mark: string): Standing => {
  const { object } = there;
  const { revision, sync } = spec;
  if (source.revision !== revision)
    return other(
      `${nameOf(there.ref)} aims at ${source.revision === null ? "HEAD" : shortOf(source.revision)}, and ${shortOf(revision)} is declared`,
    );
  if (!sync) return { asDeclared: known(true), reason: null };
  const underway = underwayIn(object);
  if (underway !== null && isOurs(underway, mark))
    return { asDeclared: unreadable(underwayText(underway)), reason: null };
  const ended = endedOurs(object, mark);
  if (ended !== null && ended.phase !== "Succeeded")
    return other(
      `its sync ended as ${printable(ended.phase)}${ended.message === null ? "" : `: ${saidBy(ended.message)}`}`,
    );
  if (isDeployed(object, source, revision)) return { asDeclared: known(true), reason: null };
  return other(notDeployed(object, source, revision));
};

const notDeployed = (object: JsonObject, { index }: Source, revision: string): string => {
  const back = rolledBack(object, index, revision);
  const last = lastDeployment(object, index);
  if (back !== null)
    return `it is pinned to ${shortOf(revision)}, and an older commit is deployed again: ${shortOf(back.deployed.revision)} (${deploymentText(back.deployed)}). That is a rollback in Argo CD, which changes neither targetRevision nor Git`;
  return last === null
    ? `it is pinned to ${shortOf(revision)}, and no sync of it is recorded`
    : `it is pinned to ${shortOf(revision)}, and what was deployed last is ${shortOf(last.revision)} (${deploymentText(last)})`;
};

export const underwayText = ({
  by,
  since,
  message,
}: {
  readonly by: string | null;
  readonly since: string | null;
  readonly message: string | null;
}): string => {
  const who = by === null ? "" : ` of ${printable(by)}`;
  const when = since === null ? "was asked for and has not begun" : `goes on since ${printable(since)}`;
  return `a sync${who} ${when}${message === null ? "" : ` (${saidBy(message)})`}`;
};

const DECLARED_HERE = new Set(["https://kubernetes.default.svc", "in-cluster"]);

/** Whether what it declares lies in the cluster that the Application lies in. */
const isHere = (object: JsonObject): boolean => {
  const destination = valueIn(object, "spec", "destination");
  const to = textIn(destination, "server") ?? textIn(destination, "name");
  return to !== null && DECLARED_HERE.has(to);
};

/** The objects that its controller lists, as `confirm` asks about them; without UIDs, which it does not tell. */
const declaredIn = (object: JsonObject): readonly JsonObject[] => {
  const all = valueIn(object, "status", "resources");
  if (!Array.isArray(all) || !isHere(object)) return [];
  return (all as readonly JsonValue[]).flatMap((one): JsonObject[] => {
    const [group, version, kind, namespace, name] = ["group", "version", "kind", "namespace", "name"].map(
      (field) => textIn(one, field),
    );
    if (version == null || kind == null || name == null || valueIn(one, "hook") === true) return [];
    const apiVersion = group == null ? version : `${group}/${version}`;
    return [{ apiVersion, kind, namespace: namespace ?? null, name, uid: null }];
  });
};

/** The kinds that claims are judged of; the list is for `confirm`, and a large Application has thousands of objects. */
const ASKED = new Set(["Deployment", "StatefulSet", "DaemonSet", "Job", "Rollout", "Service"]);

/** As `confirm` and the next call read them. */
export const outputsOf = (
  cluster: string | null,
  there: There,
  source: Source,
  spec: PinSpec,
): JsonObject => {
  const { object, ref, uid } = there;
  return {
    cluster,
    was: wasIn(object),
    commit: { sha: spec.revision, repository: withoutUser(source.repository) },
    objects: [
      {
        apiVersion: "argoproj.io/v1alpha1",
        kind: ref.resource.kind,
        namespace: ref.namespace,
        name: ref.name,
        uid,
      },
      ...declaredIn(object).filter(({ kind }) => ASKED.has(String(kind))),
    ],
  };
};
