/**
 * Asks one address once, as a client does: a GET, or one call of the gRPC health service, and what came back. It sends no credentials, follows no redirect and keeps
 * nothing between two requests, so that a reply is the reply of that address, and of nobody else.
 */

export interface Probe {
  /** http or https. */
  readonly url: string;
  /** What is connected to; null: the URL's host, resolved, checked and pinned. */
  readonly address: string | null;
  /**
   * Who says where. What a cluster's objects say, anyone who may write them says: an address of theirs that is this machine's
   * own or link-local is refused. So is a name's; but an address that a person wrote is meant.
   */
  readonly namedBy: "person" | "object";
  /** The Host header, and the name that a certificate has to be for; null: the URL's. */
  readonly host: string | null;
  /** Sent beside the prober's own, and never in their place. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
}

export type Probed =
  | {
      readonly kind: "replied";
      readonly status: number;
      /** By name in lower case; several of one name are joined as HTTP has it. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  /** No reply: a clause. `unreachable`: no connection came about, and nothing there refused it. */
  | { readonly kind: "unreachable" | "failed"; readonly why: string };

export interface HealthProbe extends Probe {
  /** Whose health is asked for; empty: the server's as a whole. */
  readonly service: string;
}

/** A reply that is whole: what is no gRPC of it is null. */
export type HealthProbed =
  | {
      readonly kind: "replied";
      /** Of HTTP. */
      readonly status: number;
      /** As for a GET, the trailers among them. */
      readonly headers: Readonly<Record<string, string>>;
      /** The call's own status (`grpc-status`), 0 for OK; null: it is no reply of gRPC. */
      readonly code: number | null;
      /** As the protocol names it: `SERVING`; null: the call was not OK. */
      readonly health: string | null;
    }
  | Exclude<Probed, { readonly kind: "replied" }>;

export interface Prober {
  /** A text that nobody can guess, of letters, digits and hyphens: another one each time. */
  fresh(): string;
  /** Never throws. */
  get(probe: Probe, stop: AbortSignal): Promise<Probed>;
  /** `grpc.health.v1.Health/Check` over HTTP/2: in the clear for a URL of http, over TLS for one of https. Never throws. */
  health(probe: HealthProbe, stop: AbortSignal): Promise<HealthProbed>;
}
