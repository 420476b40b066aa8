/** What a GitOps controller is to have brought about. */
import type { JsonObject } from "./json.ts";

export interface ExpectedCommit {
  /** Whole: 40 or 64 hex digits, in lower case. */
  readonly sha: string;
  /** The tree that it has, which then counts as much as the commit; null: as a repository tells. */
  readonly tree: string | null;
  /** Of which source, where there are several; null: there is one. */
  readonly repository: string | null;
  /** The source less its repository and revision: path, parameters; null: whatever they are. */
  readonly source: JsonObject | null;
}

/** A whole SHA-1 or SHA-256. */
export const isCommit = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** A clause; undefined: it can be expected. */
export const commitFault = (text: string): string | undefined =>
  isCommit(text) ? undefined : "must be a whole commit: 40 or 64 hex digits (git rev-parse NAME gives it)";

/** `argocd/shop`; undefined: it is no such text. */
export const parseApplication = (
  text: string,
): { readonly namespace: string; readonly name: string } | undefined => {
  if (!/^[^/\s]+\/[^/\s]+$/.test(text)) return undefined;
  const [namespace, name] = text.split("/") as [string, string];
  return { namespace, name };
};
