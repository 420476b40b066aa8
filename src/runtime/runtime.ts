/** What the use cases work with: the ports, filled in by `compose.ts`. */
import type { Reached } from "../domain/crash-point.ts";
import type { Clock } from "../ports/clock.ts";
import type { InputFiles } from "../ports/files.ts";
import type { Host } from "../ports/host.ts";
import type { Ids } from "../ports/ids.ts";
import type { Provider } from "../ports/provider.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { RunFiles } from "../ports/run-files.ts";
import type { Secrets } from "../ports/secrets.ts";
import type { Spool } from "../ports/spool.ts";
import type { Store } from "../ports/store.ts";
import type { Vault } from "../ports/vault.ts";
import type { ClusterNamed, Verifier } from "../ports/verifier.ts";
import type { Scrubber } from "../wire/redact.ts";

/** Signals, as the use cases see them (N4). */
export interface Interrupt {
  /** Start nothing more. */
  readonly drain: AbortSignal;
  /** End what is in flight. */
  readonly kill: AbortSignal;
  first(): "SIGINT" | "SIGTERM" | null;
}

export interface Runtime {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: Host;
  readonly spool: Spool;
  readonly vault: Vault;
  readonly secrets: Secrets;
  readonly files: InputFiles;
  readonly runFiles: RunFiles;
  /** By the name in `uses`; loaded at first use. undefined: there is no such provider. */
  provider(name: string): Promise<Provider | undefined>;
  /** What `confirm` asks; loaded at first use, and the fault is a sentence. */
  verifier(cluster: ClusterNamed): Promise<Verifier | { readonly fault: string }>;
  readonly reporter: Reporter;
  readonly scrubber: Scrubber;
  readonly interrupt: Interrupt;
  /** Told at every crash point (`domain/crash-point.ts`); does nothing but in the proof. */
  readonly reached: Reached;
  readonly actor: string;
  /** The folder of the stack file. */
  readonly baseDirectory: string;
}

/** A refusal of a whole operation before anything was called: a sentence and the exit it means. */
export interface Refused {
  readonly kind: "refused";
  /** 0: there was nothing to do. */
  readonly exit: 0 | 1 | 2 | 21 | 22 | 23 | 130 | 143;
  readonly why: string;
}

export const refused = (exit: Refused["exit"], why: string): Refused => ({ kind: "refused", exit, why });

export const isRefused = (value: unknown): value is Refused =>
  typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "refused";
