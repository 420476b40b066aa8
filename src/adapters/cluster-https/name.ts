/** What is asked for, as a path and in words. */
import type { CollectionRef, ObjectRef, Resource, Right } from "../../ports/cluster.ts";
import { printable } from "../../wire/redact/printable.ts";

export const groupVersion = ({ group, version }: Resource): string =>
  group === "" ? version : `${group}/${version}`;

/** `deployments.apps`, `pods`: as RBAC and kubectl write it. */
const qualified = ({ group, resource }: Pick<Resource, "group" | "resource">): string =>
  group === "" ? resource : `${resource}.${group}`;

/** A name that cannot be one segment of a path would ask for something else: an empty one for the whole list. */
export const isSegment = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && !/[/%\p{Cc}]/u.test(name) && name.isWellFormed();

const base = (resource: Resource, namespace: string | null): string => {
  const root = resource.group === "" ? "/api" : `/apis/${encodeURIComponent(resource.group)}`;
  const within = namespace === null ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${encodeURIComponent(resource.version)}${within}/${encodeURIComponent(resource.resource)}`;
};

export const objectPath = ({ resource, namespace, name }: ObjectRef): string =>
  `${base(resource, namespace)}/${encodeURIComponent(name)}`;

/** In one fixed order, so that equal questions are equal texts. */
export const collectionPath = (
  { resource, namespace, labelSelector, fieldSelector }: CollectionRef,
  more: Readonly<Record<string, string>>,
): string => {
  const query = new URLSearchParams({
    ...(labelSelector === null ? {} : { labelSelector }),
    ...(fieldSelector === null ? {} : { fieldSelector }),
    ...more,
  });
  return `${base(resource, namespace)}${query.size === 0 ? "" : `?${query}`}`;
};

const inNamespace = (namespace: string | null): string =>
  namespace === null ? "" : ` in namespace ${printable(namespace)}`;

export const nameOfObject = ({ resource, namespace, name }: ObjectRef): string =>
  `${qualified(resource)} "${printable(name)}"${inNamespace(namespace)}`;

export const nameOfCollection = ({ resource, namespace }: CollectionRef): string =>
  `the list of ${qualified(resource)}${inNamespace(namespace)}`;

export const nameOfRight = ({ verb, group, resource, namespace, name }: Right): string => {
  const what = qualified({ group, resource });
  const which = name === null ? "" : ` "${printable(name)}"`;
  return `the right to ${verb} ${what}${which}${namespace === null ? " at the cluster scope" : inNamespace(namespace)}`;
};
