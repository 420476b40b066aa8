/**
 * A step's `with` for `uses: argocd`: checked as written before anything runs (W5), and again as resolved.
 *
 *   application: argocd/shop      its namespace and name
 *   revision: a whole commit
 *   repository: of which source, where there are several; sync, prune, adopt, generated: true or false
 *   kubeconfig, context, allowExec: which cluster the Application lies in, and as whom
 */
import { commitFault, parseApplication } from "../../../domain/expected-commit.ts";
import type { JsonObject } from "../../../domain/json.ts";
import type { ObjectRef, Resource } from "../../../ports/cluster.ts";
import type { InputFault } from "../../../ports/provider.ts";
import type { Way } from "../reach.ts";
import { REFERENCE, WithFields } from "../with-fields.ts";

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

const YES_OR_NO = ["sync", "prune", "adopt", "generated"] as const;
const TEXTS = ["application", "revision", "repository", "kubeconfig", "context"] as const;
const KNOWN: readonly string[] = [...TEXTS, ...YES_OR_NO, "allowExec"];

/** `isWritten`: references are not resolved yet, so what has one cannot be looked at. */
export const parsePin = (inputs: JsonObject, isWritten: boolean): ParsedPin => {
  const fields = new WithFields(inputs, KNOWN);
  const { faults, say } = fields;
  fields.checkTexts(TEXTS);
  fields.checkYesOrNo(YES_OR_NO);
  const isOpen = (value: string | null): boolean => isWritten && value?.includes(REFERENCE) === true;
  const [application, revision] = [fields.text("application"), fields.text("revision")];
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
  if (fields.own("prune") === true && fields.own("sync") === false)
    say("'prune' is of the sync that this step asks for, and 'sync' is false", "prune");
  const allowExec = fields.allowExec();
  if (faults.length > 0) return { faults };
  return {
    spec: {
      application: {
        resource: APPLICATIONS,
        namespace: place === undefined ? "" : place.namespace,
        name: place === undefined ? "" : place.name,
      },
      revision: revision ?? "",
      repository: fields.text("repository"),
      sync: fields.own("sync") !== false,
      prune: fields.own("prune") === true,
      adopt: fields.own("adopt") === true,
      generated: fields.own("generated") === true,
      kubeconfig: fields.text("kubeconfig"),
      context: fields.text("context"),
      namespace: null,
      allowExec,
    },
  };
};
