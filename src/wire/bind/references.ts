/**
 * Every place in a manifest that names a ConfigMap or Secret: in Pod templates of all kinds (env, envFrom, volumes, projected
 * sources; init and ephemeral containers too), and where a person declared one. In what is written nothing was defaulted,
 * and nothing has to be mounted to be named: `judge/config/consumptions.ts` reads what a container is really given.
 */
import type { ConfigKind, Delivery } from "../../domain/config.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { Path } from "../manifest/fault.ts";
import { type DeclaredPath, placesOf } from "./declared-path.ts";
import { at, kindOf, listAt, templateOf, textAt } from "./templates.ts";

/** How it is named: as content comes into a container, or otherwise. */
export type Naming = Delivery | "declared" | "rbac" | "pull-secret";

export interface Reference {
  readonly kind: ConfigKind;
  readonly naming: Naming;
  /** null: what stands there is not a text. */
  readonly name: string | null;
  /** Where the name stands in the object. */
  readonly path: Path;
  /** What must be in it; null: whatever there is. */
  readonly keys: readonly string[] | null;
  readonly optional: boolean;
  /** The template that it stands in; null: none. */
  readonly template: Path | null;
}

export interface DeclaredPaths {
  /** Places of names of ConfigMaps. */
  readonly references: readonly DeclaredPath[];
  /** Places of Pod templates. */
  readonly templates: readonly DeclaredPath[];
}

export const NONE_DECLARED: DeclaredPaths = { references: [], templates: [] };

export const referencesIn = (object: JsonObject, declared: DeclaredPaths): readonly Reference[] => {
  const own = templateOf(object);
  const templates = [...(own === null ? [] : [own]), ...placesOf(object, declared.templates)];
  return [
    ...templates.flatMap((template) => inTemplate(object, template)),
    ...placesOf(object, declared.references).map((path) => declaredAt(object, path)),
    ...inRole(object),
  ];
};

const declaredAt = (object: JsonObject, path: Path): Reference => ({
  kind: "ConfigMap",
  naming: "declared",
  name: textAt(object, path),
  path,
  keys: null,
  optional: false,
  template: null,
});

/** Who reads by name through the API is permitted by name. */
const inRole = (object: JsonObject): readonly Reference[] => {
  if (!/^(Cluster)?Role\.rbac\.authorization\.k8s\.io$/.test(kindOf(object))) return [];
  return listAt(object, ["rules"]).flatMap((rule, index) => {
    if (!listAt(rule, ["resources"]).includes("configmaps")) return [];
    return listAt(rule, ["resourceNames"]).map((name, which): Reference => {
      const path = ["rules", index, "resourceNames", which];
      const text = typeof name === "string" ? name : null;
      return {
        kind: "ConfigMap",
        naming: "rbac",
        name: text,
        path,
        keys: null,
        optional: true,
        template: null,
      };
    });
  });
};

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];

const inTemplate = (object: JsonObject, template: Path): readonly Reference[] => {
  const found: Reference[] = [];
  const spec: Path = [...template, "spec"];
  const take = (
    kind: ConfigKind,
    naming: Naming,
    holder: Path,
    member: string,
    keys: readonly string[] | null,
  ): void => {
    if (!isJsonObject(at(object, holder))) return;
    const optional = at(object, [...holder, "optional"]) === true;
    const path = [...holder, member];
    found.push({ kind, naming, name: textAt(object, path), path, keys, optional, template });
  };
  const keyIn = (holder: Path): readonly string[] | null => {
    const key = textAt(object, [...holder, "key"]);
    return key === null ? null : [key];
  };
  for (const field of CONTAINERS)
    for (const container of listAt(object, [...spec, field]).keys()) {
      const env: Path = [...spec, field, container, "env"];
      for (const index of listAt(object, env).keys()) {
        const from: Path = [...env, index, "valueFrom"];
        take("ConfigMap", "env", [...from, "configMapKeyRef"], "name", keyIn([...from, "configMapKeyRef"]));
        take("Secret", "env", [...from, "secretKeyRef"], "name", keyIn([...from, "secretKeyRef"]));
      }
      const envFrom: Path = [...spec, field, container, "envFrom"];
      for (const index of listAt(object, envFrom).keys()) {
        take("ConfigMap", "envFrom", [...envFrom, index, "configMapRef"], "name", null);
        take("Secret", "envFrom", [...envFrom, index, "secretRef"], "name", null);
      }
    }
  const subPaths = mountedBySubPath(object, spec);
  for (const [index, volume] of listAt(object, [...spec, "volumes"]).entries()) {
    const path: Path = [...spec, "volumes", index];
    const naming = subPaths.has(String(textAt(volume, ["name"]))) ? "subPath" : null;
    const items = (holder: Path): readonly string[] | null => {
      const keys = listAt(object, [...holder, "items"]).flatMap((item) => textAt(item, ["key"]) ?? []);
      return keys.length === 0 ? null : keys;
    };
    const volumeOf = (kind: ConfigKind, holder: Path, member: string, usual: Naming): void =>
      take(kind, naming ?? usual, holder, member, items(holder));
    volumeOf("ConfigMap", [...path, "configMap"], "name", "volume");
    volumeOf("Secret", [...path, "secret"], "secretName", "volume");
    for (const source of listAt(object, [...path, "projected", "sources"]).keys()) {
      const part: Path = [...path, "projected", "sources", source];
      volumeOf("ConfigMap", [...part, "configMap"], "name", "projected");
      volumeOf("Secret", [...part, "secret"], "name", "projected");
    }
  }
  for (const index of listAt(object, [...spec, "imagePullSecrets"]).keys())
    take("Secret", "pull-secret", [...spec, "imagePullSecrets", index], "name", null);
  return found;
};

/** Volumes of which some container mounts a part: those files never follow the object. */
const mountedBySubPath = (object: JsonObject, spec: Path): ReadonlySet<string> => {
  const mounts: readonly JsonValue[] = CONTAINERS.flatMap((field) =>
    listAt(object, [...spec, field]).flatMap((container) => listAt(container, ["volumeMounts"])),
  );
  return new Set(
    mounts.flatMap((mount) =>
      [textAt(mount, ["subPath"]), textAt(mount, ["subPathExpr"])].some(
        (path) => path !== null && path !== "",
      )
        ? (textAt(mount, ["name"]) ?? [])
        : [],
    ),
  );
};
