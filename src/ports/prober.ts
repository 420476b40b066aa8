/**
 * Asks one address once, as a client does: a GET, and what came back. It sends no credentials, follows no redirect and keeps
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

export interface Prober {
  /** Never throws. */
  get(probe: Probe, stop: AbortSignal): Promise<Probed>;
}
