/** What of an object differs from an earlier state of it, field by field, and who wrote what stands there now. */
import type { Judgement } from "./finding.ts";
import type { Instant } from "./ids.ts";

/** What a changed field is part of, in the order in which a person wants to read them. */
export const PARTS = ["image", "replicas", "config", "environment", "template", "object"] as const;
export type Part = (typeof PARTS)[number];

/** An entry of `metadata.managedFields` that owns the field now. */
export interface Writer {
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  /** `scale`, say; null: the object itself. */
  readonly subresource: string | null;
  /** Of its last write of anything that it owns: this field was written then or before. null: it does not say. */
  readonly at: Instant | null;
}

export interface FieldChange {
  /** `spec.template.spec.containers[name=web].image`. */
  readonly path: string;
  readonly part: Part;
  /** As JSON, cut; null: it was not there. */
  readonly was: string | null;
  readonly is: string | null;
  /** It holds what is never written (the value of an environment variable): that it changed is all that is told. */
  readonly hidden: boolean;
  /** Empty: not known. Who took a field away is never known. */
  readonly writers: readonly Writer[];
}

/** The earlier state. */
export interface Since {
  /** A record that asfound kept, saved files that the person named, or what the cluster still keeps of the revision before. */
  readonly kind: "record" | "baseline" | "previous-revision";
  /** What it was judged to be; null: nobody has judged it. */
  readonly verdict: Judgement | null;
  readonly at: Instant | null;
  /** The file or folder, or the object that keeps the revision. */
  readonly name: string;
}

export interface Changes {
  /** null: there is nothing to compare with, and the statement says why. */
  readonly since: Since | null;
  readonly statement: string;
  /** It is another incarnation than the earlier one; null: it is the same, or one of the UIDs is not known. */
  readonly recreated: { readonly was: string; readonly is: string } | null;
  /** The first of them; `total` says how many there are. */
  readonly items: readonly FieldChange[];
  readonly total: number;
  /** Fields of which nobody can tell whether they changed: the earlier state holds digests without their key. */
  readonly notCompared: readonly string[];
  readonly limits: readonly string[];
}

/** One object of one cluster, whatever its incarnation. */
export interface StateKey {
  /** As `ClusterFacts` has it. */
  readonly server: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
}
