/**
 * N1: one live operation per stack, by a lease with a heartbeat.
 * The holder is known by boot id, PID namespace, pid and start time, so that a reused pid is never taken for it.
 */
import type { Epoch, Instant, OperationId } from "./ids.ts";
import { iso } from "./ids.ts";
import type { Known } from "./known.ts";

export const LEASE_MS = 30_000;
export const HEARTBEAT_MS = 10_000;

export interface Holder {
  readonly host: string;
  /** `/proc/sys/kernel/random/boot_id`; empty where the system has none. */
  readonly bootId: string;
  /** The inode of the PID namespace, as `/proc/self/ns/pid` names it. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** In clock ticks since boot, from `/proc/PID/stat` field 22. */
  readonly startTicks: string;
  readonly actor: string;
  /** The CI run, where the environment names one. */
  readonly ciRun: string | null;
}

export interface Lease {
  readonly operation: OperationId;
  readonly epoch: Epoch;
  readonly holder: Holder;
  readonly acquiredAt: Instant;
  readonly expiresAt: Instant;
}

export type LeaseState =
  | { readonly kind: "free" }
  /** The holder is proven dead on this host: taken over at once. */
  | { readonly kind: "dead"; readonly lease: Lease }
  | { readonly kind: "expired"; readonly lease: Lease }
  | { readonly kind: "held"; readonly lease: Lease };

/** Whether the lease still binds. `alive` says what this host can tell of the holder's process. */
export const leaseState = (lease: Lease | null, alive: Known<boolean>, now: Instant): LeaseState => {
  if (lease === null) return { kind: "free" };
  if (alive.kind === "known" && !alive.value) return { kind: "dead", lease };
  // A clock that was set back must not make a lease eternal: nothing may be held longer than one lease from now.
  if (now >= lease.expiresAt || lease.expiresAt - now > LEASE_MS * 2) return { kind: "expired", lease };
  return { kind: "held", lease };
};

/** The holder as one clause for a person. */
export const describeHolder = (lease: Lease): string => {
  const { holder } = lease;
  const run = holder.ciRun === null ? "" : `, CI run ${holder.ciRun}`;
  return `${holder.actor} on ${holder.host} (pid ${holder.pid}${run}), operation ${lease.operation}, since ${iso(lease.acquiredAt)}`;
};
