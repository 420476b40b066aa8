/** Where each declared object lies, also of a kind that another object of the step defines. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ObjectRef, Resource } from "../../ports/cluster.ts";
import { MARK, nameOf, placeOf } from "./inventory.ts";
import { metadataOf, withoutServerMade } from "./object.ts";
import { type Reach, wordOf } from "./reach.ts";

export interface Target {
  readonly ref: ObjectRef;
  readonly object: JsonObject;
  /** The CustomResourceDefinition among the step's own objects that makes its kind; null: the server serves it, or will not. */
  readonly definedBy: string | null;
}

interface Defined {
  readonly resource: Resource;
  readonly by: string;
}

/** What the CustomResourceDefinitions among the objects will make the server serve. */
const definedIn = (objects: readonly JsonObject[]): readonly Defined[] =>
  objects.flatMap((object) => {
    if (object["kind"] !== "CustomResourceDefinition" || !isJsonObject(object["spec"])) return [];
    const { group, names, scope, versions } = object["spec"];
    if (typeof group !== "string" || !isJsonObject(names) || !Array.isArray(versions)) return [];
    const { kind, plural } = names;
    if (typeof kind !== "string" || typeof plural !== "string") return [];
    const by = String(metadataOf(object)["name"]);
    return (versions as readonly JsonValue[]).flatMap((version) => {
      if (!isJsonObject(version) || version["served"] !== true || typeof version["name"] !== "string")
        return [];
      const namespaced = scope === "Namespaced";
      return [{ resource: { group, version: version["name"], resource: plural, kind, namespaced }, by }];
    });
  });

type Served = { readonly resource: Resource; readonly definedBy: string | null };

const servedAs = async (
  reach: Reach,
  round: ReturnType<Reach["cluster"]["round"]>,
  object: JsonObject,
  defined: readonly Defined[],
): Promise<Served | { readonly fault: string }> => {
  const apiVersion = String(object["apiVersion"]);
  const kind = String(object["kind"]);
  const cut = apiVersion.lastIndexOf("/");
  const [group, version] = [apiVersion.slice(0, Math.max(0, cut)), apiVersion.slice(cut + 1)];
  const isIt = (one: Resource): boolean =>
    one.group === group && one.version === version && one.kind === kind;
  const own = defined.find(({ resource }) => isIt(resource));
  if (own !== undefined) return { resource: own.resource, definedBy: own.by };
  const found = await round.find(wordOf({ group, version, kind }));
  if (found.kind !== "found" && found.kind !== "unknown") return { fault: found.sentence };
  const resource = (found.kind === "found" ? [found.resource, ...found.others] : []).find(isIt);
  return resource === undefined
    ? {
        fault: `${reach.cluster.facts.server} serves no ${kind} of ${apiVersion}; a CustomResourceDefinition that makes it may stand in this step, or in one before it`,
      }
    : { resource, definedBy: null };
};

export const targetsOf = async (
  reach: Reach,
  objects: readonly JsonObject[],
): Promise<{ readonly targets: readonly Target[] } | { readonly fault: string }> => {
  const defined = definedIn(objects);
  const round = reach.cluster.round(reach.limits());
  const targets: Target[] = [];
  const places = new Set<string>();
  try {
    for (const object of objects) {
      const served = await servedAs(reach, round, object, defined);
      if ("fault" in served) return served;
      const { resource, definedBy } = served;
      const metadata = metadataOf(object);
      const written = typeof metadata["namespace"] === "string" ? metadata["namespace"] : null;
      const ref: ObjectRef = {
        resource,
        namespace: resource.namespaced ? (written ?? reach.namespace) : null,
        name: String(metadata["name"]),
      };
      if (places.has(placeOf(ref))) return { fault: `${nameOf(ref)} is declared twice; keep one` };
      places.add(placeOf(ref));
      targets.push({ ref, object: placed(object, ref), definedBy });
    }
    return { targets };
  } finally {
    round.end();
  }
};

const placed = (object: JsonObject, { namespace }: ObjectRef): JsonObject => {
  const plain = withoutServerMade(object);
  const { namespace: _written, ...metadata } = metadataOf(plain);
  return { ...plain, metadata: { ...metadata, ...(namespace === null ? {} : { namespace }) } };
};

/** As it is sent: with our owner mark, and pinned to the incarnation that is there. */
export const marked = ({ object }: Target, mark: string, uid: string | null): JsonObject => {
  const metadata = metadataOf(object);
  const annotations: JsonValue = metadata["annotations"] ?? {};
  return {
    ...object,
    metadata: {
      ...metadata,
      annotations: { ...(isJsonObject(annotations) ? annotations : {}), [MARK]: mark },
      ...(uid === null ? {} : { uid }),
    },
  };
};
