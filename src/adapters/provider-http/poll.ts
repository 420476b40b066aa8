/** Follows work that was accepted until it says how it ended, or the deadline comes. What was accepted is never sent again. */
import type { JsonObject } from "../../domain/json.ts";
import { outputsFrom } from "./as-declared.ts";
import { idText } from "./body.ts";
import { at } from "./pointer.ts";
import { getJson, type Line } from "./read.ts";
import type { PollSpec } from "./spec.ts";

export interface Followed {
  readonly end: "done" | "failed" | "unknown";
  /** A clause; empty for `done`. */
  readonly reason: string;
  readonly id: string | null;
  readonly outputs: JsonObject;
}

export const follow = async (
  line: Line,
  poll: PollSpec,
  url: URL,
  /** After a destroy, what is not there any more has ended well; an observation decides. */
  goneIsDone: boolean,
  progress: (text: string) => void,
): Promise<Followed> => {
  const nothing = { id: null, outputs: {} };
  let last = "";
  for (;;) {
    await line.clock.sleep(poll.everyMs, line.budget.signal);
    const over = line.budget.over();
    if (over !== null) {
      const why = over === "stopped" ? "asfound was told to stop" : "the deadline came";
      return {
        ...nothing,
        end: "unknown",
        reason: `${why} before it said how it ended${last === "" ? "" : ` (last: ${last})`}`,
      };
    }
    const document = await getJson(line, url, {});
    if (document.kind === "missing" && goneIsDone) return { ...nothing, end: "done", reason: "" };
    if (document.kind === "denied" || document.kind === "missing")
      return { ...nothing, end: "unknown", reason: `how it ended cannot be read: ${document.reason}` };
    if (document.kind !== "document") {
      last = document.reason;
      continue;
    }
    const state = String(at(document.value, poll.pointer) ?? `nothing at ${poll.pointer}`).slice(0, 60);
    const brought = {
      id: poll.id === null ? null : idText(at(document.value, poll.id)),
      outputs: outputsFrom(document.value, poll.outputs),
    };
    if (poll.done.includes(state)) return { ...brought, end: "done", reason: "" };
    if (poll.failed.includes(state)) return { ...brought, end: "failed", reason: `it ended as '${state}'` };
    if (state !== last) progress(`its state is '${state}'`);
    last = state;
  }
};
