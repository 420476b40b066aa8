/**
 * Changing a Kubernetes cluster: one object at a time, by server-side apply, by patches, evictions and deletes that name an
 * incarnation (D4). Whoever holds a `Cluster` cannot come by a `ClusterWriter`: it is given to providers alone, whose
 * mutating methods `runtime/intend.ts` alone calls (W1). A request that changes something is sent once; it is sent again
 * only where the server itself said that it did nothing (401, 429 of a busy server; not the 429 of a disruption budget,
 * which is a decision).
 *
 * `Rehearser` is the half that changes nothing (`dryRun=All`), for whoever only asks.
 */
import type { JsonObject } from "../domain/json.ts";
import type { Cluster, ObjectRef } from "./cluster.ts";

/** A field that another manager owns and that we would set to another value. */
export interface FieldConflict {
  /** As the server tells it: `"kubectl-edit" using apps/v1`. */
  readonly manager: string;
  /** `.spec.replicas` */
  readonly field: string;
}

/** What a reply proves; `adapters/cluster-https/write/proof.ts` is the table. */
export type NotWritten =
  /** The server says that it did nothing. `status` is its own; 409 with `conflicts` where managers disagree. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly sentence: string;
      readonly conflicts: readonly FieldConflict[];
    }
  /** Not a byte of it left. */
  | { readonly kind: "not-sent"; readonly sentence: string }
  /** It answered that it failed; an effect is possible. */
  | { readonly kind: "failed"; readonly sentence: string }
  /** Nobody knows. */
  | { readonly kind: "unknown"; readonly sentence: string };

export type Applied =
  | {
      readonly kind: "applied";
      readonly object: JsonObject;
      readonly uid: string;
      readonly resourceVersion: string;
    }
  | NotWritten;

export type Removed =
  /** The delete was taken: it is gone, or leaves when its finalizers let it. */
  | { readonly kind: "taken" }
  /** The server says that exactly this object is not there. */
  | { readonly kind: "absent" }
  | NotWritten;

export interface Application {
  readonly ref: ObjectRef;
  /** Whole, with apiVersion and kind. A `metadata.uid` in it pins the incarnation. */
  readonly object: JsonObject;
  /** Takes fields from other managers. */
  readonly force: boolean;
}

/** Both must be as read, else the server refuses (409). */
export interface Preconditions {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** How one object is changed. Its identity is not in here: it is in the preconditions. */
export type Patch =
  /** RFC 7396. */
  | { readonly kind: "merge"; readonly body: JsonObject }
  /** RFC 6902. */
  | { readonly kind: "json"; readonly operations: readonly JsonObject[] };

export interface Patching {
  readonly ref: ObjectRef;
  readonly preconditions: Preconditions;
  readonly patch: Patch;
}

export interface WriteLimits {
  readonly deadlineMs: number;
  readonly stop: AbortSignal;
}

export interface Rehearser {
  /** What an apply would give, with admission and defaults. Changes nothing. */
  rehearse(application: Application, limits: WriteLimits): Promise<Applied>;
  rehearsePatch(patching: Patching, limits: WriteLimits): Promise<Applied>;
  /** Whether the eviction would be taken: disruption budgets and preconditions are looked at, and nothing is counted down. */
  rehearseEviction(ref: ObjectRef, preconditions: Preconditions, limits: WriteLimits): Promise<Removed>;
  rehearseRemoval(ref: ObjectRef, preconditions: Preconditions, limits: WriteLimits): Promise<Removed>;
}

export interface ClusterWriter extends Rehearser {
  /** `mayStillSend`: asked when the connection stands, right before the first byte; a sentence says why not (N5). */
  apply(
    application: Application,
    limits: WriteLimits,
    mayStillSend: () => string | undefined,
  ): Promise<Applied>;
  /** One object as read, under our own field manager; one that was changed or made anew since is left alone. */
  patch(patching: Patching, limits: WriteLimits, mayStillSend: () => string | undefined): Promise<Applied>;
  /** Of a Pod, by the eviction API (policy/v1): a disruption budget that does not allow it refuses it. */
  evict(
    ref: ObjectRef,
    preconditions: Preconditions,
    limits: WriteLimits,
    mayStillSend: () => string | undefined,
  ): Promise<Removed>;
  remove(
    ref: ObjectRef,
    preconditions: Preconditions,
    limits: WriteLimits,
    mayStillSend: () => string | undefined,
  ): Promise<Removed>;
}

/** Both halves over one connection. */
export interface WritableCluster {
  readonly cluster: Cluster;
  readonly writer: ClusterWriter;
}
