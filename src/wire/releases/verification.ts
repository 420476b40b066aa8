/** The Verification file that expects exactly a release (DESIGN §9). Pure. JSON within YAML, so that nothing in it is taken for another value. */

import type { ClaimName } from "../../domain/claim.ts";
import { iso } from "../../domain/ids.ts";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Release } from "../../domain/release.ts";
import { expectationOf } from "./expectation.ts";

export interface VerificationText {
  readonly text: string;
  /** What the file cannot expect, each a sentence. */
  readonly limits: readonly string[];
}

/** `report`: that found it proven: what it needed then, it needs again. */
export const verificationOf = (release: Release, report: JsonObject): VerificationText => {
  const { target, source } = release;
  const { images, injected, config, notCounted, limits } = expectationOf(release);
  const named = release.name === null ? release.id : `${release.name} (${release.id})`;
  const expected = [
    ...entries(
      "images",
      [...images].map(([container, digest]) => `${json(container)}: ${json(digest)}`),
    ),
    ...(injected.length === 0 ? [] : [`  injected: ${json(injected)}`]),
    ...entries(
      "config",
      [...config].map(([name, { sha256 }]) => `${json(name)}: { sha256: ${json(sha256)} }`),
    ),
  ];
  const text = [
    `# Release ${printableComment(named)}, proven at ${iso(release.provenAt)}${source === null ? "" : `, of commit ${source.commit}`}.`,
    "apiVersion: asfound.dev/v1alpha1",
    "kind: Verification",
    `target: { kind: ${json(`${target.kind}.${target.group}`)}, name: ${json(target.name)}, namespace: ${json(target.namespace)} }`,
    "expect:",
    ...expected,
    `claims: ${json(claimsOf(report, config.size > 0, notCounted))}`,
  ];
  return { text: `${text.join("\n")}\n`, limits };
};

const claimsOf = (
  report: JsonObject,
  hasConfig: boolean,
  notCounted: readonly ClaimName[],
): readonly string[] => {
  const { findings } = report;
  const needed = (Array.isArray(findings) ? findings : []).flatMap((one) => {
    const claim = isJsonObject(one) && one["required"] === true ? one["claim"] : undefined;
    return typeof claim === "string" ? [claim] : [];
  });
  const config: readonly ClaimName[] = hasConfig ? ["config-loaded", "config-bound"] : [];
  return [...new Set([...needed, "artifact", ...config.filter((claim) => !notCounted.includes(claim))])];
};

const entries = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${name}:`, ...lines.map((line) => `    ${line}`)];

const json = (value: string | readonly string[]): string => JSON.stringify(value);

/** A comment ends with its line. */
const printableComment = (text: string): string => text.replaceAll(/[^\p{L}\p{M}\p{Nd}._+()\- ]/gu, "?");
