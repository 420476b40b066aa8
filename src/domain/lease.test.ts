import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epoch, instant, operationId } from "./ids.ts";
import { known, notAsked, unreadable } from "./known.ts";
import { describeHolder, LEASE_MS, type Lease, leaseState } from "./lease.ts";

const T0 = Date.UTC(2026, 0, 1);
const lease = (expiresAt: number): Lease => ({
  operation: operationId("op_1"),
  epoch: epoch(3),
  holder: {
    host: "build-7",
    bootId: "boot",
    pidNamespace: "pid:[1]",
    pid: 4711,
    startTicks: "9",
    actor: "alice",
    ciRun: "run 12",
  },
  acquiredAt: instant(T0),
  expiresAt: instant(expiresAt),
});
const fresh = lease(T0 + LEASE_MS);

describe("N1: the lease", () => {
  it("without one the stack is free", () =>
    expect(leaseState(null, known(true), instant(T0))).toEqual({ kind: "free" }));

  it("a holder that lives, or of which nothing is known, holds it until it expires", () => {
    for (const alive of [known(true), notAsked, unreadable("another host")]) {
      expect(leaseState(fresh, alive, instant(T0 + LEASE_MS - 1)).kind).toBe("held");
      expect(leaseState(fresh, alive, instant(T0 + LEASE_MS)).kind).toBe("expired");
    }
  });

  it("a holder proven dead on this host is taken over at once", () =>
    expect(leaseState(fresh, known(false), instant(T0)).kind).toBe("dead"));

  it("a clock that was set back does not make it eternal: it is over within two leases of any clock", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (backMs) => {
        const at = instant(T0 - backMs);
        const { kind } = leaseState(fresh, notAsked, at);
        expect(kind).toBe(backMs > LEASE_MS ? "expired" : "held");
      }),
    );
  });

  it("names the holder: who, where, pid, CI run, operation, since when", () =>
    expect(describeHolder(fresh)).toBe(
      "alice on build-7 (pid 4711, CI run run 12), operation op_1, since 2026-01-01T00:00:00.000Z",
    ));
});
