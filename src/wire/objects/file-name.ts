/** What a saved file's name says that was asked for: `pods.json`, `deployments.apps.yaml`, `deploy,rs,pods.json`. */
import { type Resource, resourceNamed } from "../../domain/resource.ts";

export interface AskedResource {
  readonly group: string;
  readonly resource: string;
  /** undefined: not one that is known by name. */
  readonly known: Resource | undefined;
}

/** Empty: the name says nothing. */
export const resourcesIn = (fileName: string): readonly AskedResource[] => {
  const base = fileName.replace(/\.(json|ya?ml)$/i, "");
  const named = base.split(",").map(resourceIn);
  return named.includes(undefined) ? [] : (named as readonly AskedResource[]);
};

const resourceIn = (word: string): AskedResource | undefined => {
  const known = resourceNamed(word);
  if (known !== undefined) return { group: known.group, resource: known.plural, known };
  // A custom resource is told by its group, since any word could be a plural.
  const [, resource, group] =
    /^([a-z][a-z0-9-]*)\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(word.toLowerCase()) ?? [];
  return resource === undefined || group === undefined ? undefined : { group, resource, known: undefined };
};
