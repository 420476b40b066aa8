/** The Verification file that expects exactly a release (DESIGN §9). Pure. JSON within YAML, so that nothing in it is taken for another value. */

import { iso } from "../../domain/ids.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Release, ReleasedConfig } from "../../domain/release.ts";

export interface VerificationText {
  readonly text: string;
  /** What the file cannot expect, each a sentence. */
  readonly limits: readonly string[];
}

/**
 * `report`: that found it proven: what it needed then, it needs again. That the next container would load the config too
 * (`config-bound`) cannot be shown of what can be edited in place, so it is required where all of it is immutable.
 */
export const verificationOf = (release: Release, report: JsonObject): VerificationText => {
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
    `claims: ${json(claimsOf(report, maps))}`,
  ];
  const mutable = maps.filter(({ immutable }) => !immutable).map(({ name }) => name);
  return {
    text: `${text.join("\n")}\n`,
    limits: [
      ...(mutable.length === 0
        ? []
        : [
            `config-bound is not required, since it can be edited in place: ConfigMap ${mutable.slice(0, 5).join(", ")}`,
          ]),
      ...moved.map(
        ({ container, digests }) =>
          `container ${container} ran ${digests.length} digests, so the file expects none of it`,
      ),
      ...(release.config.length === maps.length && release.unheld.length === 0
        ? []
        : [
            "it names Secrets: they are not in the file, and verify -f reads which keys they have only with --secrets",
          ]),
    ],
  };
};

const claimsOf = (report: JsonObject, maps: readonly ReleasedConfig[]): readonly string[] => {
  const { findings } = report;
  const needed = (Array.isArray(findings) ? findings : []).flatMap((one) => {
    const claim = isJsonObject(one) && one["required"] === true ? one["claim"] : undefined;
    return typeof claim === "string" ? [claim] : [];
  });
  const config = maps.length === 0 ? [] : ["config-loaded"];
  const bound = maps.length > 0 && maps.every(({ immutable }) => immutable) ? ["config-bound"] : [];
  return [...new Set([...needed, "artifact", ...config, ...bound])];
};

const entries = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const json = (value: string | readonly string[]): string => JSON.stringify(value);

/** A comment ends with its line. */
const printableComment = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{Nd}._+()\- ]/gu, "?");
