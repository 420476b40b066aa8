/**
 * Whose reply it is, by the Pods' logs: each request had an id of its own that nobody could guess, and whoever wrote it into
 * a log has seen that request. Only which Pod wrote which id is kept: the text of a log is anybody's, and goes nowhere.
 */
import type { Answer, LogTie } from "../domain/answer.ts";
import type { JsonObject } from "../domain/json.ts";
import { hint, LIST, TEXT } from "../judge/read.ts";
import type { Clock } from "../ports/clock.ts";
import type { Round } from "../ports/cluster.ts";
import type { ListedPod } from "./answer-addresses.ts";
import { clauseOf } from "./readings.ts";

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

/** Of one container, since the first request. */
const LIMIT_BYTES = 1024 * 1024;
const MOST_CONTAINERS = 200;
/** Lines reach the kubelet a little after they were written. */
const WAITS_MS = [0, 500, 1_500];
const SLACK_SECONDS = 5;

interface Source {
  readonly pod: ListedPod;
  readonly container: string;
}

export const tiedByLog = async (tying: Tying, answers: readonly Answer[]): Promise<readonly Answer[]> => {
  const ids = answers.flatMap(({ requestId, status }) =>
    requestId === null || status === null ? [] : [requestId],
  );
  if (ids.length === 0) return answers;
  const sources = tying.pods.flatMap((pod) => containersOf(pod.raw).map((container) => ({ pod, container })));
  const read = await untilFound(tying, sources.slice(0, MOST_CONTAINERS), ids);
  const beyond = sources.length - MOST_CONTAINERS;
  const unread =
    beyond > 0 ? [...read.unread, `${beyond} more containers, which are too many to read`] : read.unread;
  return answers.map((answer) =>
    answer.requestId === null || answer.status === null
      ? answer
      : { ...answer, log: { found: read.found.get(answer.requestId) ?? [], unread } },
  );
};

/** Sidecars stand among the init containers. */
const containersOf = (raw: JsonObject): readonly string[] =>
  (["containers", "initContainers"] as const).flatMap((key) =>
    (hint(raw, ["spec", key], LIST) ?? []).flatMap((one) => {
      const isInit = key === "initContainers" && hint(one, ["restartPolicy"], TEXT) !== "Always";
      return isInit ? [] : (hint(one, ["name"], TEXT) ?? []);
    }),
  );

interface Read {
  readonly found: ReadonlyMap<string, LogTie["found"]>;
  readonly unread: readonly string[];
}

const untilFound = async (
  tying: Tying,
  sources: readonly Source[],
  ids: readonly string[],
): Promise<Read> => {
  let read: Read = { found: new Map(), unread: [] };
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0 && tying.clock.monotonicMs() + waitMs >= tying.untilMs) break;
    if (waitMs > 0) await tying.clock.sleep(waitMs, tying.stop);
    read = await readAll(tying, sources, ids);
    // A right that is missing does not come by waiting.
    if (read.unread.length > 0 || ids.every((id) => read.found.has(id)) || tying.stop.aborted) break;
  }
  return read;
};

const readAll = async (
  { round, clock, namespace, begunMs }: Tying,
  sources: readonly Source[],
  ids: readonly string[],
): Promise<Read> => {
  const found = new Map<string, LogTie["found"][number][]>();
  const unread: string[] = [];
  const sinceSeconds = Math.ceil((clock.monotonicMs() - begunMs) / 1_000) + SLACK_SECONDS;
  await Promise.all(
    sources.map(async ({ pod: { name, uid }, container }) => {
      const reading = await round.log({
        namespace: namespace ?? "",
        ...{ name, container, sinceSeconds },
        limitBytes: LIMIT_BYTES,
      });
      const whose = `the log of Pod ${name}, container ${container}`;
      if (reading.kind === "absent") return void unread.push(`${whose}: the Pod is not there any more`);
      if (reading.kind !== "read") return void unread.push(`${whose}: ${clauseOf(reading.sentence)}`);
      if (reading.bytes.length >= LIMIT_BYTES)
        unread.push(`${whose}: it has more than ${LIMIT_BYTES} bytes since the first request`);
      const text = new TextDecoder("latin1").decode(reading.bytes);
      for (const id of ids.filter((one) => holds(text, one)))
        found.set(id, [...(found.get(id) ?? []), { name, uid, container }]);
    }),
  );
  return { found, unread: unread.sort() };
};

/** Exactly this id, and not a longer one that holds it. */
const holds = (text: string, id: string): boolean =>
  new RegExp(`(?<![0-9A-Za-z_-])${id}(?![0-9A-Za-z_-])`).test(text);
