/** `release ls -o json`: kind `ReleaseList`. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import type { Release } from "../../domain/release.ts";
import { releaseDocument } from "../releases/document.ts";
import { document } from "./document.ts";

export interface ReleaseListInput {
  readonly place: string;
  readonly releases: readonly { readonly release: Release }[];
  readonly altered: readonly { readonly id: string; readonly fault: string }[];
  readonly unfinished: readonly string[];
}

export const releaseList = ({ place, releases, altered, unfinished }: ReleaseListInput): JsonObject =>
  document("ReleaseList", {
    place,
    items: releases.map(({ release }) => releaseDocument(release)),
    altered: altered.map((one) => ({ ...one })),
    unfinished: [...unfinished],
  });
