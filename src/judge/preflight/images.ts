/**
 * `images`: a template names an image by a tag or by its digest. Which digest a tag has by now, only a registry says, and
 * none is asked: a moved tag would bring another image under the old name.
 */
import type { Check } from "../../domain/rollback.ts";
import { hint, LIST, type Path, TEXT, valueAt } from "../read.ts";
import { counted, listed, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";

const LISTS = ["initContainers", "containers"] as const;

export const images = ({ target }: Given): Check => {
  const checking = new Checking("images");
  const pinned: string[] = [];
  const tagged: string[] = [];
  for (const list of LISTS) {
    const path: Path = [...target.path, "spec", list];
    if (list === "initContainers" && valueAt(target.holder.raw, path) === undefined) continue;
    const containers = checking.need(target.holder, path, LIST);
    if (containers === undefined) continue;
    for (const at of containers.keys()) {
      const image = checking.need(target.holder, [...path, at, "image"], TEXT);
      if (image === undefined) continue;
      const name = hint(containers[at], ["name"], TEXT) ?? image;
      if (/@sha256:[0-9a-f]{64}$/.test(image)) pinned.push(name);
      else tagged.push(`${quoted(name)} (${quoted(image)}${ranAs(name, target.release)})`);
    }
  }
  if (checking.missing.length > 0) return checking.unknown();
  if (tagged.length > 0)
    return checking.undetermined(
      "by-tag",
      `a moved tag would bring another image: ${listed(tagged)}; which digest a tag has by now is not asked of any registry`,
      "name images by digest, so that a rollback brings the very bytes back",
    );
  return checking.proven(
    "by-digest",
    `${counted(pinned.length, "image")} of the target ${pinned.length === 1 ? "is" : "are"} named by digest`,
  );
};

const ranAs = (name: string, release: Given["target"]["release"]): string => {
  const image = release?.images.find(({ container }) => container === name);
  return image === undefined || image.digests.length === 0 ? "" : `, which ran as ${listed(image.digests)}`;
};
