/** The Verification file that expects exactly a release (DESIGN §9). Pure. JSON within YAML, so that nothing in it is taken for another value. */

import { iso } from "../../domain/ids.ts";
import type { Release } from "../../domain/release.ts";

export interface VerificationText {
  readonly text: string;
  /** What the file cannot expect, each a sentence. */
  readonly limits: readonly string[];
}

export const verificationOf = (release: Release): VerificationText => {
  const { target, images, injected, config, source } = release;
  const moved = images.filter(({ digests }) => digests.length !== 1);
  const maps = config.filter(({ kind }) => kind === "ConfigMap");
  const named = release.name === null ? release.id : `${release.name} (${release.id})`;
  const expected = [
    ...entries(
      "images",
      images.flatMap(({ container, digests: [digest, ...others] }) =>
        digest === undefined || others.length > 0 ? [] : [`${json(container)}: ${json(digest)}`],
      ),
    ),
    ...(injected.length === 0 ? [] : [`  injected: ${json(injected)}`]),
    ...entries(
      "config",
      maps.map(({ name, digest }) => `${json(name)}: { sha256: ${json(digest)} }`),
    ),
  ];
  const text = [
    `# Release ${printableComment(named)}, proven at ${iso(release.provenAt)}${source === null ? "" : `, of commit ${source.commit}`}.`,
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Verification",
    `target: { kind: ${json(`${target.kind}.${target.group}`)}, name: ${json(target.name)}, namespace: ${json(target.namespace)} }`,
    "expect:",
    ...expected,
  ];
  return {
    text: `${text.join("\n")}\n`,
    limits: [
      ...moved.map(
        ({ container, digests }) =>
          `container ${container} ran ${digests.length} digests, so the file expects none of it`,
      ),
      ...(release.config.length === maps.length && release.unheld.length === 0
        ? []
        : ["Secrets are not in the file: their digests are of use with the releases' own key alone"]),
    ],
  };
};

const entries = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const json = (value: string | readonly string[]): string => JSON.stringify(value);

/** A comment ends with its line. */
const printableComment = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{Nd}._+()\- ]/gu, "?");
