/**
 * How a template names its images. Rules: `NAME@sha256:…` fixes the image, whatever tag stands beside it; a tag fixes none, and no
 * tag is `latest`; imagePullPolicy is Always where the tag is latest or left out, else IfNotPresent (core/v1 Container).
 */
import type { Seen } from "../domain/evidence.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Inquiry } from "./inquiry.ts";
import { hint, itemsAt, LIST, type Path, TEXT } from "./read.ts";
import { quoted } from "./words.ts";

export interface DeclaredImage {
  readonly name: string;
  /** As it is written; undefined: it is not a text. */
  readonly image: string | undefined;
  readonly pullPolicy: string | undefined;
}

const imageIn = (one: JsonValue): readonly DeclaredImage[] => {
  const name = hint(one, ["name"], TEXT);
  if (name === undefined) return [];
  return [{ name, image: hint(one, ["image"], TEXT), pullPolicy: hint(one, ["imagePullPolicy"], TEXT) }];
};

/** Of init containers and sidecars too; undefined: the containers are missing, and named. */
export const declaredImages = (
  inquiry: Inquiry,
  target: Seen,
  template: Path,
): readonly DeclaredImage[] | undefined => {
  const containers = inquiry.need(target, [...template, "spec", "containers"], LIST);
  return containers === undefined
    ? undefined
    : [...containers, ...itemsAt(target.raw, [...template, "spec", "initContainers"])].flatMap(imageIn);
};

export const isFixed = (image: string): boolean => /@sha256:[0-9a-f]{64}$/.test(image);

const tagOf = (image: string): string | null => {
  const tag = /:([^:/@]+)$/.exec(image)?.[1];
  return tag === undefined ? null : tag;
};

/** What a reference by tag leaves open; nothing where the image is fixed. */
export const byTag = ({ name, image, pullPolicy }: DeclaredImage): readonly string[] => {
  if (image === undefined || isFixed(image)) return [];
  const tag = tagOf(image);
  const named = tag === null ? "without a tag, which is latest" : `by tag (${quoted(tag)})`;
  const isAlways =
    pullPolicy === "Always" || (pullPolicy === undefined && (tag === null || tag === "latest"));
  const next = isAlways
    ? "each start pulls what it names then"
    : "a Node that has an image of that name starts it, another one pulls what it names then";
  return [`container ${quoted(name)} is declared ${named}, which can be moved: ${next}`];
};
