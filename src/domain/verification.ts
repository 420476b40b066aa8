/** What a Verification file asks: one target, what is expected of it, and which claims count (DESIGN §9). */
import type { Bystander, BystanderReply } from "./bystander.ts";
import type { ClaimName } from "./claim.ts";
import type { ExpectedConfig } from "./config.ts";
import type { ExpectedCommit } from "./expected-commit.ts";
import type { Replacing } from "./replacing.ts";
import type { ResponseExpectation } from "./response.ts";

export interface Verification {
  readonly kind: string;
  readonly name: string;
  /** null: not told. */
  readonly namespace: string | null;
  readonly expected: {
    readonly uid: string | null;
    readonly replicas: number | null;
    readonly images: ReadonlyMap<string, string>;
    readonly injected: readonly string[];
    /** By the ConfigMap's name. */
    readonly config: ReadonlyMap<string, ExpectedConfig>;
    readonly response: ResponseExpectation | null;
    /** null: none are named. */
    readonly bystanders: readonly Bystander[] | null;
    /** What some of them have to be answered. */
    readonly replies: readonly BystanderReply[];
    readonly replaced: Replacing | null;
    readonly commit: ExpectedCommit | null;
    readonly application: { readonly namespace: string; readonly name: string } | null;
  };
  /** A recorded release that it has to be, by id or name; null: none is named. */
  readonly release: string | null;
  readonly claims: readonly ClaimName[] | null;
  /** Rule files, as they are written: from where the file stands. */
  readonly rules: readonly string[];
}

/** Why this names no ConfigMap whose content can be expected; null: it does. */
export const configNameFault = (name: string): string | null => {
  if (/^secrets?\//i.test(name))
    return "a Secret's content cannot be expected by a digest: who reads it could try values against it (C6); expect ConfigMaps";
  return /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/.test(name)
    ? null
    : "must be a ConfigMap's name, as metadata.name has it";
};
