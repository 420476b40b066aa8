/**
 * Asks bystanders for the replies that somebody named, each by the path that was said of it, in the way in which the target is
 * asked (`answers.ts`). What cannot be asked is an answer without a reply, with the reason; never left out.
 */
import type { Answer } from "../domain/answer.ts";
import type { BystanderReply } from "../domain/bystander.ts";
import type { JsonObject } from "../domain/json.ts";
import type { ObjectRef, Round } from "../ports/cluster.ts";
import { aroundOf } from "./answer-addresses.ts";
import { type Sampling, sampleAnswers, unasked } from "./answers.ts";
import { listNamed } from "./readings.ts";

export interface Asking extends Omit<Sampling, "round" | "response"> {
  readonly round: <T>(ask: (round: Round) => Promise<T>) => Promise<T>;
}

/** `namespace`: of those that tell none. */
export const bystanderAnswers = async (
  asking: Asking,
  replies: readonly BystanderReply[],
  namespace: string | null,
): Promise<readonly Answer[]> => {
  const all: Answer[] = [];
  for (const reply of replies)
    all.push(
      ...(await asking.round((round) => answersOf(round, asking, reply, reply.namespace ?? namespace))),
    );
  return all;
};

const BEHIND = ["services", "endpointslices.discovery.k8s.io", "pods"] as const;

const answersOf = async (
  round: Round,
  { clock, prober, untilMs, stop }: Asking,
  { kind, name, response }: BystanderReply,
  namespace: string | null,
): Promise<readonly Answer[]> => {
  const sampling: Sampling = { round, clock, prober, untilMs, stop, response };
  const found = await round.find(kind);
  const failed = (why: string): readonly Answer[] => [
    { ...unasked(sampling, `${kind}/${name}`, why), of: { kind, namespace, name } },
  ];
  if (found.kind !== "found") return failed(found.sentence);
  const { resource } = found;
  const ref: ObjectRef = { resource, namespace: resource.namespaced ? namespace : null, name };
  const of = { kind: resource.kind, namespace: ref.namespace, name };
  const target = await round.get(ref);
  if (target.kind !== "observed") {
    const why = target.kind === "absent" ? "it is not there" : target.sentence;
    return [{ ...unasked(sampling, `${kind}/${name}`, why), of }];
  }
  const lists = await Promise.all(BEHIND.map((one) => listNamed(round, one, namespace)));
  const [services, slices, pods] = lists.map(({ reading }) =>
    reading.kind === "observed" ? reading.items : [],
  ) as [readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]];
  const around = aroundOf(response, {
    namespace: ref.namespace,
    target: target.object,
    isService: resource.kind === "Service" && resource.group === "",
    services,
    slices,
    pods,
  });
  return (await sampleAnswers(sampling, around)).map((answer) => ({ ...answer, of }));
};
