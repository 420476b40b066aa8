/** Which image each container of a Pod runs, by its runtime's word: init containers, sidecars and ephemeral ones included. */
import type { Seen } from "../domain/evidence.ts";
import { hint, itemsAt, type Path, TEXT, valueAt } from "./read.ts";

export interface Ran {
  readonly name: string;
  /** Where its status stands. */
  readonly path: Path;
  readonly imageId: string | undefined;
  /** An ephemeral one that has ended (kubectl debug) is no part of what runs. */
  readonly counts: boolean;
}

const LISTS = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;

export const ranIn = ({ raw }: Seen): readonly Ran[] =>
  LISTS.flatMap((field) =>
    itemsAt(raw, ["status", field]).flatMap((one, at): readonly Ran[] => {
      const name = hint(one, ["name"], TEXT);
      if (name === undefined) return [];
      const counts =
        field !== "ephemeralContainerStatuses" || valueAt(one, ["state", "running"]) !== undefined;
      return [{ name, path: ["status", field, at], imageId: hint(one, ["imageID"], TEXT), counts }];
    }),
  );

export const digestIn = (imageId: string): string | undefined => /sha256:[0-9a-f]{64}$/.exec(imageId)?.[0];

/** A manifest's digest stands behind its repository; an image that was loaded on its Node has the digest of its config alone. */
export const isOfManifest = (imageId: string): boolean => imageId.includes("@");
