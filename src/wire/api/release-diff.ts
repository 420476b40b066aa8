/** `release diff -o json`: kind `ReleaseDiff`. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { Release, ReleasedImage } from "../../domain/release.ts";
import { document } from "./document.ts";

type Compared = "same" | "differs" | "added" | "removed" | "open";

interface LinesInput {
  readonly runs: readonly (readonly { readonly sign: "-" | "+" | " "; readonly text: string }[])[];
  readonly left: number;
}

export interface ReleaseDifferenceInput {
  readonly statement: string;
  readonly images: readonly {
    readonly container: string;
    readonly compared: Compared;
    readonly was: ReleasedImage | null;
    readonly is: ReleasedImage | null;
  }[];
  readonly template: readonly {
    readonly path: string;
    readonly compared: Compared;
    readonly was: string | null;
    readonly is: string | null;
  }[];
  readonly config: readonly {
    readonly kind: "ConfigMap" | "Secret";
    readonly name: string;
    readonly compared: Compared;
    readonly recreated: boolean;
    readonly says: readonly string[];
    readonly was: string | null;
    readonly is: string | null;
    readonly keys: readonly {
      readonly key: string;
      readonly compared: Compared;
      readonly lines: LinesInput | null;
    }[];
  }[];
  readonly around: readonly string[];
}

export interface ReleaseDiffInput {
  readonly was: { readonly release: Release; readonly place: string };
  readonly is: { readonly release: Release; readonly place: string };
  readonly difference: ReleaseDifferenceInput;
}

export const releaseDiff = ({ was, is, difference }: ReleaseDiffInput): JsonObject => {
  const { statement, images, template, config, around } = difference;
  return document("ReleaseDiff", {
    was: named(was),
    is: named(is),
    statement,
    images: images.map((one) => ({ ...one, was: imageOf(one.was), is: imageOf(one.is) })),
    template: template.map((one) => ({ ...one })),
    config: config.map(configDifference),
    around: [...around],
  });
};

export const configDifference = (one: ReleaseDifferenceInput["config"][number]): JsonObject => ({
  ...one,
  says: [...one.says],
  keys: one.keys.map(({ key, compared, lines }) => ({
    key,
    compared,
    lines:
      lines === null
        ? null
        : { runs: lines.runs.map((run) => run.map((line) => ({ ...line }))), left: lines.left },
  })),
});

const named = ({ release, place }: ReleaseDiffInput["was"]): JsonObject => ({
  id: release.id,
  name: release.name,
  place,
});

const imageOf = (image: ReleasedImage | null): JsonObject | null =>
  image === null ? null : { image: image.image, digests: [...image.digests] };
