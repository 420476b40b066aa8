/**
 * Sends one changing request, and says what its reply proves (`proof.ts`).
 *
 * One intent, one effect at most: only after a 429, by which the server says that it did nothing, is the very same
 * request sent again, and never after the call-by, since from then on others may believe that nothing comes any more
 * (N5). W7: an id is committed the moment a header names it. A redirect is not followed.
 */
import type { Call, CommittedIntent } from "../../domain/committed-intent.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { type Action, CALL_BY_SLACK_MS } from "../../domain/step.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CallIo } from "../../ports/provider.ts";
import { waitMs } from "../../wire/retry-after.ts";
import { outputsFrom } from "./as-declared.ts";
import { idText, jsonOf, quote } from "./body.ts";
import { budgetOf } from "./budget.ts";
import { type Exchange, exchange, type Head, type Outgoing, type Reply } from "./exchange.ts";
import { parse } from "./parse.ts";
import { at } from "./pointer.ts";
import { follow } from "./poll.ts";
import { classOf, PROOF, type ReplyClass } from "./proof.ts";
import { caOf, type Line, nameOf, sameOrigin, urlOf } from "./read.ts";
import { outgoingOf } from "./request.ts";
import type { CallSpec, CreateSpec } from "./spec.ts";

/** The last byte leaves this long before others may believe in absence. */
const MARGIN_MS = 1_000;

const refused = (reason: string): Outcome => ({ kind: "refused", reason });

/** What one call works with. */
interface Sending {
  readonly line: Line;
  readonly io: CallIo;
  readonly call: Call;
  readonly how: CallSpec;
  /** Only for a create. */
  readonly create: CreateSpec | null;
  readonly outgoing: Outgoing;
  readonly what: string;
  /** A sentence once it is too late for the first byte. */
  readonly mayStillSend: () => string | undefined;
}

const fence = (clock: Clock, call: Call): (() => string | undefined) => {
  const openedAt = clock.monotonicMs();
  const slack = CALL_BY_SLACK_MS - MARGIN_MS;
  const leftMs = call.callBy - clock.now() + slack;
  return () =>
    clock.now() > call.callBy + slack || clock.monotonicMs() - openedAt > leftMs
      ? "its call-by passed before it could be sent"
      : undefined;
};

/** Opens the intent, builds the request, sends it. */
export const mutate = async <A extends Action>(
  { clock, reached }: Pick<Line, "clock" | "reached">,
  intent: CommittedIntent<A>,
  io: CallIo,
): Promise<Outcome> => {
  let call: Call<A>;
  try {
    call = await intent.open();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ASFOUND_NOT_SENT")
      return refused(error.message);
    throw error;
  }
  const mayStillSend = fence(clock, call);
  const parsed = parse(call.inputs);
  if ("faults" in parsed)
    return refused(
      `nothing was sent: 'with' cannot be used: ${parsed.faults.map((fault) => fault.message).join("; ")}`,
    );
  const { spec } = parsed;
  const how = spec[call.action];
  if (how === null) return refused(`nothing was sent: no '${call.action}' is declared for this step`);
  const ca = await caOf(spec, io.baseDirectory);
  if ("fault" in ca) return refused(`nothing was sent: ${ca.fault}`);

  const budget = budgetOf(clock, io.deadlineMs, io.stop);
  try {
    const line: Line = { clock, reached, budget, spec, caText: ca.text };
    const built = await outgoingOf(line, call, how);
    if ("fault" in built) return refused(`nothing was sent: ${built.fault}`);
    if ("gone" in built) return { kind: "done", id: null, outputs: {}, owes: [] };
    const { outgoing } = built;
    const create = call.action === "create" ? spec.create : null;
    return await sendUntilAnswered({
      line,
      io,
      call,
      how,
      create,
      outgoing,
      what: nameOf(outgoing.method, outgoing.url),
      mayStillSend,
    });
  } finally {
    budget.end();
  }
};

const sendUntilAnswered = async (sending: Sending): Promise<Outcome> => {
  const { line, call, io, what } = sending;
  for (let turn = 1; ; turn += 1) {
    const early = earlyId(sending);
    const came = await exchange(sending.outgoing, {
      ...line,
      mayStillSend: sending.mayStillSend,
      onHead: early.onHead,
    });
    const id = await early.committed();
    if (came.kind !== "reply" || came.status !== 429) return weigh(sending, came, id);

    const wait = waitMs(came.headers["retry-after"], line.clock.now(), turn);
    const tooLong = line.clock.now() + wait > call.callBy || wait > line.budget.leftMs();
    const seconds = Math.ceil(wait / 1_000);
    if (tooLong)
      return refused(
        `${what} ${PROOF["too many requests"].because}; it asks to wait ${seconds} s, which is longer than this call may: run again after that.`,
      );
    io.progress(`${what}: rate limit, waiting ${seconds} s`);
    await line.clock.sleep(wait, line.budget.signal);
    if (line.budget.signal.aborted) return refused(`${what} ${PROOF["too many requests"].because}`);
  }
};

/** Commits an id that a header names, while the body is still on its way (W7). */
const earlyId = (sending: Sending): { onHead(head: Head): void; committed(): Promise<string | null> } => {
  let id: string | null = null;
  let commit: Promise<void> = Promise.resolve();
  return {
    onHead: (head) => {
      id = idInHeader(sending, head);
      if (id !== null) commit = sending.io.identity(id);
    },
    committed: async () => {
      await commit;
      return id;
    },
  };
};

const idInHeader = ({ create, outgoing }: Sending, head: Head): string | null => {
  if (create === null || create.id === null || !("header" in create.id)) return null;
  if (!create.expect.includes(head.status)) return null;
  // That Location names the work, not the thing.
  if (head.status === 202 && create.poll !== null && create.poll.path === null) return null;
  const location = head.headers["location"];
  if (location === undefined || !URL.canParse(location, outgoing.url.href)) return null;
  const last =
    new URL(location, outgoing.url.href).pathname.split("/").findLast((segment) => segment !== "") ?? "";
  try {
    return idText(decodeURIComponent(last));
  } catch {
    return null;
  }
};

/** The outcome of a class; what came with it is kept, whatever it is (W4). */
const concluded = (
  sending: Sending,
  what: ReplyClass,
  detail: string,
  brought: { readonly id: string | null; readonly outputs: JsonObject },
): Outcome => {
  const { proves, because } = PROOF[what];
  if (proves === "done" || proves === "follow") return { kind: "done", ...brought, owes: sending.how.owes };
  const reason = `${sending.what} ${because}${detail}`;
  return proves === "unknown" ? { kind: "unknown", reason, ...brought, owes: [] } : refused(reason);
};

const weigh = async (sending: Sending, came: Exchange, early: string | null): Promise<Outcome> => {
  const brought = { id: early, outputs: {} };
  if (came.kind === "not-sent") return concluded(sending, "not sent", `: ${came.reason}.`, brought);
  if (came.kind === "too-large") return concluded(sending, "too large", ` (status ${came.status}).`, brought);
  if (came.kind === "lost") {
    const what = came.over === "time" ? "timed out" : came.over === "stopped" ? "stopped" : "cut";
    return concluded(sending, what, what === "cut" ? `: ${came.reason}.` : ".", brought);
  }
  const { how, call } = sending;
  const what = classOf(came.status, call.action, how.expect, how.poll !== null && how.poll.path !== null);
  if (what === "taken on" || what === "accepted") return weighSuccess(sending, what, came, early);
  const said = ` (status ${came.status}).${quote(came.body, sending.outgoing.headers)}`;
  return concluded(sending, what, said, { id: idInError(sending, what, came), outputs: {} });
};

/** An error's id is believed only where the step says where it stands, and never from a refusal: it may be another's. */
const idInError = ({ create }: Sending, what: ReplyClass, came: Reply): string | null => {
  const pointer = create?.idInError ?? null;
  if (pointer === null || what !== "server error") return null;
  const json = jsonOf(came);
  return "fault" in json ? null : idText(at(json.value, pointer));
};

const weighSuccess = async (
  sending: Sending,
  what: "taken on" | "accepted",
  came: Reply,
  early: string | null,
): Promise<Outcome> => {
  const { create, how, io } = sending;
  const idAt = create?.id ?? null;
  const reads = (idAt !== null && "pointer" in idAt) || Object.keys(how.outputs).length > 0;
  const json = reads ? jsonOf(came) : { value: null };
  const value: JsonValue = "fault" in json ? null : json.value;
  const id = early ?? (idAt !== null && "pointer" in idAt ? idText(at(value, idAt.pointer)) : null);
  const brought = { id, outputs: outputsFrom(value, how.outputs) };
  const status = ` (status ${came.status})`;

  if (what === "accepted" && how.poll !== null) return followed(sending, came, brought);
  if (idAt !== null && id === null) {
    const place = "pointer" in idAt ? `no id stands at ${idAt.pointer}` : "the Location header names none";
    return concluded(
      sending,
      "taken on, without its id",
      `${status}: ${"fault" in json ? json.fault : place}.`,
      brought,
    );
  }
  if ("fault" in json) io.progress(`the reply's outputs cannot be read: ${json.fault}`);
  return concluded(sending, what, "", brought);
};

const followed = async (
  sending: Sending,
  came: Reply,
  brought: { readonly id: string | null; readonly outputs: JsonObject },
): Promise<Outcome> => {
  const { line, io, how, create, call, outgoing, what } = sending;
  const { poll } = how;
  if (poll === null) return concluded(sending, "accepted", "", brought);
  if (brought.id !== null) await io.identity(brought.id, brought.outputs);
  const unknown = (reason: string, extra = brought): Outcome => ({
    kind: "unknown",
    reason: `${what} was accepted (status ${came.status}), but ${reason}`,
    ...extra,
    owes: [],
  });
  const id = brought.id ?? call.identity?.id;
  const where =
    poll.path === null
      ? sameOrigin(came.headers, outgoing.url)
      : urlOf(line.spec, poll.path, { key: call.key, ...(id === undefined ? {} : { id }) });
  if ("fault" in where) return unknown(`how it goes cannot be followed: ${where.fault}.`);

  const end = await follow(line, poll, where.url, call.action === "destroy", io.progress);
  const all = { id: brought.id ?? end.id, outputs: { ...brought.outputs, ...end.outputs } };
  if (end.end === "unknown") return unknown(`${end.reason}.`, all);
  if (end.end === "failed")
    return { kind: "failed", reason: `${what} was accepted, and ${end.reason}.`, ...all, owes: [] };
  const named = create !== null && (create.id !== null || poll.id !== null);
  if (named && all.id === null) return unknown("when it had ended it did not name what was made.", all);
  return { kind: "done", ...all, owes: how.owes };
};
