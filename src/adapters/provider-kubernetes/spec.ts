/** A step's `with` for `uses: kubernetes`: checked as written before anything runs (W5), and again as resolved. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { InputFault } from "../../ports/provider.ts";
import { type BindSettings, bindSettings, NO_SETTINGS } from "../../wire/bind/settings.ts";
import { objectFault } from "./object.ts";
import { isText, REFERENCE, WithFields } from "./with-fields.ts";

export interface KubernetesSpec {
  /** A file or folder below the stack file's; null: `objects` or `kustomize` has them. */
  readonly manifests: string | null;
  /** A folder with a kustomization; null: one of the others. */
  readonly kustomize: string | null;
  readonly objects: readonly JsonObject[];
  /** null: the kubeconfig's own. */
  readonly namespace: string | null;
  /** Where the inventory lies; null: in `namespace`. */
  readonly inventory: string | null;
  readonly context: string | null;
  readonly kubeconfig: string | null;
  readonly allowExec: readonly string[];
  /** Takes over objects that nobody's inventory names. */
  readonly adopt: boolean;
  /** Takes fields from other managers. */
  readonly force: boolean;
  /** Removes what left the manifests. */
  readonly prune: boolean;
  /** How config is bound to what consumes it; null: it is not. */
  readonly bind: BindSettings | null;
}

export type Parsed = { readonly spec: KubernetesSpec } | { readonly faults: readonly InputFault[] };

const PATHS = ["manifests", "kustomize"] as const;
const TEXTS = [...PATHS, "namespace", "inventory", "context", "kubeconfig"] as const;
const YES_OR_NO = ["adopt", "force", "prune"] as const;
const KNOWN: readonly string[] = [...TEXTS, ...YES_OR_NO, "objects", "allowExec", "bind"];

const SECRETS_FROM = `write ${REFERENCE}secret.env.NAME} or ${REFERENCE}secret.file.PATH}`;

/** Secret values in a `with` would be read by everybody who may read the stack file. */
const writtenSecrets = (object: JsonObject, index: number): readonly InputFault[] =>
  object["kind"] !== "Secret"
    ? []
    : ["data", "stringData"].flatMap((part) => {
        const values = object[part];
        if (!isJsonObject(values)) return [];
        return Object.entries(values)
          .filter(([, value]) => typeof value !== "string" || !value.includes(REFERENCE))
          .map(([name]) => ({
            path: ["objects", index, part, name],
            message: `a secret must not stand here; ${SECRETS_FROM}`,
          }));
      });

/** What is read from the disk has to be known before anything is resolved: the plan takes its digest. */
const pathFault = (path: string): string | undefined => {
  if (path.includes(REFERENCE)) return "a path must be written out, without references";
  if (path.startsWith("/") || path.split("/").includes(".."))
    return "it must lie below the stack file's folder; write a path without a leading / and without ..";
  return undefined;
};

/** `bind: true` binds what stands in the manifests alone. */
const bindIn = (value: JsonValue | undefined): BindSettings | { readonly fault: string } | null => {
  if (value === undefined || value === false) return null;
  if (value === true) return NO_SETTINGS;
  return isJsonObject(value) ? bindSettings(value) : { fault: " must be true, or a mapping with sources" };
};

export const parse = (inputs: JsonObject, isWritten: boolean): Parsed => {
  const fields = new WithFields(inputs, KNOWN);
  const { faults, say } = fields;
  fields.checkTexts(TEXTS);
  fields.checkYesOrNo(YES_OR_NO);
  for (const name of PATHS) {
    const path = fields.own(name);
    const fault = isText(path) ? pathFault(path) : undefined;
    if (fault !== undefined) say(`'${name}': ${fault}`, name);
  }
  const allowExec = fields.allowExec();
  const objects = fields.own("objects") ?? [];
  if (!Array.isArray(objects)) say("'objects' must be a list of Kubernetes objects", "objects");
  const listed = Array.isArray(objects) ? (objects as readonly JsonValue[]) : [];
  for (const [index, one] of listed.entries()) {
    const fault = objectFault(one);
    if (fault !== undefined) say(fault, "objects", index);
    if (isWritten && isJsonObject(one)) faults.push(...writtenSecrets(one, index));
  }
  const bind = bindIn(fields.own("bind"));
  if (bind !== null && "fault" in bind) say(`'bind'${bind.fault}`, "bind");
  else
    for (const { path } of bind === null ? [] : bind.sources) {
      const fault = pathFault(path);
      if (fault !== undefined) say(`'bind': ${fault}`, "bind", "sources");
    }
  const sources = [...PATHS.map((name) => fields.own(name) !== undefined), listed.length > 0];
  if (sources.filter(Boolean).length !== 1)
    say(
      "say where the objects are, in one way: 'manifests' (a file or folder), 'kustomize' (a folder) or 'objects' (a list)",
    );
  if (faults.length > 0) return { faults };
  return {
    spec: {
      manifests: fields.text("manifests"),
      kustomize: fields.text("kustomize"),
      objects: listed.filter(isJsonObject),
      namespace: fields.text("namespace"),
      inventory: fields.text("inventory"),
      context: fields.text("context"),
      kubeconfig: fields.text("kubeconfig"),
      allowExec,
      adopt: fields.own("adopt") === true,
      force: fields.own("force") === true,
      prune: fields.own("prune") !== false,
      bind: bind === null || "fault" in bind ? null : bind,
    },
  };
};
