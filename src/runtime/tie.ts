/**
 * Whose reply it is, by what Pods know beside it: each request had an id of its own that nobody could guess, and whoever knows
 * that id has seen that request. Only which Pod knows which id is kept: what else stands there is anybody's, and goes nowhere.
 */
import type { Answer, PodBefore } from "../domain/answer.ts";
import type { Clock } from "../ports/clock.ts";
import type { Round } from "../ports/cluster.ts";
import type { ListedPod } from "./answer-addresses.ts";

export interface Tying {
  readonly round: Round;
  readonly clock: Clock;
  readonly namespace: string | null;
  /** As they were listed before the requests, old ones too. */
  readonly pods: readonly ListedPod[];
  /** By the clock that never goes backwards: before the first request, and when no more is asked. */
  readonly begunMs: number;
  readonly untilMs: number;
  readonly stop: AbortSignal;
}

/** What is heard of a request comes a little after it was answered. */
const WAITS_MS = [0, 500, 1_500];

export interface Tied<Where extends PodBefore> {
  readonly found: ReadonlyMap<string, readonly Where[]>;
  readonly unread: readonly string[];
}

export interface Places<Place, Where extends PodBefore> {
  /** Where an id may stand, and how many of these are read at most. */
  readonly all: readonly Place[];
  readonly most: number;
  /** Says of so many beyond that they were not read; a clause. */
  readonly beyond: (count: number) => string;
  readonly read: (places: readonly Place[], ids: readonly string[]) => Promise<Tied<Where>>;
}

/** Reads them for the ids of all requests that were replied to; `tied`: the answer with where its id stood. */
export const tiedBy = async <Place, Where extends PodBefore>(
  tying: Tying,
  answers: readonly Answer[],
  { all, most, beyond, read }: Places<Place, Where>,
  tied: (
    answer: Answer,
    tie: { readonly found: readonly Where[]; readonly unread: readonly string[] },
  ) => Answer,
): Promise<readonly Answer[]> => {
  const ids = answers.flatMap(({ requestId, status }) =>
    requestId === null || status === null ? [] : [requestId],
  );
  if (ids.length === 0) return answers;
  const came = await untilFound(tying, ids, () => read(all.slice(0, most), ids));
  const count = all.length - most;
  const unread = count > 0 ? [...came.unread, beyond(count)] : came.unread;
  return answers.map((answer) =>
    answer.requestId === null || answer.status === null
      ? answer
      : tied(answer, { found: came.found.get(answer.requestId) ?? [], unread }),
  );
};

/** Reads all, and again after a while where an id is not found. */
const untilFound = async <Where extends PodBefore>(
  tying: Tying,
  ids: readonly string[],
  readAll: () => Promise<Tied<Where>>,
): Promise<Tied<Where>> => {
  let read: Tied<Where> = { found: new Map(), unread: [] };
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0 && tying.clock.monotonicMs() + waitMs >= tying.untilMs) break;
    if (waitMs > 0) await tying.clock.sleep(waitMs, tying.stop);
    read = await readAll();
    // A right that is missing does not come by waiting.
    if (read.unread.length > 0 || ids.every((id) => read.found.has(id)) || tying.stop.aborted) break;
  }
  return read;
};

/** Those that stand there: exactly this id, and not a longer one that holds it. */
export const idsIn = (bytes: Uint8Array, ids: readonly string[]): readonly string[] => {
  const text = new TextDecoder("latin1").decode(bytes);
  return ids.filter((id) => new RegExp(`(?<![0-9A-Za-z_-])${id}(?![0-9A-Za-z_-])`).test(text));
};
