/**
 * Whose reply it is, by what each Pod tells at a port of its own (`runtime/tie.ts`). It is asked through the API server's proxy:
 * that names the Pod, whatever address it has, and is a right that somebody was given (`pods/proxy`).
 */
import type { Answer, PodBefore } from "../domain/answer.ts";
import type { IdTeller } from "../domain/response.ts";
import { hint, TEXT } from "../judge/read.ts";
import type { ListedPod } from "./answer-addresses.ts";
import { clauseOf } from "./readings.ts";
import { idsIn, type Tied, type Tying, tiedBy } from "./tie.ts";

export type Port = Extract<IdTeller, { readonly kind: "port" }>;

const MOST_PODS = 200;

export const tiedByPort = (
  tying: Tying,
  port: Port,
  answers: readonly Answer[],
): Promise<readonly Answer[]> =>
  tiedBy(
    tying,
    answers,
    {
      all: tying.pods.filter(mayHaveAnswered),
      most: MOST_PODS,
      beyond: (count) => `${count} more Pods, which are too many to ask`,
      read: (pods, ids) => askAll(tying, port, pods, ids),
    },
    (answer, tie) => ({ ...answer, port: tie }),
  );

/** What was over before the first request runs nothing any more. */
const mayHaveAnswered = ({ raw }: ListedPod): boolean => {
  const phase = hint(raw, ["status", "phase"], TEXT);
  return phase !== "Succeeded" && phase !== "Failed";
};

const askAll = async (
  { round, namespace }: Tying,
  { port, path }: Port,
  pods: readonly ListedPod[],
  ids: readonly string[],
): Promise<Tied<PodBefore>> => {
  const found = new Map<string, PodBefore[]>();
  const unread: string[] = [];
  await Promise.all(
    pods.map(async ({ name, uid }) => {
      const reading = await round.proxied({
        ...{ resource: "pods", namespace: namespace ?? "", name },
        ...{ scheme: "http", port, path, headers: {} },
      });
      const whose = `port ${port} of Pod ${name}`;
      if (reading.kind !== "replied") return void unread.push(`${whose}: ${clauseOf(reading.sentence)}`);
      if (reading.status !== 200) return void unread.push(`${whose}: it answers ${reading.status}`);
      for (const id of idsIn(reading.exchange.body, ids))
        found.set(id, [...(found.get(id) ?? []), { name, uid }]);
    }),
  );
  return { found, unread: unread.sort() };
};
