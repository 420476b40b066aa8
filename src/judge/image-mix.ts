/** One template, several images: Pods of it whose runtimes report different digests for one container. */
import type { Seen } from "../domain/evidence.ts";
import { declaredImages, isFixed } from "./image-reference.ts";
import type { Inquiry } from "./inquiry.ts";
import { isFinished } from "./pod.ts";
import { digestIn, isOfManifest, ranIn } from "./ran-image.ts";
import type { Path } from "./read.ts";
import { counted, listed, quoted } from "./words.ts";

export interface Mixed {
  readonly container: string;
  readonly image: string;
  /** By digest, the Pods that run it. */
  readonly by: ReadonlyMap<string, readonly string[]>;
}

const ARCHITECTURES =
  "a runtime may report another digest on a Node of another architecture; which Nodes these are is not looked at";

/** Containers whose image a digest fixes are left out: what is reported of those may be of an index or of one platform. */
export const mixedIn = (
  inquiry: Inquiry,
  target: Seen,
  template: Path,
  pods: readonly Seen[],
): readonly Mixed[] => {
  const declared = declaredImages(inquiry, target, template);
  if (declared === undefined) return [];
  const running = pods.filter((pod) => !isFinished(pod));
  const mixed = declared.flatMap(({ name, image }): readonly Mixed[] => {
    if (image === undefined || isFixed(image)) return [];
    const by = new Map<string, string[]>();
    for (const pod of running) {
      const its = ranIn(pod).find((one) => one.name === name);
      const digest =
        its?.imageId === undefined || !isOfManifest(its.imageId) ? undefined : digestIn(its.imageId);
      if (its === undefined || digest === undefined) continue;
      const same = by.get(digest);
      if (same === undefined) by.set(digest, [pod.name]);
      else same.push(pod.name);
      inquiry.cite(pod, [...its.path, "imageID"]);
    }
    return by.size > 1 ? [{ container: name, image, by }] : [];
  });
  if (mixed.length > 0) inquiry.limit(ARCHITECTURES);
  return mixed;
};

const MOST_NAMED = 3;
const namesOf = (pods: readonly string[]): string => {
  const sorted = [...pods].sort();
  const named = listed(sorted.slice(0, MOST_NAMED));
  return sorted.length > MOST_NAMED ? `${named} and ${sorted.length - MOST_NAMED} more` : named;
};

const shortOf = (digest: string): string => digest.slice(0, "sha256:".length + 12);

/** `one template, two imageIDs: container "web" (registry.example/web:v2) is sha256:… in web-a, and sha256:… in web-b` */
export const mixedText = (mixed: readonly Mixed[]): string =>
  mixed
    .map(({ container, image, by }) => {
      const each = [...by]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([digest, pods]) => `${shortOf(digest)} in ${namesOf(pods)}`);
      const count = by.size === 2 ? "two imageIDs" : counted(by.size, "imageID");
      return `one template, ${count}: container ${quoted(container)}, declared by tag as ${quoted(image)}, runs ${listed(each)}`;
    })
    .join("; ");
