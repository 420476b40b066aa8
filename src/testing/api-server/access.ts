/** Who asks, and what they may: rules of RBAC (rbac.authorization.k8s.io/v1), which only ever allow. */
import type { Asked } from "./asked.ts";

export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  /** `pods`, `pods/log`, `*`. */
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  /** Paths such as `/api`, or `/apis/*`. */
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

export interface User {
  readonly name: string;
  /** Sent as `Authorization: Bearer …`; absent: a certificate for that name is the only way in. */
  readonly token?: string;
  /** `all`: a cluster administrator. In a namespace: rules that hold there only (a RoleBinding). */
  readonly rules: "all" | readonly PolicyRule[];
  readonly inNamespace?: Readonly<Record<string, readonly PolicyRule[]>>;
}

export const ANONYMOUS: User = { name: "system:anonymous", rules: [] };

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes("*") || list.includes(value));

const matchesPath = (urls: readonly string[], path: string): boolean =>
  urls.some((url) => (url.endsWith("*") ? path.startsWith(url.slice(0, -1)) : url === path));

const allows = (rule: PolicyRule, asked: Asked): boolean => {
  if (!has(rule.verbs, asked.verb)) return false;
  if (asked.served === null) return matchesPath(rule.nonResourceURLs ?? [], asked.path);
  if (!has(rule.apiGroups, asked.served.group) || !has(rule.resources, asked.served.resource)) return false;
  return rule.resourceNames === undefined || rule.resourceNames.includes(asked.name ?? "");
};

export const mayDo = (user: User, asked: Asked): boolean => {
  if (user.rules === "all") return true;
  const here = asked.namespace === null ? [] : (user.inNamespace?.[asked.namespace] ?? []);
  return [...user.rules, ...here].some((rule) => allows(rule, asked));
};

/** As the API server says it (apiserver, handlers/responsewriters/errors.go). */
export const forbiddenMessage = (user: User, { verb, served, namespace, path }: Asked): string => {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (served === null) return `${who} path ${JSON.stringify(path)}`;
  const what = `${who} resource ${JSON.stringify(served.resource)} in API group ${JSON.stringify(served.group)}`;
  return namespace === null
    ? `${what} at the cluster scope`
    : `${what} in the namespace ${JSON.stringify(namespace)}`;
};
