/** Whose reply it is, by the Pods' logs (`runtime/tie.ts`). */
import type { Answer, LogTie } from "../domain/answer.ts";
import type { JsonObject } from "../domain/json.ts";
import { hint, LIST, TEXT } from "../judge/read.ts";
import type { ListedPod } from "./answer-addresses.ts";
import { clauseOf } from "./readings.ts";
import { idsIn, type Tied, type Tying, tiedBy } from "./tie.ts";

/** Of one container, since the first request. */
const LIMIT_BYTES = 1024 * 1024;
const MOST_CONTAINERS = 200;
const SLACK_SECONDS = 5;

interface Source {
  readonly pod: ListedPod;
  readonly container: string;
}

export const tiedByLog = (tying: Tying, answers: readonly Answer[]): Promise<readonly Answer[]> =>
  tiedBy(
    tying,
    answers,
    {
      all: tying.pods.flatMap((pod) => containersOf(pod.raw).map((container) => ({ pod, container }))),
      most: MOST_CONTAINERS,
      beyond: (count) => `${count} more containers, which are too many to read`,
      read: (sources, ids) => readAll(tying, sources, ids),
    },
    (answer, tie) => ({ ...answer, log: tie }),
  );

/** Sidecars stand among the init containers. */
const containersOf = (raw: JsonObject): readonly string[] =>
  (["containers", "initContainers"] as const).flatMap((key) =>
    (hint(raw, ["spec", key], LIST) ?? []).flatMap((one) => {
      const isInit = key === "initContainers" && hint(one, ["restartPolicy"], TEXT) !== "Always";
      return isInit ? [] : (hint(one, ["name"], TEXT) ?? []);
    }),
  );

const readAll = async (
  { round, clock, namespace, begunMs }: Tying,
  sources: readonly Source[],
  ids: readonly string[],
): Promise<Tied<LogTie["found"][number]>> => {
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
      for (const id of idsIn(reading.bytes, ids))
        found.set(id, [...(found.get(id) ?? []), { name, uid, container }]);
    }),
  );
  return { found, unread: unread.sort() };
};
