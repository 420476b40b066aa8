/** What a recorded release expects of its workload: for `verify --release`, and for the file of `release show -o verification`. Pure. */
import type { ClaimName } from "../../domain/claim.ts";
import type { ExpectedConfig } from "../../domain/config.ts";
import type { Release } from "../../domain/release.ts";

export interface ReleaseExpectation {
  /** By container, of those that ran one digest. */
  readonly images: ReadonlyMap<string, string>;
  /** Containers that the template does not have, or of which no digest can be expected. */
  readonly injected: readonly string[];
  readonly config: ReadonlyMap<string, ExpectedConfig>;
  /**
   * That the next container would load the config too (`config-bound`) cannot be shown of what can be edited in place, so it
   * is not held against it there.
   */
  readonly notCounted: readonly ClaimName[];
  /** What is not expected, each a sentence. */
  readonly limits: readonly string[];
}

const MOST_NAMES = 5;

export const expectationOf = (release: Release): ReleaseExpectation => {
  const { images, injected, config, unheld, name } = release;
  const moved = images.filter(({ digests }) => digests.length !== 1);
  const maps = config.filter(({ kind }) => kind === "ConfigMap");
  const mutable = maps.filter(({ immutable }) => !immutable);
  const named = mutable.slice(0, MOST_NAMES).map((one) => one.name);
  return {
    images: new Map(
      images.flatMap(({ container, digests: [digest, ...others] }) =>
        digest === undefined || others.length > 0 ? [] : [[container, digest] as const],
      ),
    ),
    injected: [...injected, ...moved.map(({ container }) => container)],
    config: new Map(maps.map((one) => [one.name, { sha256: one.digest, version: name }])),
    notCounted: mutable.length === 0 ? [] : ["config-bound"],
    limits: [
      ...(mutable.length === 0
        ? []
        : [`config-bound is not required, since it can be edited in place: ConfigMap ${named.join(", ")}`]),
      ...moved.map(
        ({ container, digests }) =>
          `container ${container} ran ${digests.length} digests, so none of them is expected of it`,
      ),
      ...(config.length === maps.length && unheld.length === 0
        ? []
        : [
            "it names Secrets: nothing is expected of what they hold, and which keys they have is read only with --secrets",
          ]),
    ],
  };
};
