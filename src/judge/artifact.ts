/**
 * `artifact`: what runs is what was expected, by digest, of every container: init containers and sidecars as well. Rules:
 * `status.imageID` is what the runtime resolved; a tag, and even `status.image`, can name something else by now. A template
 * that names its image by tag fixes no image: two of its Pods may run two of them, which no expectation of one can be true of.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Case, Rule } from "./case.ts";
import { sameIncarnation } from "./generation.ts";
import { mixedIn, mixedText } from "./image-mix.ts";
import { byTag, declaredImages } from "./image-reference.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import type { PopulationFor } from "./old-gone.ts";
import { isFinished } from "./pod.ts";
import { digestIn, type Ran, ranIn } from "./ran-image.ts";
import { LIST, type Path, TEXT } from "./read.ts";
import { counted, listed, quoted } from "./words.ts";

/** `template`: where the Pod template stands in the target. */
export const artifact =
  (template: Path, populationFor: PopulationFor): Rule =>
  (given) => {
    const inquiry = new Inquiry("artifact");
    const { target, expected } = given;
    const stop = sameIncarnation(inquiry, target, expected);
    if (stop !== undefined) return stop;
    if (expected.images.size === 0) return unexpected(given, template, populationFor);
    const declared = declaredImages(inquiry, target, template);
    if (declared === undefined) return inquiry.unknown();
    const surplus = declared.flatMap(({ name }) => (isSurplus(name, given) ? [name] : []));
    if (surplus.length > 0)
      return inquiry.refuted(
        "surplus-container",
        `the template has ${surplus.length === 1 ? "a container" : "containers"} that nobody expects: ${listed(surplus.map(quoted))}`,
      );
    const population = populationFor(inquiry, given);
    if (population === undefined) return inquiry.unknown();
    if ("claim" in population) return population;
    const pods = population.fresh.filter((pod) => !isFinished(pod));
    for (const one of declared)
      if (expected.images.has(one.name)) for (const limit of byTag(one)) inquiry.limit(limit);
    return running(inquiry, given, template, pods);
  };

/** Whatever is expected, it is not both: told where nobody expects a digest, too. */
const unexpected = (given: Case, template: Path, populationFor: PopulationFor): Found => {
  const inquiry = new Inquiry("artifact");
  const population = populationFor(inquiry, given);
  if (population !== undefined && !("claim" in population)) {
    const mixed = mixedIn(inquiry, given.target, template, population.fresh);
    if (mixed.length > 0) return inquiry.refuted("mixed-images", mixedText(mixed));
  }
  return new Inquiry("artifact").undetermined(
    "vacuous",
    "no image digest is expected; say --image CONTAINER=sha256:…",
  );
};

const isSurplus = (name: string, { expected }: Case): boolean =>
  !expected.images.has(name) && !expected.injected.includes(name);

const running = (inquiry: Inquiry, given: Case, template: Path, pods: readonly Seen[]): Found => {
  if (pods.length === 0) return inquiry.undetermined("vacuous", "no Pod of this template runs");
  const wrong: string[] = [];
  const surplus: string[] = [];
  const pending: string[] = [];
  for (const pod of pods) {
    if (inquiry.need(pod, ["status", "containerStatuses"], LIST) === undefined) {
      pending.push(pod.name);
      continue;
    }
    const all = ranIn(pod);
    for (const { name, counts } of all)
      if (counts && isSurplus(name, given)) surplus.push(`${quoted(name)} in ${pod.name}`);
    for (const [name, digest] of given.expected.images) {
      const runs = runsIn(inquiry, pod, name, all);
      if (runs === undefined) pending.push(pod.name);
      else if (runs !== digest) wrong.push(`${name} in ${pod.name} runs ${runs}`);
    }
  }
  const mixed = wrong.length > 0 ? mixedIn(inquiry, given.target, template, pods) : [];
  const more = mixed.length === 0 ? "" : `; ${mixedText(mixed)}`;
  return judged(inquiry, given, { pods: pods.length, wrong, surplus, pending, more });
};

const runsIn = (inquiry: Inquiry, pod: Seen, name: string, all: readonly Ran[]): string | undefined => {
  const its = all.find((one) => one.name === name);
  if (its === undefined) {
    inquiry.miss(`Pod ${pod.name} status.containerStatuses of ${name}`);
    return undefined;
  }
  const id = inquiry.need(pod, [...its.path, "imageID"], TEXT);
  return id === undefined ? undefined : digestIn(id);
};

interface Running {
  readonly pods: number;
  readonly wrong: readonly string[];
  readonly surplus: readonly string[];
  readonly pending: readonly string[];
  /** What else is to be said of the wrong ones. */
  readonly more: string;
}

const judged = (inquiry: Inquiry, given: Case, { pods, wrong, surplus, pending, more }: Running): Found => {
  if (wrong.length > 0)
    return inquiry.refuted("other-image", `not what was expected: ${listed(wrong)}${more}`);
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
