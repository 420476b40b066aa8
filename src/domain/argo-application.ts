/**
 * What an Argo CD Application (argoproj.io/v1alpha1) tells of its deployments, read from the object alone. Rules, from Argo CD's
 * own source (controller/sync.go, controller/appcontroller.go, util/argo/argo.go):
 *
 *   - status.history has an entry for every whole sync that succeeded, the newest last, and is cut to spec.revisionHistoryLimit;
 *   - `operation` is a sync that was asked for; it stays until it ended. status.operationState is that operation as it goes,
 *     and after it the last one;
 *   - `argocd app rollback` writes an operation with the source of an entry of the history, of its own accord: nobody's
 *     automation does. targetRevision stays, and so does Git. Argo CD refuses it where the Application is synced automatically.
 */

import { isCommit } from "./expected-commit.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

export const valueIn = (
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((at, key) => {
    if (typeof key === "number") return Array.isArray(at) ? (at as readonly JsonValue[])[key] : undefined;
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);

export const textIn = (
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): string | null => {
  const found = valueIn(value, ...path);
  return typeof found === "string" && found !== "" ? found : null;
};

const listIn = (value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] => {
  const found = valueIn(value, ...path);
  return Array.isArray(found) ? found : [];
};

/** One deployment that its controller recorded. */
export interface Deployment {
  /** Of the history; null: of the last operation, which the history does not have. */
  readonly id: number | null;
  readonly revision: string;
  /** As the controller wrote it; null: it did not. */
  readonly at: string | null;
  /** A user's name, `its controller`, or null. */
  readonly by: string | null;
}

/** Which of an Application's sources is meant; null: it has one. */
export type SourceIndex = number | null;

const revisionIn = (of: JsonValue | undefined, index: SourceIndex): string | null =>
  index === null ? textIn(of, "revision") : textIn(of, "revisions", index);

const initiator = (of: JsonValue | undefined): string | null =>
  valueIn(of, "automated") === true ? "its controller" : textIn(of, "username");

/** Whole syncs that succeeded, the newest last. */
export const deploymentsOf = (application: JsonObject, index: SourceIndex): readonly Deployment[] =>
  listIn(application, "status", "history").flatMap((one) => {
    const [id, revision] = [valueIn(one, "id"), revisionIn(one, index)];
    if (revision === null) return [];
    return [
      {
        id: typeof id === "number" ? id : null,
        revision,
        at: textIn(one, "deployedAt"),
        by: initiator(valueIn(one, "initiatedBy")),
      },
    ];
  });

/** The last operation, where it was a whole sync that succeeded: the history may be kept to nothing. */
const lastOperation = (application: JsonObject, index: SourceIndex): Deployment | null => {
  const state = valueIn(application, "status", "operationState");
  const sync = valueIn(state, "operation", "sync");
  const revision = revisionIn(valueIn(state, "syncResult"), index);
  const isWhole = valueIn(sync, "dryRun") !== true && listIn(sync, "resources").length === 0;
  if (textIn(state, "phase") !== "Succeeded" || revision === null || !isWhole) return null;
  return {
    id: null,
    revision,
    at: textIn(state, "finishedAt"),
    by: initiator(valueIn(state, "operation", "initiatedBy")),
  };
};

/** What was deployed last; null: nothing tells. */
export const lastDeployment = (application: JsonObject, index: SourceIndex): Deployment | null => {
  const last = deploymentsOf(application, index).at(-1);
  const operation = lastOperation(application, index);
  if (operation === null) return last ?? null;
  return last !== undefined && last.revision === operation.revision ? last : operation;
};

export interface RolledBack {
  readonly deployed: Deployment;
  /** What the Application still declares. */
  readonly declared: string;
}

/**
 * That what was deployed last is an older deployment again, while the Application declares another commit: `argocd app
 * rollback`, or a sync to that commit by hand. `declared`: the commit that it aims at. A revert in Git makes a new commit
 * instead, which it then aims at.
 */
export const rolledBack = (
  application: JsonObject,
  index: SourceIndex,
  declared: string,
): RolledBack | null => {
  const deployed = lastDeployment(application, index);
  if (deployed === null || !isCommit(declared) || deployed.revision === declared) return null;
  const all = deploymentsOf(application, index);
  const earlier = all.slice(0, deployed.id === null ? all.length : -1);
  const wasDeployed = earlier.some(({ revision }) => revision === deployed.revision);
  const declaredCameBetween = earlier.some(({ revision }) => revision === declared);
  return wasDeployed && declaredCameBetween && deployed.by !== "its controller"
    ? { deployed, declared }
    : null;
};

/** A sync that was asked for, or goes on. */
export interface Underway {
  /** Who asked for it, as it says itself; null: it does not. */
  readonly by: string | null;
  /** null: it has not begun. */
  readonly since: string | null;
  readonly message: string | null;
  /** What it carries along (operation.info). */
  readonly info: ReadonlyMap<string, string>;
}

export const infoOf = (operation: JsonValue | undefined): ReadonlyMap<string, string> =>
  new Map(
    listIn(operation, "info").flatMap((one) => {
      const [name, value] = [textIn(one, "name"), textIn(one, "value")];
      return name === null || value === null ? [] : [[name, value] as const];
    }),
  );

export const underwayIn = (application: JsonObject): Underway | null => {
  const asked = valueIn(application, "operation");
  const state = valueIn(application, "status", "operationState");
  const phase = textIn(state, "phase");
  const goesOn = phase === "Running" || phase === "Terminating";
  if (asked === undefined && !goesOn) return null;
  const operation = goesOn ? valueIn(state, "operation") : asked;
  return {
    by: initiator(valueIn(operation, "initiatedBy")),
    since: goesOn ? textIn(state, "startedAt") : null,
    message: goesOn ? textIn(state, "message") : null,
    info: infoOf(operation),
  };
};

/** Whether its controller syncs by itself. */
export const isAutomatic = (application: JsonObject): boolean =>
  isJsonObject(valueIn(application, "spec", "syncPolicy", "automated")) &&
  valueIn(application, "spec", "syncPolicy", "automated", "enabled") !== false;
