/** What a Verification file asks: one target, what is expected of it, and which claims count (DESIGN §9). */
import type { Bystander, BystanderReply } from "./bystander.ts";
import type { ClaimName } from "./claim.ts";
import type { Expected } from "./expected.ts";

export interface Verification {
  readonly kind: string;
  readonly name: string;
  /** null: not told. */
  readonly namespace: string | null;
  readonly expected: Omit<Expected, "bystanders" | "release" | "since"> & {
    /** null: none are named. */
    readonly bystanders: readonly Bystander[] | null;
    /** What some of them have to be answered. */
    readonly replies: readonly BystanderReply[];
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
