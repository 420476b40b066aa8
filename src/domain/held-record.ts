/**
 * What the recorder (`asfound watch`) writes, one record after the other, and never again (E1). Times are the API server's,
 * each on the careful side of what its Date tells (`runtime/reading-time.ts`): `from` is not before the reading was true,
 * `to` not after.
 */
import type { ConfigKind } from "./config.ts";
import type { Instant } from "./ids.ts";

/** Which objects are read. */
export interface HeldScope {
  readonly server: string;
  /** null: all namespaces. */
  readonly namespace: string | null;
  readonly selector: string | null;
  readonly kinds: readonly ConfigKind[];
}

/** The first record of every file: what follows is whole without the files before it. */
export interface Began {
  readonly kind: "began";
  readonly at: Instant;
  readonly scope: HeldScope;
  /**
   * Counts how often it was seen that the server's store went back or its clock was set. Within one era a resourceVersion of one object
   * names one content for ever; of an earlier one nothing counts.
   */
  readonly era: number;
}

/** One content of one object, as it was read. It is held from here on, until a record says otherwise. */
export interface HeldVersion {
  readonly kind: "version";
  readonly of: ConfigKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Of a Secret it is not read, and false. */
  readonly immutable: boolean;
  /** As C3 has it; null for a Secret, whose content is never read (C6), and for content that is no config. */
  readonly sha256: string | null;
  readonly keys: ReadonlyMap<string, string> | null;
  readonly from: Instant;
  /** By the last reading that showed the same UID and resourceVersion. Before `from`, where there was only one: a moment. */
  readonly to: Instant;
}

/** It is not what it was, or not in the list any more: what was held of it ends at its last reading. */
export interface Gone {
  readonly kind: "gone";
  readonly of: ConfigKind;
  readonly namespace: string;
  readonly name: string;
}

/** A whole LIST showed everything that is held of this kind with the same UID and resourceVersion. */
export interface Reread {
  readonly kind: "read";
  readonly of: ConfigKind;
  readonly to: Instant;
  /** Of the list as a whole: it never goes back while the store has not. */
  readonly resourceVersion: string | null;
}

/** Between two readings of this kind something was in the way. What did not change meanwhile is held all the same. */
export interface Blind {
  readonly kind: "blind";
  readonly of: ConfigKind;
  /** The last reading before; null: there was none. */
  readonly from: Instant | null;
  readonly to: Instant;
  readonly why: string;
}

/**
 * The server's store went back (a backup was restored), or its clock was set: a new era begins, and nothing from before counts.
 * A resourceVersion of before may stand for another content now, and how long a clock had been wrong is not known.
 */
export interface Rewound {
  readonly kind: "rewound";
  readonly why: string;
}

/** Files that were removed, all that ever were: what they alone held is not known any more. */
export interface Dropped {
  readonly kind: "dropped";
  /** The number of the last of them. */
  readonly through: number;
  readonly files: number;
  readonly bytes: number;
  /** When the first of them began, and the first that was left. */
  readonly from: Instant;
  readonly to: Instant;
  readonly why: string;
}

/** Told to stop, or its time was over. A file without it ended with its process. */
export interface Ended {
  readonly kind: "ended";
  readonly why: string;
}

export type HeldRecord = Began | HeldVersion | Gone | Reread | Blind | Rewound | Dropped | Ended;
