/**
 * `artifact`: what runs is what was expected, by digest. `status.imageID` is what the runtime resolved; the tag in the
 * template, and even `status.image`, can name something else.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Case, Rule } from "./case.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { PopulationFor } from "./old-gone.ts";
import { isFinished } from "./pod.ts";
import { hint, itemsAt, LIST, type Path, TEXT } from "./read.ts";
import { counted, listed, quoted } from "./words.ts";

/** `template`: where the Pod template stands in the target. */
export const artifact =
  (template: Path, populationFor: PopulationFor): Rule =>
  (given) => {
    const inquiry = new Inquiry("artifact");
    const { target, expected } = given;
    const stop = sameIncarnation(inquiry, target, expected);
    if (stop !== undefined) return stop;
    if (expected.images.size === 0)
      return inquiry.undetermined("vacuous", "no image digest is expected; say --image CONTAINER=sha256:…");
    const declared = inquiry.need(target, [...template, "spec", "containers"], LIST);
    if (declared === undefined) return inquiry.unknown();
    const names = declared.map((one) => hint(one, ["name"], TEXT));
    const surplus = names.filter((name) => name !== undefined && isSurplus(name, given));
    if (surplus.length > 0)
      return inquiry.refuted(
        "surplus-container",
        `the template has ${surplus.length === 1 ? "a container" : "containers"} that nobody expects: ${listed((surplus as string[]).map(quoted))}`,
      );
    const population = populationFor(inquiry, given);
    if (population === undefined) return inquiry.unknown();
    if ("claim" in population) return population;
    return running(
      inquiry,
      given,
      population.fresh.filter((pod) => !isFinished(pod)),
    );
  };

const isSurplus = (name: string, { expected }: Case): boolean =>
  !expected.images.has(name) && !expected.injected.includes(name);

const running = (inquiry: Inquiry, given: Case, pods: readonly Seen[]): Found => {
  if (pods.length === 0) return inquiry.undetermined("vacuous", "no Pod of this template runs");
  const wrong: string[] = [];
  const surplus: string[] = [];
  const pending: string[] = [];
  for (const pod of pods) {
    const there = inquiry.need(pod, ["status", "containerStatuses"], LIST);
    if (there === undefined) {
      pending.push(pod.name);
      continue;
    }
    const places = new Map(placesIn(pod, "initContainerStatuses"));
    const own = placesIn(pod, "containerStatuses");
    for (const [name, path] of own) places.set(name, path);
    for (const [name] of own)
      if (name !== undefined && isSurplus(name, given)) surplus.push(`${quoted(name)} in ${pod.name}`);
    for (const [name, digest] of given.expected.images) {
      const at = places.get(name);
      const id = at === undefined ? undefined : inquiry.need(pod, [...at, "imageID"], TEXT);
      if (at === undefined) inquiry.miss(`Pod ${pod.name} status.containerStatuses of ${name}`);
      const runs = id === undefined ? undefined : /sha256:[0-9a-f]{64}$/.exec(id)?.[0];
      if (runs === undefined) pending.push(pod.name);
      else if (runs !== digest) wrong.push(`${name} in ${pod.name} runs ${runs}`);
    }
  }
  return judged(inquiry, given, { pods: pods.length, wrong, surplus, pending });
};

/** Where a Pod tells of each of its containers. */
const placesIn = (pod: Seen, field: string): readonly (readonly [string | undefined, Path])[] =>
  itemsAt(pod.raw, ["status", field]).map((one, at) => [hint(one, ["name"], TEXT), ["status", field, at]]);

interface Running {
  readonly pods: number;
  readonly wrong: readonly string[];
  readonly surplus: readonly string[];
  readonly pending: readonly string[];
}

const judged = (inquiry: Inquiry, given: Case, { pods, wrong, surplus, pending }: Running): Found => {
  if (wrong.length > 0) return inquiry.refuted("other-image", `not what was expected: ${listed(wrong)}`);
  if (surplus.length > 0) return inquiry.refuted("surplus-container", `nobody expects ${listed(surplus)}`);
  if (pending.length === 0)
    return inquiry.proven(
      "expected-images",
      `${counted(pods, "Pod")} of this template ${pods === 1 ? "runs" : "run"} the expected digests`,
    );
  const says = `which image ${listed([...new Set(pending)])} ${pending.length === 1 ? "runs" : "run"} is not told yet`;
  return given.before.get("rollout-complete")?.finding === "progressing"
    ? inquiry.progressing("waiting-for", `${says}; the rollout is under way`)
    : inquiry.undetermined("no-image-id", says);
};
