/** What one request means, from its method, path and query. */
import type { ServedResource } from "./resources.ts";

export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  /** What the server serves: `/api`, `/apis`, a group, a version. */
  | "discover";

export interface Asked {
  /** In the words of RBAC; discovery is a `get` of a path there. */
  readonly verb: Exclude<Verb, "discover">;
  readonly path: string;
  readonly query: URLSearchParams;
  /** null: the path is no resource's. */
  readonly served: ServedResource | null;
  readonly namespace: string | null;
  readonly name: string | null;
}

const CHANGING: Readonly<Record<string, Asked["verb"]>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** `/api/v1/…` or `/apis/GROUP/VERSION/…`, then `namespaces/NAME/` or not, a resource and a name. */
const parts = (path: string): { group: string; version: string; rest: readonly string[] } | null => {
  const [root, ...more] = path.split("/").slice(1).map(decodeURIComponent);
  if (root === "api") {
    const [version = "", ...rest] = more;
    return { group: "", version, rest };
  }
  if (root !== "apis") return null;
  const [group = "", version = "", ...rest] = more;
  return { group, version, rest };
};

/** What is below a Pod and a right of its own. */
const POD_RIGHTS: ReadonlySet<string> = new Set(["log", "eviction", "exec", "proxy"]);

export const askedOf = (method: string, url: URL, resources: readonly ServedResource[]): Asked => {
  const { pathname: path, searchParams: query } = url;
  const nothing: Asked = {
    verb: CHANGING[method] ?? "get",
    path,
    query,
    served: null,
    namespace: null,
    name: null,
  };
  const split = parts(path);
  if (split === null) return nothing;
  const { rest } = split;
  const isInNamespace = rest[0] === "namespaces" && rest.length > 2;
  const [resource, name = null, ...more] = isInNamespace ? rest.slice(2) : rest;
  const served = resources.find(
    (one) => one.group === split.group && one.version === split.version && one.resource === resource,
  );
  if (served === undefined) return nothing;
  // A right of its own, as RBAC names it.
  if (
    served.group === "" &&
    resource === "pods" &&
    isInNamespace &&
    POD_RIGHTS.has(more[0] ?? "") &&
    (more.length === 1 || more[0] === "proxy")
  )
    return {
      ...nothing,
      served: { ...served, resource: `pods/${more[0]}` },
      namespace: rest[1] ?? null,
      name,
    };
  if (more.length > 0) return nothing;
  // A path in a namespace to what is in none, or the other way round, is nobody's.
  if (served.namespaced ? !isInNamespace && name !== null : isInNamespace) return nothing;
  const namespace = isInNamespace ? (rest[1] ?? null) : null;
  const reading = name !== null ? "get" : query.get("watch") === null ? "list" : "watch";
  return { ...nothing, verb: CHANGING[method] ?? reading, served, namespace, name };
};
