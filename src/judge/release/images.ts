/** Which image each container of a template runs, by digest, as the runtimes of all its Pods say (`status.imageID`). */
import type { Seen } from "../../domain/evidence.ts";
import type { ReleasedImage } from "../../domain/release.ts";
import { hint, itemsAt, type Path, TEXT } from "../read.ts";
import { quoted } from "../words.ts";

export interface RunImages {
  readonly images: readonly ReleasedImage[];
  /** Containers of the Pods that the template does not have. */
  readonly injected: readonly string[];
}

const LISTS = [
  ["initContainers", "initContainerStatuses"],
  ["containers", "containerStatuses"],
] as const;

/** `pods`: those of its template. The fault is a clause: what runs is not told of every one of them. */
export const imagesOf = (
  target: Seen,
  template: Path,
  pods: readonly Seen[],
): RunImages | { readonly fault: string } => {
  const images: ReleasedImage[] = [];
  const declared = new Set<string>();
  const there = new Set<string>();
  for (const [field, statuses] of LISTS) {
    for (const container of itemsAt(target.raw, [...template, "spec", field])) {
      const name = hint(container, ["name"], TEXT);
      const image = hint(container, ["image"], TEXT);
      if (name === undefined || image === undefined)
        return { fault: "a container of its template has no name or no image" };
      const digests = new Set<string>();
      for (const pod of pods) {
        const digest = runIn(pod, statuses, name);
        if (digest === undefined)
          return {
            fault: `which image container ${quoted(name)} of Pod ${pod.name} runs is not told by its imageID`,
          };
        digests.add(digest);
      }
      declared.add(name);
      images.push({ container: name, image, digests: [...digests].sort() });
    }
    for (const pod of pods)
      for (const container of itemsAt(pod.raw, ["spec", field])) {
        const name = hint(container, ["name"], TEXT);
        if (name !== undefined) there.add(name);
      }
  }
  return { images, injected: [...there].filter((name) => !declared.has(name)).sort() };
};

const runIn = (pod: Seen, statuses: string, container: string): string | undefined => {
  const status = itemsAt(pod.raw, ["status", statuses]).find(
    (one) => hint(one, ["name"], TEXT) === container,
  );
  const id = hint(status, ["imageID"], TEXT);
  return id === undefined ? undefined : /sha256:[0-9a-f]{64}$/.exec(id)?.[0];
};
