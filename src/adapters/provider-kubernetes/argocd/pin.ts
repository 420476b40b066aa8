/**
 * The pin: what of an Application is this step's own, and the one patch that makes it. Pin and sync are one write: whoever
 * dies has written both or neither, and what was written is told by its mark.
 *
 * Whose a pin is, is told by an annotation made from the create's key (R4). What targetRevision was before stands beside it,
 * so that it is known also where the reply was lost.
 */
import { infoOf, textIn, type Underway, underwayIn, valueIn } from "../../../domain/argo-application.ts";
import type { Call } from "../../../domain/committed-intent.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import { sameRepository, withoutUser } from "../../../domain/repository.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { annotation, metadataOf } from "../object.ts";
import type { There } from "../reach.ts";
import type { PinSpec } from "./spec.ts";

/** Whose the pin is. */
const PIN = "asfound.dev/pin";
/** What targetRevision was before; empty: it was not written. */
const WAS = "asfound.dev/pin-was";
const STEP = "asfound.dev/step";
const OPERATION = "asfound.dev/operation";

export interface Source {
  /** `/spec/source` */
  readonly at: string;
  /** Among several; null: it is the only one. */
  readonly index: number | null;
  readonly repository: string;
  /** null: none is written, which is HEAD. */
  readonly revision: string | null;
}

const sourcesIn = (
  object: JsonObject,
): readonly {
  readonly at: string;
  readonly index: number | null;
  readonly source: JsonValue | undefined;
}[] => {
  const several = valueIn(object, "spec", "sources");
  if (Array.isArray(several) && several.length > 0)
    return (several as readonly JsonValue[]).map((source, index) => ({
      at: `/spec/sources/${index}`,
      index,
      source,
    }));
  return [{ at: "/spec/source", index: null, source: valueIn(object, "spec", "source") }];
};

/** The source that is pinned; a sentence: which one cannot be told, or it cannot be pinned to a commit. */
export const sourceOf = (
  object: JsonObject,
  { repository }: PinSpec,
): Source | { readonly fault: string } => {
  if (valueIn(object, "spec", "sourceHydrator") !== undefined)
    return { fault: "its source is hydrated (spec.sourceHydrator): what it is pinned to is decided there" };
  const all = sourcesIn(object);
  const named = all.filter(({ source }) => {
    const url = textIn(source, "repoURL");
    return url !== null && (repository === null || sameRepository(url, repository));
  });
  const [only] = named;
  const urls = all
    .map(({ source }) => printable(withoutUser(textIn(source, "repoURL") ?? "(no repository)")))
    .join(", ");
  if (only === undefined)
    return {
      fault:
        repository === null
          ? "it has no source with a repository"
          : `it takes nothing from ${printable(withoutUser(repository))}, but from ${urls}`,
    };
  if (named.length > 1)
    return {
      fault: `it has ${named.length} sources that may be meant (${urls}); say which with 'repository'`,
    };
  if (textIn(only.source, "chart") !== null)
    return { fault: "its source is a Helm chart of a registry, which has versions and no commits" };
  return {
    at: only.at,
    index: only.index,
    repository: textIn(only.source, "repoURL") ?? "",
    revision: textIn(only.source, "targetRevision"),
  };
};

export const markIn = (object: JsonObject): string | null => annotation(object, PIN);

/** Who would put targetRevision back; null: nobody is known to. */
export const generatedBy = (object: JsonObject): string | null => {
  const owners = metadataOf(object)["ownerReferences"];
  const set = Array.isArray(owners)
    ? (owners as readonly JsonValue[]).find((one) => textIn(one, "kind") === "ApplicationSet")
    : undefined;
  return set === undefined ? null : `ApplicationSet ${printable(textIn(set, "name") ?? "")}`;
};

/** An Application that is declared by another one: that one puts it back when it syncs. null: none is known. */
export const declaredBy = (object: JsonObject): string | null => {
  const tracked = annotation(object, "argocd.argoproj.io/tracking-id");
  if (tracked !== null) return `Application ${printable(tracked.split(":")[0] ?? "")}`;
  const { labels } = metadataOf(object);
  const label = isJsonObject(labels) ? textIn(labels, "app.kubernetes.io/instance") : null;
  return label === null ? null : `Application ${printable(label)} (by its label app.kubernetes.io/instance)`;
};

/** Of a sync that this step asked for. */
export const isOurs = ({ info }: Pick<Underway, "info">, mark: string): boolean => info.get(PIN) === mark;

export const endedOurs = (
  object: JsonObject,
  mark: string,
): { readonly phase: string; readonly message: string | null } | null => {
  const state = valueIn(object, "status", "operationState");
  const phase = textIn(state, "phase");
  if (phase === null || underwayIn(object) !== null) return null;
  if (infoOf(valueIn(state, "operation")).get(PIN) !== mark) return null;
  return { phase, message: textIn(state, "message") };
};

/** Who asks, as it stands in the operation. */
type Caller = Pick<Call, "stack" | "step" | "operation" | "attempt">;

/** As `argocd app sync` writes it: the source is what the Application declares, its options and retries are its own. */
const operationOf = (
  object: JsonObject,
  source: Source,
  spec: PinSpec,
  call: Caller,
  mark: string,
): JsonObject => {
  const options = valueIn(object, "spec", "syncPolicy", "syncOptions");
  const retry = valueIn(object, "spec", "syncPolicy", "retry");
  return {
    sync: {
      // Of several sources each is taken at its own targetRevision, where none is said.
      ...(source.index === null ? { revision: spec.revision } : {}),
      ...(spec.prune ? { prune: true } : {}),
      ...(options === undefined ? {} : { syncOptions: options }),
    },
    initiatedBy: { username: `asfound ${call.stack}/${call.step}` },
    info: [
      { name: PIN, value: mark },
      { name: OPERATION, value: `${call.operation} attempt ${call.attempt}` },
    ],
    ...(retry === undefined ? {} : { retry }),
  };
};

const annotated = (
  object: JsonObject,
  its: Readonly<Record<string, string | null>>,
): readonly JsonObject[] => {
  const { annotations } = metadataOf(object);
  const now = isJsonObject(annotations) ? annotations : null;
  const at = (name: string): string =>
    `/metadata/annotations/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const operations = Object.entries(its).flatMap(([name, value]): JsonObject[] => {
    if (value !== null) return [{ op: "add", path: at(name), value }];
    return now !== null && Object.hasOwn(now, name) ? [{ op: "remove", path: at(name) }] : [];
  });
  return now === null && operations.length > 0
    ? [{ op: "add", path: "/metadata/annotations", value: {} }, ...operations]
    : operations;
};

/** What makes the pin, and asks for a sync. `was` stays what it was before the first pin. */
export const pinning = (
  { object }: There,
  source: Source,
  spec: PinSpec,
  how: { readonly call: Caller; readonly mark: string; readonly sync: boolean },
): readonly JsonObject[] => {
  const { call, mark, sync } = how;
  const was = markIn(object) === null ? null : annotation(object, WAS);
  const state = valueIn(object, "status", "operationState");
  return [
    ...annotated(object, {
      [PIN]: mark,
      [WAS]: was ?? source.revision ?? "",
      [STEP]: `${call.stack}/${call.step}`,
    }),
    { op: "add", path: `${source.at}/targetRevision`, value: spec.revision },
    ...(sync
      ? [{ op: "add", path: "/operation", value: operationOf(object, source, spec, call, mark) }]
      : []),
    // The controller merges its state into what stands there: of an older operation nothing may be left over.
    ...(sync && state !== undefined ? [{ op: "remove", path: "/status/operationState" }] : []),
  ];
};

/** What was before the pin; null: nothing tells. Empty: nothing was written. */
export const wasIn = (object: JsonObject): string | null => annotation(object, WAS);

/** What lifts it. targetRevision is put back only where it is still what this step made of it. */
export const lifting = (
  { object }: There,
  source: Source | null,
  revision: string,
): readonly JsonObject[] => {
  const was = wasIn(object);
  const isStill = source !== null && source.revision === revision;
  const back: JsonObject[] =
    !isStill || was === null
      ? []
      : was === ""
        ? [{ op: "remove", path: `${source.at}/targetRevision` }]
        : [{ op: "add", path: `${source.at}/targetRevision`, value: was }];
  return [...annotated(object, { [PIN]: null, [WAS]: null, [STEP]: null }), ...back];
};
