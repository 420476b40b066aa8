/**
 * A release out of one look at a workload that is proven: the very objects around which the verdict was made, less what is
 * never written (E5). Pure. What cannot be recorded whole is not recorded, and the clause says why.
 */
import type { ClaimName } from "../domain/claim.ts";
import type { Seen } from "../domain/evidence.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Finding } from "../domain/finding.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import type { Question } from "../domain/question.ts";
import type { Release, ReleaseCluster, ReleasedConfig, UnheldConfig } from "../domain/release.ts";
import { RESOURCES } from "../domain/resource.ts";
import { EXIT_OF_VERDICT, verdictOf } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { lackOf, objectText } from "../judge/config/lack.ts";
import type { Revision } from "../judge/previous-revision.ts";
import { valueAt } from "../judge/read.ts";
import { type Named, type Unit, unitOf } from "../judge/release/unit.ts";
import { rulesOf } from "../judge/rules.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { ReleaseKey, StoredRelease } from "../ports/releases.ts";
import { verdictReport } from "../wire/api/verdict-report.ts";
import { canonicalJson } from "../wire/canonical.ts";
import { sha256Hex } from "../wire/digest.ts";
import { withoutSecrets } from "../wire/objects/without-secrets.ts";
import { NO_COMPARISON } from "./comparison.ts";
import { generationOf } from "./readings.ts";
import { heldConfigMap, heldSecret } from "./release-objects.ts";
import { reportIn, type VerdictReport } from "./verify.ts";

/** What the person tells of it. */
export interface Told {
  readonly name: string | null;
  readonly source: Release["source"];
  readonly irreversible: readonly string[];
  readonly limits: readonly string[];
}

const LOADED: ClaimName = "config-loaded";

/** What is read and judged for it: as `verify` does, and which config the containers were given. */
export const recordQuestion = (
  target: Pick<Question, "kind" | "namespace" | "name">,
  secrets: boolean,
): Question => ({
  ...target,
  secrets,
  expected: NOTHING_EXPECTED,
  claims: [LOADED],
});

/** A workload as it was looked at, judged. */
export interface Looked {
  readonly report: VerdictReport;
  readonly collection: Collection;
  readonly server: string | null;
  /** Of the target that was found, if there is one. */
  readonly unit: Unit | { readonly fault: string };
}

/** What a container was given is not always shown: that limits the record, and moves the verdict only where it is refuted. */
export const lookedOf = (collected: Collected, question: Question): Looked => {
  const collection = new Collection(collected.evidence);
  const usual = reportIn(collection, collected, { ...question, claims: null }, NO_COMPARISON);
  const { findings: more, notLookedAt } = reportIn(collection, collected, question, NO_COMPARISON);
  const loaded = more.flatMap((one) => (one.claim === LOADED ? [{ ...one, required: false }] : []));
  const findings = [...usual.findings.filter(({ claim }) => claim !== LOADED), ...loaded];
  const verdict = verdictOf(findings);
  const report = { ...usual, findings, verdict, exit: EXIT_OF_VERDICT[verdict], notLookedAt };
  const target = usual.subject;
  return {
    report,
    collection,
    server: collected.server,
    unit:
      target === null
        ? { fault: "it was not found" }
        : unitOf(
            {
              target,
              expected: question.expected,
              collection,
              at: usual.judgedAt,
              before: new Map(findings.map((one) => [one.claim, one])),
            },
            rulesOf(question).of(target),
          ),
  };
};

export interface Beside {
  readonly id: string;
  readonly told: Told;
  readonly cluster: ReleaseCluster;
  readonly key: ReleaseKey;
  /** By name; null: nobody asked for them to be read. */
  readonly secrets: ((name: string) => Known<Seen>) | null;
}

/** `looked`: of a verdict that is proven. */
export const releaseOf = (looked: Looked, beside: Beside): StoredRelease | { readonly fault: string } => {
  const { report, unit } = looked;
  const target = report.subject;
  if ("fault" in unit) return unit;
  const generation = target === null ? null : generationOf(target.raw);
  if (target === null || target.uid === null || target.namespace === null || generation === null)
    return { fault: "it does not say its UID, namespace and generation" };
  const config = configOf(unit, looked, beside);
  if ("fault" in config) return config;
  const { group, version, kind, namespace, name, uid } = target;
  const kept = withoutSecrets(unit.template, false, beside.key.bytes);
  const removed = new Map(
    kept.removed.map((pointer) => [pointer, digestAt(unit.template, kept.object, pointer)]),
  );
  const document = verdictReport({ ...report, changes: null });
  const { told, cluster } = beside;
  return {
    report: document,
    release: {
      id: beside.id,
      name: told.name,
      provenAt: report.judgedAt,
      cluster,
      target: { group, version, kind, namespace, name, uid, generation },
      template: kept.object,
      removed,
      templateDigest: sha256Hex(canonicalJson(kept.object)),
      revision: unit.revision.kind === "known" ? revisionOf(unit.revision.value) : null,
      images: unit.images,
      injected: unit.injected,
      ...config,
      keyId: removed.size > 0 || config.config.some((one) => one.kind === "Secret") ? beside.key.id : null,
      source: told.source,
      irreversible: told.irreversible,
      limits: [...limitsOf(unit, report.findings, removed), ...told.limits],
      verdict: sha256Hex(canonicalJson(document)),
    },
  };
};

const configOf = (
  unit: Unit,
  { collection, report }: Looked,
  { secrets, key }: Beside,
):
  | { readonly config: readonly ReleasedConfig[]; readonly unheld: readonly UnheldConfig[] }
  | { readonly fault: string } => {
  const config: ReleasedConfig[] = [];
  const unheld: UnheldConfig[] = [];
  for (const named of unit.named) {
    const { kind, name } = named;
    if (kind === "Secret" && secrets === null) {
      unheld.push({ kind, name, reason: "not-asked" });
      continue;
    }
    const source =
      kind === "Secret" && secrets !== null
        ? secrets(name)
        : collection.object(RESOURCES[kind], report.target.namespace, name);
    const fault = faultIn(named, source);
    if (fault !== null) return { fault };
    if (source.kind !== "known") {
      unheld.push({ kind, name, reason: "absent" });
      continue;
    }
    const held = kind === "Secret" ? heldSecret(source.value, key) : heldConfigMap(source.value);
    if (held === null)
      return { fault: `${objectText(named)} holds something that is neither text nor base64` };
    config.push(held);
  }
  return { config, unheld };
};

/** Why a release with this object would not be whole; null: nothing. */
const faultIn = (named: Named, source: Known<Seen>): string | null => {
  if (source.kind === "unreadable") return `${objectText(named)} could not be read: ${source.why}`;
  if (source.kind === "not-asked") return `${objectText(named)} is not among what was read`;
  for (const reference of named.references) {
    const lack = lackOf(reference, source);
    if (lack !== null && !reference.optional)
      return `container ${reference.container} of the template needs it, and ${lack}: the next container would not start`;
  }
  return null;
};

const revisionOf = ({ object, number }: Revision): Release["revision"] =>
  object.uid === null ? null : { kind: object.kind, name: object.name, uid: object.uid, number };

/** What files that were saved hold in place of a removed value is of a key that nobody has any more. */
const REMOVED_BEFORE = /^removed:hmac-sha256:[0-9a-f]{64}$/;
const OF_ANOTHER_KEY = "of another key";

const digestAt = (template: JsonObject, kept: JsonObject, pointer: string): string => {
  const path = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const was = valueIn(template, path);
  return typeof was === "string" && REMOVED_BEFORE.test(was) ? OF_ANOTHER_KEY : String(valueIn(kept, path));
};

const valueIn = (value: JsonValue, path: readonly string[]): JsonValue | undefined => {
  let at: JsonValue | undefined = value;
  for (const part of path) at = valueAt(at, [Array.isArray(at) ? Number(part) : part]);
  return at;
};

const limitsOf = (
  unit: Unit,
  findings: readonly Finding[],
  removed: ReadonlyMap<string, string>,
): readonly string[] => {
  const loaded = findings.find(({ claim }) => claim === LOADED);
  const isOpen = loaded !== undefined && loaded.finding !== "proven" && unit.named.length > 0;
  const { revision } = unit;
  return [
    ...(isOpen
      ? [
          `that every container was given the config recorded here is not shown (${LOADED}: ${loaded.sentence})`,
        ]
      : []),
    ...(unit.held === 0
      ? []
      : [
          `${unit.held} ${unit.held === 1 ? "Pod is" : "Pods are"} held at another revision (partition), which is no part of this release`,
        ]),
    ...unit.untraceable.map((what) => `not recorded, since asfound cannot follow it: ${what}`),
    ...(removed.size === 0
      ? []
      : [
          `${removed.size} literal ${removed.size === 1 ? "value is" : "values are"} not in the template (a keyed digest stands there): to restore it takes the revision that the cluster keeps, or the manifests`,
        ]),
    ...(revision.kind === "known"
      ? []
      : [
          `which revision of the cluster holds this template is not known${revision.kind === "unreadable" ? `: ${revision.why}` : ""}`,
        ]),
  ];
};
