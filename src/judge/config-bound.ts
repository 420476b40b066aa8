/**
 * `config-bound`: the next container would be given what the running ones were, and what is expected. It is where every object
 * is immutable (an edit is refused by the API server), or a checksum on the template is the digest of what it holds; and it is
 * not where an object is missing, was made again since a running container started, or holds something else than that one was
 * given: a time bomb, which goes off with the next Pod and not with the edit.
 */
import type { Seen } from "../domain/evidence.ts";
import type { Known } from "../domain/known.ts";
import { RESOURCES } from "../domain/resource.ts";
import type { Case, Rule } from "./case.ts";
import { type Checksum, checksumsOf, isTied } from "./config/checksums.ts";
import { type Consumption, consumptionsOf } from "./config/consumptions.ts";
import { citeContent, contentOf, expectedText, shortly } from "./config/content.ts";
import { lackOf, objectText } from "./config/lack.ts";
import type { Traced } from "./config/loaded.ts";
import { configRule, isWhole, unreferenced } from "./config/rule.ts";
import { tracePods } from "./config/tracing.ts";
import { whereOf } from "./config-loaded.ts";
import type { Found, Inquiry } from "./inquiry.ts";
import type { PopulationFor } from "./old-gone.ts";
import { isActive } from "./pod.ts";
import { FLAG, hint, type Path } from "./read.ts";
import { counted, listed, nameOf, quoted } from "./words.ts";

/** `podSpec`: where the spec of the next Pod stands in the target. */
export const configBound = (podSpec: Path, populationFor: PopulationFor): Rule =>
  configRule("config-bound", populationFor, (inquiry, given, pods) => {
    const read = consumptionsOf(given.target, podSpec);
    if (!isWhole(inquiry, read)) return inquiry.unknown();
    const own = read.all.filter(({ isServiceAccount }) => !isServiceAccount);
    const nowhere = unreferenced(given, own);
    if (nowhere !== null) return inquiry.refuted("not-referenced", nowhere);
    if (own.length === 0)
      return inquiry.undetermined(
        "takes-none",
        "no container of its template takes anything from a ConfigMap or Secret",
      );
    return bound(inquiry, given, { own, checksums: checksumsOf(given, podSpec, own) }, pods);
  });

interface Template {
  readonly own: readonly Consumption[];
  readonly checksums: readonly Checksum[];
}

const bound = (inquiry: Inquiry, given: Case, { own, checksums }: Template, pods: readonly Seen[]): Found => {
  const lacking = own.flatMap((one) => {
    const why = one.optional ? null : lackOf(one, sourceOf(given, one));
    return why === null ? [] : [why];
  });
  for (const one of own) inquiry.cite(given.target, one.path);
  if (lacking.length > 0)
    return inquiry.refuted(
      "reference-missing",
      `the next container would not start: ${listed([...new Set(lacking)].sort())}`,
    );
  const { traced } = tracePods(pods, given.collection, given.at);
  const other = otherThanExpected(inquiry, given, own);
  const bombs = traced
    .filter(({ state }) => BOMBS.has(state))
    .sort((a, b) => (whereOf(a) < whereOf(b) ? -1 : 1));
  if (bombs.length > 0) return timeBomb(inquiry, given, bombs, other);
  if (other.length > 0)
    return inquiry.refuted(
      "other-content",
      `a time bomb: the next container would be given something else than what is expected: ${listed(other)}`,
    );
  const earlier = checksums.filter(({ on, of }) => on === "template" && of.kind === "earlier");
  if (earlier.length > 0) {
    for (const { path } of earlier) inquiry.cite(given.target, path);
    return inquiry.refuted(
      "checksum-of-earlier",
      `a time bomb: the template was made for another content than the next container would be given: ${listed(earlier.map(({ says }) => says))}`,
    );
  }
  if (!pods.some(isActive))
    return inquiry.undetermined(
      "vacuous",
      "no Pod of this template runs, so there is nothing that the next one could differ from",
    );
  const loose: string[] = [];
  const tied: Consumption[] = [];
  for (const one of own) {
    const source = sourceOf(given, one);
    if (source.kind !== "known") {
      if (one.optional && source.kind === "absent")
        loose.push(`${objectText(one)} (optional, and not there)`);
      else
        inquiry.lack(
          nameOf({ kind: one.kind, namespace: given.target.namespace, name: quoted(one.name) }),
          null,
          source,
        );
      continue;
    }
    if (source.value.uid === null) inquiry.miss(`${nameOf(source.value)} metadata.uid`);
    else if (hint(source.value.raw, ["immutable"], FLAG) !== true) {
      if (isTied(one, checksums)) tied.push(one);
      else loose.push(objectText(one));
    } else {
      // Held by both, it rests on neither alone.
      if (!isTied(one, checksums)) inquiry.cite(source.value, ["immutable"]);
      inquiry.cite(source.value, ["metadata", "uid"]);
    }
  }
  if (inquiry.missing.length > 0) return inquiry.unknown();
  if (loose.length > 0)
    return inquiry.undetermined(
      "mutable",
      `nothing holds ${listed([...new Set(loose)].sort())} as it is: an edit reaches the next container without a rollout`,
    );
  const unshown = traced
    .filter(
      ({ pod, consumption, state }) => isActive(pod) && !consumption.isServiceAccount && state !== "fresh",
    )
    .sort((a, b) => (whereOf(a) < whereOf(b) ? -1 : 1));
  const [one] = unshown;
  if (one !== undefined)
    return inquiry.undetermined(
      "running-not-shown",
      `the next container is given what ${tied.length === 0 ? "immutable objects hold" : "its template was made for"}; that the running ones were is not shown of ${counted(unshown.length, "reference")}: ${whereOf(one)}: ${one.why}`,
    );
  for (const { cites } of traced) for (const [object, path] of cites) inquiry.cite(object, path);
  if (tied.length > 0) return byChecksum(inquiry, given, own.length, checksums, tied);
  inquiry.limit("an immutable object can still be deleted and made again");
  return inquiry.proven(
    "immutable",
    `${counted(own.length, "reference")} of its template ${own.length === 1 ? "is" : "are"} to immutable objects`,
  );
};

/** The template was made for what is there now: the next container is given it, as long as nobody edits it. */
const byChecksum = (
  inquiry: Inquiry,
  { target, collection }: Case,
  references: number,
  checksums: readonly Checksum[],
  tied: readonly Consumption[],
): Found => {
  const ties = checksums.filter(({ on, of }) => on === "template" && TIES.has(of.kind));
  // All of them as one: where two tie the same, neither is needed by itself.
  for (const { path } of ties.slice(0, 1)) inquiry.cite(target, path.slice(0, -1));
  for (const { name } of tied) {
    const source = collection.object(RESOURCES.ConfigMap, target.namespace, name);
    if (source.kind !== "known") continue;
    citeContent(inquiry, source.value);
    inquiry.cite(source.value, ["metadata", "uid"]);
  }
  inquiry.limit(
    "a checksum on the template holds nothing as it is: an edit of the object reaches the next container without a rollout, and shows then as a checksum that differs",
  );
  return inquiry.proven(
    "tied-by-checksum",
    `${counted(references, "reference")} of its template ${references === 1 ? "is" : "are"} to immutable objects, or to what its checksum says: ${listed(ties.map(({ says }) => says))}`,
  );
};

const TIES: ReadonlySet<Checksum["of"]["kind"]> = new Set(["all", "object", "key"]);

const BOMBS: ReadonlySet<Traced["state"]> = new Set(["will-change-on-restart", "stale"]);

/** `other`: what is expected and not there. */
const timeBomb = (
  inquiry: Inquiry,
  { expected }: Case,
  bombs: readonly Traced[],
  other: readonly string[],
): Found => {
  for (const one of bombs) for (const [object, path] of one.cites) inquiry.cite(object, path);
  const [first] = bombs;
  const where = first === undefined ? "" : `: ${whereOf(first)}: ${first.why}`;
  const isMade = bombs.some(({ state }) => state === "will-change-on-restart");
  // C4: it is another object whatever it holds; what the one before held is not in the cluster any more.
  if (isMade)
    inquiry.limit(
      "what the earlier object held is not told by the cluster: where a recorder (asfound watch) held the same bytes, it is no time bomb",
    );
  const isExpected = bombs.every(({ consumption }) => expected.config.has(consumption.name));
  const more =
    other.length > 0
      ? `; ${listed(other)}`
      : isExpected
        ? "; what is there now is what is expected, so that their next start cures it"
        : "";
  return inquiry.refuted(
    "time-bomb",
    `a time bomb: the next container would be given ${isMade ? "another object" : "another content"} than ${counted(bombs.length, "reference")} of the running ones ${bombs.length === 1 ? "was" : "were"}${isMade ? ", unless its node still keeps that one" : ""}${where}${more}`,
  );
};

/** What is expected of each object, and what it holds instead. */
const otherThanExpected = (inquiry: Inquiry, given: Case, own: readonly Consumption[]): readonly string[] => {
  const { config } = given.expected;
  const names = [...new Set(own.flatMap(({ kind, name }) => (kind === "ConfigMap" ? [name] : [])))].sort();
  return names.flatMap((name) => {
    const expected = config.get(name);
    const source = given.collection.object(RESOURCES.ConfigMap, given.target.namespace, name);
    if (expected === undefined || source.kind !== "known") return [];
    const content = contentOf(source.value);
    if (content === null) {
      inquiry.miss(`what ${nameOf(source.value)} holds`);
      return [];
    }
    citeContent(inquiry, source.value);
    return content.sha256 === expected.sha256
      ? []
      : [
          `ConfigMap ${quoted(name)} holds ${shortly(content.sha256)}, and ${expectedText(expected)} is expected`,
        ];
  });
};

const sourceOf = ({ target, collection }: Case, { kind, name }: Consumption): Known<Seen> =>
  collection.object(RESOURCES[kind], target.namespace, name);
