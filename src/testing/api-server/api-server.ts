/** What a fake API server can be told, and what it tells. */
import type { JsonObject } from "../../domain/json.ts";
import type { CloudClock } from "../cloud/real-clock.ts";
import type { User } from "./access.ts";
import type { Certificate } from "./certificate.ts";
import type { ApiFaultRule } from "./fault.ts";
import type { ApiLogEntry } from "./log.ts";
import type { ServedResource } from "./resources.ts";

export interface ApiServerOptions {
  /** Default: what a cluster has, an Argo CD Application and a custom resource. */
  readonly resources?: readonly ServedResource[];
  /** Default: one administrator, `admin`, with the token `admin-token`. */
  readonly users?: readonly User[];
  readonly faults?: readonly ApiFaultRule[];
  /** Whether it has aggregated discovery. Default: yes. */
  readonly aggregatedDiscovery?: boolean;
  /** Groups whose own server cannot be reached. */
  readonly staleGroups?: readonly string[];
  readonly clock?: CloudClock;
  /** What its certificate is for. Default: 127.0.0.1 and `localhost`, for a day. */
  readonly certificate?: {
    readonly names?: readonly string[];
    readonly addresses?: readonly string[];
    readonly notAfter?: number;
  };
}

export interface KubeconfigOptions {
  /** Default: the first user that has a token. */
  readonly user?: string;
  readonly namespace?: string;
}

/** Which object, as the API names it. */
export interface ObjectPlace {
  /** The plural, with `.GROUP` behind it where the group is not the core one. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface ApiServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** PEM of the authority that signed its certificate. */
  readonly ca: string;
  log(): readonly ApiLogEntry[];
  /** Calls with every request as it comes, before it is answered. Tells how to stop that. */
  onAsked(listener: (entry: ApiLogEntry) => void): () => void;
  /** Calls with every object as it is after a change, for a scripted controller. Tells how to stop that. */
  onChanged(listener: (object: JsonObject) => void): () => void;
  /** Replaces all rules and begins to count anew. */
  setFaults(rules: readonly ApiFaultRule[]): void;
  /**
   * Creates an object, or writes it over, as a controller would: status and all. Tells it as it is then. UID, creation and
   * generation are as given, where they are; with another UID than before, it is deleted and made again.
   */
  put(place: ObjectPlace, body: JsonObject): JsonObject;
  remove(place: ObjectPlace): void;
  get(place: ObjectPlace): JsonObject | undefined;
  /** What a container of a Pod has written, from now on. */
  setPodLog(
    place: { readonly namespace: string; readonly name: string; readonly container: string },
    text: string,
  ): void;
  /** What a Pod answers at a port, to whatever path, from now on; null: nobody listens there. */
  setPodPort(
    place: { readonly namespace: string; readonly name: string; readonly port: number },
    reply: { readonly status: number; readonly body: string } | null,
  ): void;
  /** What `cat` finds in a container from now on, by absolute paths; null: it has no `cat`. */
  setFiles(
    place: { readonly namespace: string; readonly name: string; readonly container: string },
    files: Readonly<Record<string, Uint8Array | string>> | null,
  ): void;
  /** The number of the last change: a resourceVersion. */
  revision(): number;
  /** Forgets every moment before now: tokens and watches that began earlier are too old. */
  compact(): void;
  /** The text of a kubeconfig for one user. */
  kubeconfig(options?: KubeconfigOptions): string;
  /** A client's certificate for a user. */
  certificateFor(user: string): Certificate;
  /** Closes the listener and drops every connection: who connects is refused, until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}
