/** Records of a recorder for tests, and a writer over a folder of its own. */
import type { HeldRecord, HeldScope, HeldVersion } from "../../src/domain/held-record.ts";
import { type Instant, instant } from "../../src/domain/ids.ts";

const BEGAN = Date.parse("2026-11-30T03:00:00Z");
const SECOND_MS = 1_000;

/** So many seconds after the beginning. */
export const second = (count: number): Instant => instant(BEGAN + count * SECOND_MS);

export const SCOPE: HeldScope = {
  server: "https://api:6443",
  namespace: "shop",
  selector: null,
  kinds: ["ConfigMap"],
};

export const began = (at: number, era = 0): HeldRecord => ({
  kind: "began",
  at: second(at),
  scope: SCOPE,
  era,
});

export const version = (number: number, at: number, more: Partial<HeldVersion> = {}): HeldVersion => ({
  kind: "version",
  of: "ConfigMap",
  namespace: "shop",
  name: "settings",
  uid: "uid-1",
  resourceVersion: String(number),
  immutable: false,
  sha256: "0".repeat(64),
  keys: new Map([["MODE", "1".repeat(64)]]),
  from: second(at),
  to: second(at - 1),
  ...more,
});

export const read = (at: number, resourceVersion: string | null = "1"): HeldRecord => ({
  kind: "read",
  of: "ConfigMap",
  to: second(at),
  resourceVersion,
});

export const gone = (name = "settings"): HeldRecord => ({
  kind: "gone",
  of: "ConfigMap",
  namespace: "shop",
  name,
});
