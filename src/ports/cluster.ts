/**
 * Asking a Kubernetes cluster: GET, LIST, and a watch that only says when to look again (V6). Whoever holds a `Cluster` can
 * change nothing with it: there is no method for that, and the adapter has no way to send anything but GET. What changes
 * a cluster is a provider, reached from `runtime/intend.ts` alone (W1). One method does more than look: `readFile` runs `cat`
 * in a container, with the person's consent.
 *
 * Nothing here throws for what a server, a network or a file does: each question has an answer of its own, and `absent`
 * is only said where the API server itself says that exactly this object is not there (R2).
 *
 * Every adapter passes `test/contract/cluster.ts`.
 */
import type { Instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";

/** A kind of thing as one API server serves it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural as it stands in paths: `deployments`. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export interface ObjectRef {
  readonly resource: Resource;
  /** null for what is not in a namespace. */
  readonly namespace: string | null;
  readonly name: string;
}

export interface CollectionRef {
  readonly resource: Resource;
  /** null: all namespaces, or a kind that is in none. */
  readonly namespace: string | null;
  /** As kubectl writes them: `app=web,tier!=db`. null: no selection. */
  readonly labelSelector: string | null;
  readonly fieldSelector: string | null;
}

/** One request and what came back, as it was. Credentials are in none of it. */
export interface Exchange {
  /** `GET /apis/apps/v1/namespaces/shop/deployments/web`, with the query. */
  readonly request: string;
  readonly askedAt: Instant;
  /** When the last byte was there, or it was clear that none would come. */
  readonly answeredAt: Instant;
  /** Between the two by the clock that never goes backwards. */
  readonly durationMs: number;
  /** null: no reply came. */
  readonly status: number | null;
  /** The server's own clock (the Date header, as received); null where it gave none. */
  readonly serverDate: string | null;
  readonly contentType: string | null;
  /** The bytes of the body, a gzip encoding undone. What had come, where it is not whole. */
  readonly body: Uint8Array;
  readonly whole: boolean;
}

/** Why a question has no answer; `adapters/cluster-https/reasons.ts` says when each is given. */
export type FailureReason =
  | "forbidden"
  | "unauthorized"
  | "credentials"
  | "no-such-resource"
  | "expired"
  | "throttled"
  | "unavailable"
  | "time-over"
  | "stopped"
  | "unreachable"
  | "tls"
  | "proxy"
  | "cut"
  | "truncated"
  | "too-large"
  | "redirected"
  | "not-json"
  | "wrong-kind"
  | "inconsistent"
  | "unexpected-status"
  | "invalid-name"
  | "not-run";

/** A right in the words of RBAC. */
export interface Right {
  readonly verb: "get" | "list" | "watch" | "create";
  readonly group: string;
  readonly resource: string;
  /** null: at the cluster scope. */
  readonly namespace: string | null;
  /** null: of every name. */
  readonly name: string | null;
}

/** A question without an answer. It says nothing about what is there. */
export interface ReadFailure {
  readonly kind: "denied" | "failed" | "timed-out";
  readonly reason: FailureReason;
  /** What was asked, what came instead, and what to do; safe to print. */
  readonly sentence: string;
  /** Which right is missing, for `forbidden`; else null. */
  readonly missing: Right | null;
  /** All that was sent for this question, in order, waits and restarts included. */
  readonly exchanges: readonly Exchange[];
}

export type ObjectReading =
  | {
      readonly kind: "observed";
      /** Its last exchange's body, parsed. A whole number beyond 2^53 is kept as a text of its digits. */
      readonly object: JsonObject;
      /** null where the API gives none: metrics, say. */
      readonly uid: string | null;
      readonly resourceVersion: string | null;
      readonly exchanges: readonly Exchange[];
    }
  | { readonly kind: "absent"; readonly exchanges: readonly Exchange[] }
  | ReadFailure;

/** A page of a list: the n-th item is at `/items/n` of the exchange's body. */
export interface ListPage {
  readonly exchange: Exchange;
  readonly items: readonly JsonObject[];
}

/** A whole list as it was at one resourceVersion. An empty one is an observed nothing (V5). */
export interface ListObserved {
  readonly kind: "observed";
  /** Of all pages, in their order. */
  readonly items: readonly JsonObject[];
  /** null where the API gives none. */
  readonly resourceVersion: string | null;
  readonly pages: readonly ListPage[];
  /** The pages' own, and those of what was begun in vain. */
  readonly exchanges: readonly Exchange[];
}

export type ListReading = ListObserved | ReadFailure;

/**
 * What of a list is kept, beside its objects. `bytes`: false: a page's are let go as soon as its objects are made, and the
 * exchange has an empty body. `writers`: false: nor is it kept who wrote which field (metadata.managedFields).
 */
export interface ListKept {
  readonly bytes: boolean;
  readonly writers: boolean;
}

/** Takes the pages of a list as they come, so that nobody holds all of it. What it throws ends the reading, thrown on. */
export interface PageSink {
  /** A list begins anew: what came of it before is void. */
  begin(): Promise<void>;
  page(items: readonly JsonObject[]): Promise<void>;
}

/** `metadata`: of each object its metadata alone; the rest of it is not sent by the server (PartialObjectMetadata). */
export type ListForm = "whole" | "metadata";

/** A list whose pages went to a sink: what it took since the last `begin` is all of it. Exchanges are without their bytes. */
export type StreamReading =
  | {
      readonly kind: "observed";
      readonly resourceVersion: string | null;
      readonly exchanges: readonly Exchange[];
    }
  | ReadFailure;

/** A Pod or Service behind the API server's proxy (the `proxy` subresource). */
export interface ProxyRef {
  readonly resource: "pods" | "services";
  readonly namespace: string;
  readonly name: string;
  readonly scheme: "http" | "https";
  readonly port: number;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  /** Sent along to the app. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a container has written of late. */
export interface LogRef {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  /** By the node's clock. */
  readonly sinceSeconds: number;
  /** A log that has that many may have more. */
  readonly limitBytes: number;
}

export type LogReading =
  /** The app's own bytes: hostile, and for no sentence. */
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly exchanges: readonly Exchange[] }
  /** The Pod is not there. */
  | { readonly kind: "absent"; readonly exchanges: readonly Exchange[] }
  | ReadFailure;

/** A file in a running container. */
export interface FileRef {
  readonly namespace: string;
  /** The Pod's. */
  readonly name: string;
  readonly container: string;
  /** Absolute, as the container has it. */
  readonly path: string;
  readonly limitBytes: number;
}

/** What a file holds. `not-run`: nothing in the container could read it: there is no `cat`, or no right to the file. */
export type FileReading =
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly exchanges: readonly Exchange[] }
  /** By the word of the container's own `cat`. */
  | { readonly kind: "no-file"; readonly exchanges: readonly Exchange[] }
  /** The Pod is not there. */
  | { readonly kind: "absent"; readonly exchanges: readonly Exchange[] }
  | ReadFailure;

/** What came through the proxy; the API server's own word about it is a failure, and no reply. */
export type ProxyReading =
  | {
      readonly kind: "replied";
      readonly status: number;
      /** By name in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      readonly exchange: Exchange;
    }
  | ReadFailure;

/** What a watch is good for. `changed`: look again. `ended`: nothing was told until the server or the time ended it. */
export type WatchHint =
  | { readonly kind: "changed" | "ended"; readonly exchanges: readonly Exchange[] }
  | ReadFailure;

export type Found =
  | {
      readonly kind: "found";
      readonly resource: Resource;
      /** What else has that name, in the server's order of preference; empty where the server was not asked. */
      readonly others: readonly Resource[];
    }
  /** The server was asked for all that it serves, and it is not among it. */
  | { readonly kind: "unknown"; readonly sentence: string }
  | ReadFailure;

/** Whether addresses inside the cluster's network, asked from here, are this cluster's. `why`: a clause. */
export type OwnNetwork = { readonly kind: "shown" } | { readonly kind: "not-shown"; readonly why: string };

/**
 * One round of questions under one deadline. The same question is sent once: asked again, it has the same answer. What
 * belongs together is asked in one round; a new look is a new round.
 */
export interface Round {
  get(ref: ObjectRef): Promise<ObjectReading>;
  /** Keeps all of it unless `kept` says otherwise. */
  list(ref: CollectionRef, kept?: ListKept): Promise<ListReading>;
  /** As `list`, to a sink; sent each time that it is asked. Whole objects unless `form` says otherwise. */
  stream(ref: CollectionRef, sink: PageSink, form?: ListForm): Promise<StreamReading>;
  /** Sent each time that it is asked: two replies may differ. */
  proxied(ref: ProxyRef): Promise<ProxyReading>;
  /** Sent each time that it is asked: more may have been written. */
  log(ref: LogRef): Promise<LogReading>;
  /**
   * Runs `cat` in the container (the `exec` subresource), each time that it is asked. It changes no object, but it is a
   * process there: only with the person's consent.
   */
  readFile(ref: FileRef): Promise<FileReading>;
  /** Clusters use the same private addresses: whoever asks one straight has to know whose it is from here. */
  ownNetwork(): Promise<OwnNetwork>;
  /** A kind, plural, singular or short name, of any letter case, with `.GROUP` or `.VERSION.GROUP` behind it where it must be. */
  find(word: string): Promise<Found>;
  /** Waits until something of `ref` changed after `resourceVersion`. A hint: what changed is only told by a new round. */
  untilChanged(ref: CollectionRef, resourceVersion: string): Promise<WatchHint>;
  /** Releases its timer; what is still asked ends as `stopped`. */
  end(): void;
}

/** Which cluster it is, and as whom it is asked. No secrets. */
export interface ClusterFacts {
  /** `https://10.0.0.1:6443`, without user or query. */
  readonly server: string;
  /** null: the service account of the Pod that asfound runs in. */
  readonly context: string | null;
  /** Where namespaced things are looked for unless another namespace is named. */
  readonly namespace: string;
  /** What a person must know of this connection (a certificate that is not checked), each one sentence. */
  readonly warnings: readonly string[];
}

export interface Cluster {
  readonly facts: ClusterFacts;
  /** `stop`: aborted when asfound is told to stop. */
  round(limits: { readonly deadlineMs: number; readonly stop: AbortSignal }): Round;
  /** Closes the connections that are kept open. */
  close(): void;
}
