import type { Key } from "../domain/ids.ts";
import type { Known } from "../domain/known.ts";
import type { Holder } from "../domain/lease.ts";

/** A provider's process that outlived the asfound that started it (N6). */
export interface Survivor {
  readonly pid: number;
  readonly startTicks: string;
  readonly key: Key;
  /** The command line, control characters escaped, at most 200 characters. */
  readonly command: string;
}

/** What this machine can tell of processes. */
export interface Host {
  self(actor: string): Holder;
  /**
   * Whether that process still lives. Known only on the same host (boot id) and PID namespace;
   * a pid in use by a process with another start time is a dead holder.
   */
  isAlive(holder: Holder): Known<boolean>;
  /** Live processes whose environment has `ASFOUND_KEY` = one of `keys`, found in one pass over /proc. Never ourselves. */
  survivors(keys: ReadonlySet<Key>): Promise<readonly Survivor[]>;
  /** Ends one survivor's process group: TERM, after 5 s KILL; pid and start time are compared before each signal. */
  end(survivor: Survivor): Promise<void>;
}
