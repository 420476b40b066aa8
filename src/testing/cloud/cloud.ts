/** What a cloud can be told, and what it tells. */
import type { FaultRule } from "./fault.ts";
import type { KindSettings } from "./kinds.ts";
import type { LogEntry } from "./log.ts";
import type { CloudClock } from "./real-clock.ts";
import type { Shown } from "./things.ts";

export interface CloudOptions {
  /** Settings per kind; a kind not named here has the usual ones. */
  readonly kinds?: { readonly [kind: string]: Partial<KindSettings> };
  readonly faults?: readonly FaultRule[];
  /** Every request must carry `Authorization: Bearer TOKEN`, else 401. */
  readonly token?: string;
  readonly clock?: CloudClock;
}

export interface Cloud {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly adminUrl: string;
  log(): readonly LogEntry[];
  /** What exists now. */
  objects(kind?: string): readonly Shown[];
  /** Replaces all rules and begins to count anew. */
  setFaults(rules: readonly FaultRule[]): void;
  setKind(kind: string, settings: Partial<KindSettings>): void;
  /** Closes the listener and drops every connection: who connects is refused, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}
