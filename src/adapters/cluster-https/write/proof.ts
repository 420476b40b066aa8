/**
 * What a reply to a changing request proves, as one table. Only the API server's own Status is believed where it says
 * that nothing was done: a page of a proxy with the same number may stand for a request that had passed.
 */
import type { NotWritten } from "../../../ports/cluster-writer.ts";

type Proves = NotWritten["kind"] | "done";

interface ReplyRow {
  readonly statuses: readonly number[];
  /** With a Status of the API server. */
  readonly proves: Proves;
  /** Without one. */
  readonly otherwise: Proves;
}

const REPLIES: readonly ReplyRow[] = [
  // What a success shows is looked at afterwards: a 200 that is not the object proves nothing.
  { statuses: [200, 201, 202], proves: "done", otherwise: "unknown" },
  // Who is not known, and what is too much (API priority and fairness answers in plain text), is turned away at the door.
  { statuses: [401, 429], proves: "refused", otherwise: "refused" },
  { statuses: [400, 403, 404, 405, 406, 409, 410, 413, 415, 422], proves: "refused", otherwise: "unknown" },
  { statuses: [500, 501, 502, 503, 504], proves: "failed", otherwise: "unknown" },
];

/** Whatever is not in the table is known by nobody. */
export const provenBy = (status: number, isTold: boolean): Proves => {
  const row = REPLIES.find(({ statuses }) => statuses.includes(status));
  if (row === undefined) return "unknown";
  return isTold ? row.proves : row.otherwise;
};
