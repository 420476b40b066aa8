/**
 * Why a question to a cluster has no answer, as one table: none of these says anything about what is there (R2).
 * docs/guide/cluster.md prints it; a test compares them.
 */
import type { FailureReason, ReadFailure } from "../../ports/cluster.ts";

interface Reason {
  readonly kind: ReadFailure["kind"];
  /** For the table. */
  readonly when: string;
}

export const REASONS: Readonly<Record<FailureReason, Reason>> = {
  forbidden: { kind: "denied", when: "403; the missing right is named, where the API server itself refuses" },
  unauthorized: { kind: "denied", when: "401, after credentials that can be renewed were renewed once" },
  credentials: {
    kind: "failed",
    when: "our own credentials cannot be had or sent: a file, an exec plug-in that is not allowed or fails",
  },
  "no-such-resource": {
    kind: "failed",
    when: "404 that does not name exactly the object: no such kind, version or API",
  },
  expired: { kind: "failed", when: "410, and a list that was begun anew twice still expired" },
  throttled: {
    kind: "failed",
    when: "429, and the wait it asks for is unknown or longer than the time that is left",
  },
  unavailable: {
    kind: "failed",
    when: "503, likewise; or a part of what the server serves cannot be reached",
  },
  "time-over": { kind: "timed-out", when: "no whole answer by the deadline" },
  stopped: { kind: "failed", when: "asfound was told to stop" },
  unreachable: { kind: "failed", when: "no connection: name unknown, nothing listens, no way there" },
  tls: { kind: "failed", when: "the certificate is not trusted, for another name or expired; no TLS there" },
  proxy: { kind: "failed", when: "the proxy cannot be reached, or refuses the way" },
  cut: { kind: "failed", when: "the connection broke, or what came is no HTTP" },
  truncated: {
    kind: "failed",
    when: "JSON that breaks off; a list that ends and says that more would follow",
  },
  "too-large": {
    kind: "failed",
    when: "more than 16 MiB for an object, 256 MiB for a page, 512 MiB for a list",
  },
  redirected: { kind: "failed", when: "3xx; never followed" },
  "not-json": { kind: "failed", when: "a login page, nothing, no UTF-8, nested more than 256 levels deep" },
  "wrong-kind": {
    kind: "failed",
    when: "JSON, but another kind, version, name or namespace than was asked for",
  },
  inconsistent: {
    kind: "failed",
    when: "a list whose pages are from different moments, lead back, or show one object twice",
  },
  "unexpected-status": { kind: "failed", when: "any other status" },
  "not-run": {
    kind: "failed",
    when: "a file in a container: the process that was to read it could not be started, or failed",
  },
  "invalid-name": { kind: "failed", when: "no object can have that name or namespace; nothing was asked" },
};
