/** The Status bodies that an API server answers with, word for word (apimachinery, api/errors; apiserver, storage/etcd3). */
import type { JsonObject } from "../../domain/json.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A text is sent as it is, as plain text. */
  readonly body: JsonObject | string;
}

export const json = (status: number, body: JsonObject): Answer => ({ status, headers: {}, body });

/** What HTTP servers in Go say to a path that nobody serves. */
export const noSuchPath: Answer = { status: 404, headers: {}, body: "404 page not found\n" };

/** Of a resource that a group, which is served, does not have. */
export const noSuchResource: Answer = {
  status: 404,
  headers: {},
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "the server could not find the requested resource",
    reason: "NotFound",
    details: {},
    code: 404,
  },
};

interface About {
  readonly group: string;
  readonly resource: string;
}

const qualified = ({ group, resource }: About): string => (group === "" ? resource : `${resource}.${group}`);

const failed = (
  code: number,
  reason: string,
  message: string,
  more: { readonly details?: JsonObject; readonly metadata?: JsonObject } = {},
): Answer =>
  json(code, {
    kind: "Status",
    apiVersion: "v1",
    metadata: more.metadata ?? {},
    status: "Failure",
    message,
    reason,
    ...(more.details === undefined ? {} : { details: more.details }),
    code,
  });

/** Go leaves out what is empty. */
const details = (about: About, name: string): JsonObject => ({
  ...(name === "" ? {} : { name }),
  ...(about.group === "" ? {} : { group: about.group }),
  kind: about.resource,
});

export const notFound = (about: About, name: string): Answer =>
  failed(404, "NotFound", `${qualified(about)} ${JSON.stringify(name)} not found`, {
    details: details(about, name),
  });

export const alreadyExists = (about: About, name: string): Answer =>
  failed(409, "AlreadyExists", `${qualified(about)} ${JSON.stringify(name)} already exists`, {
    details: details(about, name),
  });

export const conflict = (about: About, name: string, why: string): Answer =>
  failed(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(about)} ${JSON.stringify(name)}: ${why}`,
    { details: details(about, name) },
  );

/** What another manager owns (apiserver, fieldmanager/conflict). */
export const applyConflict = (
  conflicts: readonly { readonly message: string; readonly field: string }[],
): Answer => {
  const [first] = conflicts;
  const word = conflicts.length === 1 ? "conflict" : "conflicts";
  const message =
    conflicts.length === 1 && first !== undefined
      ? `Apply failed with 1 ${word}: ${first.message}: ${first.field}`
      : `Apply failed with ${conflicts.length} ${word}: ${conflicts.map((one) => `${one.message}:\n- ${one.field}`).join("\n")}`;
  const causes = conflicts.map((one) => ({
    reason: "FieldManagerConflict",
    message: one.message,
    field: one.field,
  }));
  return failed(409, "Conflict", message, { details: { causes } });
};

/** An apply that pins the uid of another incarnation: uids do not change. */
export const otherUid = (about: About & { readonly kind: string }, name: string, uid: string): Answer => {
  const why = `Invalid value: ${JSON.stringify(uid)}: field is immutable`;
  return failed(422, "Invalid", `${about.kind} ${JSON.stringify(name)} is invalid: metadata.uid: ${why}`, {
    details: {
      name,
      ...(about.group === "" ? {} : { group: about.group }),
      kind: about.kind,
      causes: [{ reason: "FieldValueInvalid", message: why, field: "metadata.uid" }],
    },
  });
};

/** An apply that pins a uid, and nothing is there. */
export const preconditionUid = (about: About, name: string, uid: string): Answer =>
  conflict(
    about,
    name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );

export const forbidden = (about: About, name: string, message: string): Answer =>
  failed(
    403,
    "Forbidden",
    name === ""
      ? `${qualified(about)} is forbidden: ${message}`
      : `${qualified(about)} ${JSON.stringify(name)} is forbidden: ${message}`,
    { details: details(about, name) },
  );

export const unauthorized: Answer = failed(401, "Unauthorized", "Unauthorized");

export const badRequest = (message: string): Answer => failed(400, "BadRequest", message);

export const unsupportedMediaType = (supported: string): Answer =>
  failed(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${supported}`,
  );

/** `token`: with which the rest may be had, from another moment. */
export const continueExpired = (token: string): Answer =>
  failed(
    410,
    "Expired",
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    { metadata: { continue: token } },
  );

/** Of a watch from the moment `from`, when the oldest that is known is `oldest`. */
export const watchExpired = (from: number, oldest: number): Answer =>
  failed(410, "Expired", `too old resource version: ${from} (${oldest})`);

/** What API priority and fairness says: plain text. */
export const tooManyRequests = (retryAfter: string): Answer => ({
  status: 429,
  headers: { "retry-after": retryAfter },
  body: "Too many requests, please try again later.\n",
});

/** A delete that is done. */
export const deleted = (about: About, name: string, uid: string): Answer =>
  json(200, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { ...details(about, name), uid },
  });

/** What a disruption budget says to an eviction; `retryAfterSeconds` null: waiting alone changes nothing. */
export const budgetRefuses = (why: string, retryAfterSeconds: number | null): Answer => ({
  ...failed(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    details: {
      causes: [{ reason: "DisruptionBudget", message: why }],
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    },
  }),
  headers: retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) },
});

export const severalBudgets: Answer = failed(
  500,
  "InternalError",
  "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
);

export const evicted: Answer = json(201, {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
});

/** A JSON patch that does not hold for what is there. */
export const patchFails: Answer = failed(
  422,
  "Invalid",
  "the server rejected our request due to an error in our request",
  { details: {} },
);
