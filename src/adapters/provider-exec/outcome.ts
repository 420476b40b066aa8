/**
 * What a finished command means: the table of DESIGN §6, pure and in one place.
 *
 * `done` needs one result, exit 0, one id, and an end of its own. `refused` and `failed` stand whatever the exit.
 * Everything else is `unknown`, with every id and output kept (W4). Choices that the table leaves open:
 * - a refusal beside an id that is not the recorded one contradicts itself: `unknown`;
 * - a refusal from a command that had to be ended is `unknown` (it was still at work), an answered failure stays one;
 * - two different ids in one call: `unknown`, named, and the last one is the id. Each was handed over when it was
 *   printed (W7), so the other is a surplus that somebody must look at (N3).
 */
import type { JsonObject } from "../../domain/json.ts";
import type { Brought, Outcome } from "../../domain/outcome.ts";
import type { Ended } from "./command.ts";
import type { Result } from "./printed.ts";

/** Everything that one command printed, gathered. */
export interface Told {
  /** In order of first mention, without doubles. */
  readonly ids: readonly string[];
  /** Merged; the later value of a key wins. */
  readonly outputs: JsonObject;
  readonly results: readonly Result[];
  /** Lines that may have been a result and could not be read. */
  readonly faults: readonly string[];
}

export const outcomeOf = (told: Told, ended: Ended, recordedId: string | null): Outcome => {
  const [result] = told.results;
  const brought: Brought = {
    id: told.ids.at(-1) ?? null,
    outputs: told.outputs,
    owes: told.results.flatMap((each) => each.owes),
  };
  const unknown = (why: string): Outcome => ({
    kind: "unknown",
    reason: sentence(why, told.results.length === 1 ? result : undefined, ended),
    ...brought,
  });

  if (told.faults.length > 0)
    return unknown(`what it printed cannot be relied on: ${told.faults.join("; ")}`);
  if (result === undefined) return unknown(`${howItEnded(ended)} without a result`);
  if (told.results.length > 1)
    return unknown(
      `it printed ${told.results.length} results (${told.results.map((each) => each.outcome).join(", ")}), and one is allowed`,
    );

  if (result.outcome === "unknown") return unknown("it says that it does not know");
  if (result.outcome === "failed")
    return { kind: "failed", reason: sentence("it failed", result, ended), ...brought };
  if (result.outcome === "refused") {
    const strange = told.ids.find((id) => id !== recordedId);
    if (strange !== undefined) return unknown(`it says it did nothing, and yet it gave the id ${strange}`);
    if (ended.cut !== null) return unknown(`it says it did nothing, but ${howItEnded(ended)}`);
    return { kind: "refused", reason: sentence("it refused", result, ended) };
  }
  if (told.ids.length > 1) return unknown(`it gave ${told.ids.length} different ids: ${told.ids.join(", ")}`);
  if (ended.cut !== null || ended.exitCode !== 0) return unknown(`it says done, but ${howItEnded(ended)}`);
  return { kind: "done", ...brought };
};

/** `protocol: exit-code`: exit 0 is done, any other exit failed. Killed, or ended by us: nobody knows. */
export const outcomeOfExit = (ended: Ended): Outcome => {
  const brought: Brought = { id: null, outputs: {}, owes: [] };
  if (ended.cut !== null || ended.exitCode === null)
    return { kind: "unknown", reason: sentence(howItEnded(ended), undefined, ended), ...brought };
  if (ended.exitCode === 0) return { kind: "done", ...brought };
  return { kind: "failed", reason: sentence(howItEnded(ended), undefined, ended), ...brought };
};

/** The command's end as a clause: "it exited with 3". */
export const howItEnded = (ended: Ended): string => {
  if (ended.cut === "deadline") return "it did not end within its deadline and was ended";
  if (ended.cut === "stopped") return "it was ended because asfound was told to stop";
  if (ended.exitCode === null) return `it was killed by ${ended.signal ?? "a signal"}`;
  return `it exited with ${ended.exitCode}`;
};

const sentence = (what: string, result: Result | undefined, ended: Ended): string => {
  const said = result?.reason ?? null;
  const why = said === null ? "" : `: ${said}`;
  // Without a reason of its own, its last line on stderr is the best there is.
  const lastLine =
    said === null && ended.lastError !== null ? `; its last line on stderr: ${ended.lastError}` : "";
  return `${what}${why}${lastLine}${survivorClause(ended)}`;
};

/** Said wherever a command left something running (N6). */
export const survivorClause = (ended: Ended): string =>
  ended.survivors ? "; processes that it started are still running" : "";
