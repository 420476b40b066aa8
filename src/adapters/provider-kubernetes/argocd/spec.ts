/**
 * A step's `with` for `uses: argocd`: checked as written before anything runs (W5), and again as resolved.
 *
 *   application: argocd/shop      its namespace and name
 *   revision: a whole commit
 *   repository: of which source, where there are several; sync, prune, adopt, generated: true or false
 *   kubeconfig, context, allowExec: which cluster the Application lies in, and as whom
 */
import { commitFault, parseApplication } from "../../../domain/expected-commit.ts";
import type { JsonObject, JsonValue } from "../../../domain/json.ts";
import type { ObjectRef, Resource } from "../../../ports/cluster.ts";
import type { InputFault } from "../../../ports/provider.ts";
import type { Way } from "../reach.ts";

export interface PinSpec extends Way {
  readonly application: ObjectRef;
  /** Whole, in lower case. */
  readonly revision: string;
  readonly repository: string | null;
  /** Asks for a sync; else whatever syncs the Application does. */
  readonly sync: boolean;
  /** The sync removes what left Git. */
  readonly prune: boolean;
  /** Takes over the pin of another step. */
  readonly adopt: boolean;
  /** Pins also what an ApplicationSet generates, and may put back. */
  readonly generated: boolean;
}

export type ParsedPin = { readonly spec: PinSpec } | { readonly faults: readonly InputFault[] };

const APPLICATIONS: Resource = {
  group: "argoproj.io",
  version: "v1alpha1",
  resource: "applications",
  kind: "Application",
  namespaced: true,
};

/** How a reference begins (DESIGN §6). */
const REFERENCE = "$" + "{";
const YES_OR_NO = ["sync", "prune", "adopt", "generated"] as const;
const TEXTS = ["application", "revision", "repository", "kubeconfig", "context"] as const;
const KNOWN: readonly string[] = [...TEXTS, ...YES_OR_NO, "allowExec"];

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

/** `isWritten`: references are not resolved yet, so what has one cannot be looked at. */
export const parsePin = (inputs: JsonObject, isWritten: boolean): ParsedPin => {
  const faults: InputFault[] = [];
  const say = (message: string, ...path: string[]): void => void faults.push({ path, message });
  const own = (name: string): JsonValue | undefined =>
    Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  for (const name of Object.keys(inputs))
    if (!KNOWN.includes(name)) say(`'${name}' is not known here; known are ${KNOWN.join(", ")}`, name);
  for (const name of TEXTS)
    if (own(name) !== undefined && !isText(own(name)))
      say(`'${name}' must be a text that is not empty`, name);
  for (const name of YES_OR_NO)
    if (own(name) !== undefined && typeof own(name) !== "boolean")
      say(`'${name}' must be true or false`, name);
  const text = (name: string): string | null => (isText(own(name)) ? String(own(name)) : null);
  const isOpen = (value: string | null): boolean => isWritten && value?.includes(REFERENCE) === true;
  const [application, revision] = [text("application"), text("revision")];
  const place = application === null ? undefined : parseApplication(application);
  if (application === null)
    say("'application' is missing: write its namespace and name, as argocd/shop", "application");
  else if (place === undefined && !isOpen(application))
    say("'application' must be NAMESPACE/NAME, as argocd/shop", "application");
  if (revision === null) say("'revision' is missing: write the whole commit to pin it to", "revision");
  else if (!isOpen(revision)) {
    const fault = commitFault(revision);
    if (fault !== undefined) say(`'revision' ${fault}; a branch or a tag is no pin`, "revision");
  }
  if (own("prune") === true && own("sync") === false)
    say("'prune' is of the sync that this step asks for, and 'sync' is false", "prune");
  const allowExec = own("allowExec") ?? [];
  if (!Array.isArray(allowExec) || !allowExec.every(isText))
    say("'allowExec' is a list of commands", "allowExec");
  if (faults.length > 0) return { faults };
  return {
    spec: {
      application: {
        resource: APPLICATIONS,
        namespace: place === undefined ? "" : place.namespace,
        name: place === undefined ? "" : place.name,
      },
      revision: revision ?? "",
      repository: text("repository"),
      sync: own("sync") !== false,
      prune: own("prune") === true,
      adopt: own("adopt") === true,
      generated: own("generated") === true,
      kubeconfig: text("kubeconfig"),
      context: text("context"),
      namespace: null,
      allowExec: (allowExec as readonly JsonValue[]).filter(isText),
    },
  };
};
