/**
 * The `with` of a rollback's two steps. All that a call and its settlement need is in here. Content stands as base64 in
 * lists: neither a `${` in it nor the name of a key is taken for anything by whoever stores inputs.
 *
 *   workload: { apiVersion, kind, resource, namespace, name, uid }
 *   cluster: the uid of its kube-system, or null; kubeconfig, context: or null; allowExec: []
 *
 *   of `template`: resourceVersion, as it was read
 *     from: { apiVersion, kind, resource, name, uid } of what keeps the template in the cluster, or null
 *     template: base64 of its JSON, where nothing in the cluster keeps it; or null
 *   of `config`: objects: [{ name, do: make | write-back, immutable, uid, resourceVersion, content: [{ key, bytes }] }]
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import type { ObjectRef, Resource } from "../../../ports/cluster.ts";
import type { InputFault } from "../../../ports/provider.ts";
import type { Way } from "../reach.ts";

interface Common extends Way {
  readonly workload: ObjectRef;
  readonly workloadUid: string;
  readonly cluster: string | null;
}

export interface TemplateSpec extends Common {
  readonly resourceVersion: string;
  readonly from: { readonly ref: ObjectRef; readonly uid: string } | null;
  readonly template: JsonObject | null;
}

export interface ConfigObject {
  readonly ref: ObjectRef;
  readonly do: "make" | "write-back";
  readonly immutable: boolean;
  /** Of the object that is written into; null: it is made. */
  readonly was: { readonly uid: string; readonly resourceVersion: string } | null;
  readonly content: ReadonlyMap<string, Buffer>;
}

export interface ConfigSpec extends Common {
  readonly objects: readonly ConfigObject[];
}

export type Parsed<T> = { readonly spec: T } | { readonly faults: readonly InputFault[] };

class Inputs {
  readonly faults: InputFault[] = [];

  say(message: string, ...path: (string | number)[]): undefined {
    this.faults.push({ path, message });
    return undefined;
  }

  object(of: JsonObject, name: string): JsonObject {
    const value = own(of, name);
    if (isJsonObject(value)) return value;
    this.say(`'${name}' must be a mapping`, name);
    return {};
  }

  text(of: JsonObject, name: string): string {
    const value = own(of, name);
    if (typeof value === "string" && value !== "") return value;
    this.say(`'${name}' must be a text that is not empty`, name);
    return "";
  }

  textOrNull(of: JsonObject, name: string): string | null {
    const value = own(of, name);
    return value === undefined || value === null ? null : this.text(of, name);
  }

  list(of: JsonObject, name: string): readonly JsonObject[] {
    const value = own(of, name);
    if (Array.isArray(value) && value.every(isJsonObject)) return value as readonly JsonObject[];
    this.say(`'${name}' must be a list of mappings`, name);
    return [];
  }

  ref(of: JsonObject, namespace: string): ObjectRef {
    const apiVersion = this.text(of, "apiVersion");
    const cut = apiVersion.lastIndexOf("/");
    return {
      resource: {
        group: apiVersion.slice(0, Math.max(0, cut)),
        version: apiVersion.slice(cut + 1),
        resource: this.text(of, "resource"),
        kind: this.text(of, "kind"),
        namespaced: true,
      },
      namespace,
      name: this.text(of, "name"),
    };
  }

  common(of: JsonObject): Common {
    const workload = this.object(of, "workload");
    const namespace = this.text(workload, "namespace");
    const allowExec = own(of, "allowExec");
    const all = allowExec === undefined ? [] : allowExec;
    if (!Array.isArray(all) || !all.every((one) => typeof one === "string"))
      this.say("'allowExec' is a list of commands", "allowExec");
    return {
      workload: this.ref(workload, namespace),
      workloadUid: this.text(workload, "uid"),
      cluster: this.textOrNull(of, "cluster"),
      kubeconfig: this.textOrNull(of, "kubeconfig"),
      context: this.textOrNull(of, "context"),
      namespace,
      allowExec: all as readonly string[],
    };
  }
}

const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const parsed = <T>(inputs: JsonObject, read: (all: Inputs) => T): Parsed<T> => {
  const all = new Inputs();
  const spec = read(all);
  return all.faults.length === 0 && isJsonObject(inputs) ? { spec } : { faults: all.faults };
};

export const parseTemplate = (inputs: JsonObject): Parsed<TemplateSpec> =>
  parsed(inputs, (all) => {
    const common = all.common(inputs);
    const from = own(inputs, "from");
    const encoded = all.textOrNull(inputs, "template");
    if (!isJsonObject(from) && encoded === null)
      all.say("'from' or 'template' says what is brought back", "from");
    return {
      ...common,
      resourceVersion: all.text(inputs, "resourceVersion"),
      from: isJsonObject(from)
        ? { ref: all.ref(from, common.namespace ?? ""), uid: all.text(from, "uid") }
        : null,
      template:
        encoded === null
          ? null
          : (decoded(encoded) ?? all.say("'template' is no JSON in base64", "template") ?? null),
    };
  });

const decoded = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64").toString("utf8"));
    return isJsonObject(value as JsonValue) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
};

const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

export const parseConfig = (inputs: JsonObject): Parsed<ConfigSpec> =>
  parsed(inputs, (all) => {
    const common = all.common(inputs);
    const objects = all.list(inputs, "objects").map((one): ConfigObject => {
      const how = all.text(one, "do");
      if (how !== "make" && how !== "write-back") all.say("'do' is make or write-back", "objects");
      const uid = all.textOrNull(one, "uid");
      const resourceVersion = all.textOrNull(one, "resourceVersion");
      if (how === "write-back" && (uid === null || resourceVersion === null))
        all.say("what is written into needs its uid and resourceVersion", "objects");
      return {
        ref: { resource: CONFIG_MAPS, namespace: common.namespace, name: all.text(one, "name") },
        do: how === "write-back" ? "write-back" : "make",
        immutable: own(one, "immutable") === true,
        was: uid === null || resourceVersion === null ? null : { uid, resourceVersion },
        content: new Map(
          all
            .list(one, "content")
            .map((entry) => [all.text(entry, "key"), Buffer.from(String(own(entry, "bytes")), "base64")]),
        ),
      };
    });
    return { ...common, objects };
  });
