/** Server-side apply, patch, eviction and delete over HTTPS. What a reply proves is `proof.ts`; the sentences name no value of a field. */
import { OUR_MANAGER } from "../../../domain/bystander.ts";
import type { JsonObject, JsonValue } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import type { Exchange, ObjectRef } from "../../../ports/cluster.ts";
import type {
  Application,
  Applied,
  ClusterWriter,
  FieldConflict,
  NotWritten,
  Patching,
  Preconditions,
  Removed,
  WriteLimits,
} from "../../../ports/cluster-writer.ts";
import { waitMs } from "../../../wire/retry-after.ts";
import { type Allowance, allowanceOf } from "../allowance.ts";
import { objectOf, quote, saying } from "../body.ts";
import type { Credentials } from "../credentials.ts";
import { groupVersion, isSegment, nameOfObject, objectPath } from "../name.ts";
import { isStatus, type Status, saysAbsent, statusOf } from "../status.ts";
import { provenBy } from "./proof.ts";
import { type Outgoing, sendWrite, type WriteLine } from "./send.ts";

/** Under which name the server keeps what is ours (managedFields). */
const FIELD_MANAGER = OUR_MANAGER;

export interface WriterParts {
  readonly line: WriteLine;
  readonly credentials: Credentials;
}

const always = (): undefined => undefined;

interface Request {
  readonly how: Outgoing["how"];
  readonly ref: ObjectRef;
  /** What follows the object's own path: a subresource, a query. */
  readonly rest: string;
  readonly body: JsonObject | readonly JsonObject[];
  readonly isRehearsal: boolean;
  readonly mayStillSend: () => string | undefined;
}

interface Replied {
  readonly kind: "replied";
  readonly exchange: Exchange;
  readonly secrets: readonly string[];
}

const notSent = (ref: ObjectRef, why: string): NotWritten => ({
  kind: "not-sent",
  sentence: `${nameOfObject(ref)}: nothing was sent: ${why}`,
});

const textIn = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === "string" ? value : "";
};

const causesIn = ({ details: { causes } }: Status): readonly JsonObject[] =>
  Array.isArray(causes) ? (causes as readonly JsonValue[]).filter(isJsonObject) : [];

/** What disruption budgets say to an eviction (registry/core/pod/rest, eviction.go): a decision, and no want of time. */
const budgetsIn = (status: Status): readonly string[] =>
  causesIn(status).flatMap((cause) =>
    cause["reason"] === "DisruptionBudget" ? [textIn(cause, "message")] : [],
  );

const isBudgets = (exchange: Exchange): boolean => {
  const told = statusOf(exchange);
  return told !== null && budgetsIn(told).length > 0;
};

/** Sent again only after the server's word that it did nothing: with new credentials, or when it has time. */
const sendUntilTaken = async (
  { line, credentials }: WriterParts,
  { how, ref, rest, body, isRehearsal, mayStillSend }: Request,
  allowance: Allowance,
): Promise<Replied | NotWritten> => {
  const bytes = Buffer.from(JSON.stringify(body));
  const path = `${objectPath(ref)}${rest}`;
  let isRenewed = false;
  for (let turn = 1; ; turn += 1) {
    const held = await credentials.hold(allowance.signal);
    if ("fault" in held) return notSent(ref, held.fault);
    const sent = await sendWrite(
      line,
      { how, path, body: bytes, held, isRehearsal, mayStillSend },
      allowance.signal,
    );
    if (sent.kind === "not-sent") return notSent(ref, sent.why);
    if (sent.kind === "lost")
      return {
        kind: "unknown",
        sentence: `${nameOfObject(ref)}: the request was sent, and no answer is known: ${sent.why}`,
      };
    const { exchange, retryAfter } = sent;
    const replied: Replied = { kind: "replied", exchange, secrets: held.secrets };
    if (exchange.status === 401 && !isRenewed && credentials.refused(held)) {
      isRenewed = true;
      continue;
    }
    if (exchange.status !== 429 || retryAfter === null || isBudgets(exchange)) return replied;
    const wait = waitMs(retryAfter, line.clock.now(), turn);
    if (wait >= allowance.leftMs()) return replied;
    await line.clock.sleep(wait, allowance.signal);
    if (allowance.over() !== null) return replied;
  }
};

/** `conflict with "kubectl-edit" using apps/v1` */
const conflictsIn = (status: Status): readonly FieldConflict[] =>
  causesIn(status).flatMap((cause) =>
    cause["reason"] === "FieldManagerConflict"
      ? [{ manager: textIn(cause, "message").replace(/^conflict with /, ""), field: textIn(cause, "field") }]
      : [],
  );

const messageOf = (told: Status): string => [told.message, ...budgetsIn(told)].join(" ");

/** The reply is no success: what it proves. */
const notWritten = (ref: ObjectRef, { exchange, secrets }: Replied): NotWritten => {
  const { status } = exchange;
  const told = statusOf(exchange);
  const said = told === null ? quote(exchange, secrets) : saying(messageOf(told), secrets);
  const what = `${nameOfObject(ref)}: the server answered ${status ?? "nothing"}${said}`;
  const proves = status === null ? "unknown" : provenBy(status, told !== null);
  if (proves === "refused" && status !== null) {
    const conflicts = told === null ? [] : conflictsIn(told);
    return { kind: "refused", status, sentence: what, conflicts };
  }
  return { kind: proves === "failed" ? "failed" : "unknown", sentence: what };
};

const isSuccess = (status: number | null): boolean => status === 200 || status === 201 || status === 202;

const appliedBy = (ref: ObjectRef, replied: Replied): Applied => {
  if (!isSuccess(replied.exchange.status)) return notWritten(ref, replied);
  const unknown = (why: string): Applied => ({
    kind: "unknown",
    sentence: `${nameOfObject(ref)}: the server answered ${replied.exchange.status}, but ${why}`,
  });
  const parsed = objectOf(replied.exchange);
  if (!("object" in parsed)) return unknown(parsed.why);
  const { object } = parsed;
  const { metadata } = object;
  const isIt =
    object["kind"] === ref.resource.kind &&
    object["apiVersion"] === groupVersion(ref.resource) &&
    isJsonObject(metadata) &&
    metadata["name"] === ref.name;
  if (!isIt) return unknown("the answer is not that object");
  const uid = textIn(metadata, "uid");
  if (uid === "") return unknown("the object in the answer has no uid");
  return { kind: "applied", object, uid, resourceVersion: textIn(metadata, "resourceVersion") };
};

const removedBy = (ref: ObjectRef, replied: Replied): Removed => {
  const { exchange } = replied;
  if (isSuccess(exchange.status)) {
    const parsed = objectOf(exchange);
    if ("object" in parsed && (isStatus(parsed.object) || parsed.object["kind"] === ref.resource.kind))
      return { kind: "taken" };
    return {
      kind: "unknown",
      sentence: `${nameOfObject(ref)}: the server answered ${exchange.status} to the request, but not as an API server does`,
    };
  }
  const told = exchange.status === 404 ? statusOf(exchange) : null;
  return told !== null && saysAbsent(told, ref) ? { kind: "absent" } : notWritten(ref, replied);
};

const nameFault = ({ name, namespace, resource }: ObjectRef): string | undefined => {
  if (!isSegment(name) || (namespace !== null && !isSegment(namespace)))
    return "no object can have that name or namespace";
  if (resource.namespaced === (namespace !== null)) return undefined;
  return resource.namespaced
    ? "it is in a namespace, and none is named"
    : "it is in no namespace, and one is named";
};

export const clusterWriterOf = (parts: WriterParts): ClusterWriter => {
  const exchange = async <T>(
    request: Request,
    limits: WriteLimits,
    read: (ref: ObjectRef, replied: Replied) => T,
  ): Promise<T | NotWritten> => {
    const fault = nameFault(request.ref);
    if (fault !== undefined) return notSent(request.ref, fault);
    const allowance = allowanceOf(parts.line.clock, limits.deadlineMs, limits.stop);
    try {
      const replied = await sendUntilTaken(parts, request, allowance);
      return replied.kind === "replied" ? read(request.ref, replied) : replied;
    } finally {
      allowance.end();
    }
  };
  const apply = (
    { ref, object, force }: Application,
    limits: WriteLimits,
    isRehearsal: boolean,
    mayStillSend: () => string | undefined,
  ): Promise<Applied> => {
    const rest = `?fieldManager=${FIELD_MANAGER}&force=${force}${isRehearsal ? "&dryRun=All" : ""}`;
    return exchange({ how: "apply", ref, rest, body: object, isRehearsal, mayStillSend }, limits, appliedBy);
  };
  const patch = (
    patching: Patching,
    limits: WriteLimits,
    isRehearsal: boolean,
    mayStillSend: () => string | undefined,
  ): Promise<Applied> => {
    const rest = `?fieldManager=${FIELD_MANAGER}${isRehearsal ? "&dryRun=All" : ""}`;
    const { ref } = patching;
    return exchange({ ...bodyOf(patching), ref, rest, isRehearsal, mayStillSend }, limits, appliedBy);
  };
  const removal = (
    how: "evict" | "remove",
    ref: ObjectRef,
    preconditions: Preconditions,
    isRehearsal: boolean,
    mayStillSend: () => string | undefined,
  ): Request => {
    const common = { how, ref, isRehearsal, mayStillSend };
    // A server that is sent DeleteOptions takes no notice of the query: a rehearsal told there alone would delete.
    const dryRun = isRehearsal ? { dryRun: ["All"] } : {};
    const options = { preconditions: { ...preconditions }, ...dryRun };
    const query = isRehearsal ? "?dryRun=All" : "";
    if (how === "evict") return { ...common, rest: `/eviction${query}`, body: evictionOf(ref, options) };
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground", ...options };
    return { ...common, rest: query, body };
  };
  return {
    rehearse: (application, limits) => apply(application, limits, true, always),
    rehearsePatch: (patching, limits) => patch(patching, limits, true, always),
    rehearseEviction: (ref, preconditions, limits) =>
      exchange(removal("evict", ref, preconditions, true, always), limits, removedBy),
    rehearseRemoval: (ref, preconditions, limits) =>
      exchange(removal("remove", ref, preconditions, true, always), limits, removedBy),
    apply: (application, limits, mayStillSend) => apply(application, limits, false, mayStillSend),
    patch: (patching, limits, mayStillSend) => patch(patching, limits, false, mayStillSend),
    evict: (ref, preconditions, limits, mayStillSend) =>
      exchange(removal("evict", ref, preconditions, false, mayStillSend), limits, removedBy),
    remove: (ref, preconditions, limits, mayStillSend) =>
      exchange(removal("remove", ref, preconditions, false, mayStillSend), limits, removedBy),
  };
};

const evictionOf = ({ name, namespace }: ObjectRef, deleteOptions: JsonObject): JsonObject => ({
  apiVersion: "policy/v1",
  kind: "Eviction",
  metadata: { name, ...(namespace === null ? {} : { namespace }) },
  deleteOptions,
});

/** The preconditions stand in the patch itself, so that the server that changes the object compares them (D4). */
const bodyOf = ({
  patch,
  preconditions: { uid, resourceVersion },
}: Patching): Pick<Request, "how" | "body"> => {
  if (patch.kind === "merge") {
    const { metadata } = patch.body;
    const merged = { ...(isJsonObject(metadata) ? metadata : {}), uid, resourceVersion };
    return { how: "merge-patch", body: { ...patch.body, metadata: merged } };
  }
  const must = (path: string, value: string): JsonObject => ({ op: "test", path, value });
  const tests = [must("/metadata/uid", uid), must("/metadata/resourceVersion", resourceVersion)];
  return { how: "json-patch", body: [...tests, ...patch.operations] };
};
