/**
 * A recorded answer, as evidence: one request by one path and what came back. It is an object like any other that was read,
 * so that a judge cites its fields, and without one of them has nothing (V1). `answers.json` holds them as they are here,
 * but for what several have in common (`wire/objects/answers.ts`).
 */
import type { Cited, Seen } from "./evidence.ts";
import type { JsonObject } from "./json.ts";

export const ANSWER = { group: "asfound.dev", version: "v1alpha1", kind: "Answer" } as const;

/** A Pod as it was listed before the request was sent. */
export interface PodBefore {
  readonly name: string;
  readonly uid: string;
}

export interface GrpcAnswer {
  /** Whose health was asked for; empty: the server's as a whole. */
  readonly service: string;
  /** `grpc-status`, 0 for OK; null: no reply of gRPC came. */
  readonly code: number | null;
  /** `SERVING`; null: the call was not OK. */
  readonly health: string | null;
}

/** Which Pods told an id at a port of theirs. Never what else they told. */
export interface PortTie {
  readonly found: readonly PodBefore[];
  /** What could not be asked, or not whole, each a clause. */
  readonly unread: readonly string[];
}

/** Which Pods wrote an id into their log. Never what else they wrote. */
export interface LogTie extends PortTie {
  readonly found: readonly (PodBefore & { readonly container: string })[];
}

export interface Answer {
  /** When the reply was there, RFC 3339. */
  readonly at: string;
  /** As `viaText` writes it. */
  readonly via: string;
  readonly url: string;
  /** The Service that was asked; null: another path. */
  readonly service: string | null;
  /** By the API server's proxy, which chooses the endpoint itself, or straight to the address. */
  readonly through: "direct" | "api-server";
  /**
   * Why it is not shown that the address, one inside the cluster's network, is this cluster's from here, a clause; null: it is,
   * or the path has none.
   */
  readonly unshown: string | null;
  /** What a call of the gRPC health service came to; null: a GET was sent. */
  readonly grpc: GrpcAnswer | null;
  /** Of HTTP. This and what follows it to `bodySha256` are null where no reply came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** null, too: it is no UTF-8, or a message of gRPC. */
  readonly body: string | null;
  readonly bodySha256: string | null;
  /** The Pod that the path fixes, with the address that was asked; null: the path fixes none. */
  readonly pod: (PodBefore & { readonly ip: string | null }) | null;
  /** The id that this request had, and none other; null: it had none. */
  readonly requestId: string | null;
  /** null: no log was looked into. */
  readonly log: LogTie | null;
  /** null: no Pod was asked at a port of its own. */
  readonly port: PortTie | null;
  /** The workload's Pods before the request; null: not recorded. */
  readonly podsBefore: readonly PodBefore[] | null;
  /** UIDs behind the Service before the request, all that could answer; null: not recorded. */
  readonly endpointsBefore: readonly string[] | null;
  /** Why no reply came, a clause; null: one came. */
  readonly failure: string | null;
  /** The bystander that was asked about; left out: the target of the verdict. */
  readonly of?: AnswerOf;
}

export interface AnswerOf {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
}

/** `name` tells answers of one reading apart. */
export const seenAnswer = (raw: JsonObject, name: string, source: Cited): Seen => ({
  ...ANSWER,
  namespace: null,
  name,
  uid: null,
  raw,
  source,
});

/** As evidence. */
export const rawOf = (answer: Answer): JsonObject => answer as unknown as JsonObject;
