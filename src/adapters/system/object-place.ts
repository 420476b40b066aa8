/** The name of a file or folder that is about one object: first what it is of, for people, then a digest of exactly that. */
import { sha256Hex } from "../../wire/digest.ts";

const MOST_WORD = 40;

/** `words` are whatever a server says; `identity` is all that tells it apart. */
export const objectPlace = (
  words: readonly (string | null)[],
  identity: readonly (string | null)[],
): string => {
  const word = words
    .flatMap((one) =>
      one === null
        ? []
        : [
            one
              .toLowerCase()
              .slice(0, MOST_WORD)
              .replaceAll(/[^a-z0-9]/g, "-"),
          ],
    )
    .join(".");
  return `${word}_${sha256Hex(JSON.stringify(identity)).slice(0, 32)}`;
};
