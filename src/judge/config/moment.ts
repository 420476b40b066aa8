/** One start of one container and one object that it takes from: what each level of evidence is asked about. */
import type { ConfigState } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Collection } from "../collection.ts";
import type { Consumption } from "./consumptions.ts";
import type { Start } from "./starts.ts";

/** Beyond this the node's clock and the API server's are taken to agree on an order (DESIGN §9). */
export const CLOCK_MARGIN_MS = 5_000;

export interface Moment {
  readonly collection: Collection;
  readonly pod: Seen;
  readonly consumption: Consumption;
  /** As it is now. */
  readonly object: Seen;
  readonly isImmutable: boolean;
  /** Of the Pod. */
  readonly created: Instant;
  readonly start: Start;
  /** Now. */
  readonly at: Instant;
}

/** What a file in the container holds by now; null: it is no file. */
export type FileState = "as-the-object" | "another" | "as-mounted" | "not-knowable" | null;

export interface Judged {
  readonly file: FileState;
  readonly state: ConfigState;
  /** A stable code. */
  readonly reason: string;
  /** A clause: why it is in this state. */
  readonly why: string;
}

export const isFile = ({ delivery }: Pick<Consumption, "delivery">): boolean =>
  delivery !== "env" && delivery !== "envFrom";

/** Not known, whatever the delivery. */
export const notKnowable = (
  consumption: Pick<Consumption, "delivery">,
  reason: string,
  why: string,
): Judged => ({ file: isFile(consumption) ? "not-knowable" : null, state: "not-knowable", reason, why });
