/** What an apply would change now, by the server's own rehearsals. Secrets are not in it: not Secret data, nor literals of env. */
import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { looksSecret } from "../../domain/secret-name.ts";
import type { CallIo, Previewed, Question } from "../../ports/provider.ts";
import { withoutSecrets } from "../../wire/objects/without-secrets.ts";
import { cleanerOf } from "./cleaner.ts";
import { type Difference, differences } from "./compare.ts";
import { declaredObjects } from "./declared.ts";
import { markOf, nameOf, placeOf } from "./inventory.ts";
import { type Incarnation, incarnationOf, type Standing, standingAt } from "./known.ts";
import { because, homeFault, rehearsable, strangerFault } from "./preflight.ts";
import { type Parts, type Reach, reachOf } from "./reach.ts";
import { eachOf } from "./several.ts";
import { parse } from "./spec.ts";
import { isVersionOfConfig, keptForRollback } from "./superseded.ts";
import { marked, type Target, targetsOf } from "./targets.ts";
import { recordedIn } from "./tracked.ts";

/** For a first create, whose key is not made yet. */
const NO_KEY_YET = "asfound-not-made-yet";
const MOST_LINES = 20;
const MOST_TEXT = 80;

const unknown = (of: string, why: string): Previewed => ({ what: "unknown", of, lines: [why] });

const shown = (value: JsonValue | undefined, at: string): string => {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  const name = at.split(/[.[\]]/).findLast((part) => part !== "" && !/^\d+$/.test(part)) ?? "";
  if (text.includes("removed:hmac-sha256:") || looksSecret(name)) return "[secret]";
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}…`;
};

const linesOf = (all: readonly Difference[]): readonly string[] => {
  const lines = all.slice(0, MOST_LINES).map(({ at, from, to }) => {
    const [before, after] = [shown(from, at), shown(to, at)];
    return before === after ? `${at}: ${before} → another one` : `${at}: ${before} → ${after}`;
  });
  return all.length > MOST_LINES ? [...lines, `and ${all.length - MOST_LINES} more`] : lines;
};

const isSecret = (object: JsonObject): boolean => object["kind"] === "Secret";

const one = async (
  reach: Reach,
  target: Target,
  { mark }: Incarnation,
  standing: Standing,
): Promise<Previewed> => {
  const of = nameOf(target.ref);
  const stranger = strangerFault(reach, [target], standing);
  if (stranger !== undefined) return { what: "refused", of, lines: [stranger] };
  const there = standing.there.get(placeOf(target.ref));
  const object = marked(target, mark, there?.uid ?? null);
  const { force } = reach.spec;
  const rehearsed = await reach.writer.rehearse({ ref: target.ref, object, force }, reach.limits());
  if (rehearsed.kind === "refused") return { what: "refused", of, lines: [because(rehearsed)] };
  if (rehearsed.kind !== "applied") return unknown(of, rehearsed.sentence);
  if (there === undefined) return { what: "create", of, lines: [] };
  const key = randomBytes(32);
  const [before, after] = [there.object, rehearsed.object].map(
    (each) => withoutSecrets(each, isSecret(each), key).object,
  );
  const lines = linesOf(differences(before, after));
  return { what: lines.length === 0 ? "leave" : "change", of, lines };
};

const previewAll = async (
  reach: Reach,
  incarnation: Incarnation,
  targets: readonly Target[],
): Promise<readonly Previewed[]> => {
  const standing = await standingAt(
    reach,
    incarnation,
    targets.map(({ ref }) => ref),
  );
  if (!("there" in standing)) return [unknown("the objects", standing.sentence)];
  const fault = homeFault(reach, targets, incarnation);
  const canRehearse = new Set(rehearsable(targets, standing));
  const previews: Previewed[] =
    fault === undefined ? [] : [{ what: "refused", of: "the inventory", lines: [fault] }];
  previews.push(
    ...(await eachOf(targets, async (target): Promise<Previewed> => {
      if (canRehearse.has(target)) return one(reach, target, incarnation, standing);
      return { what: "create", of: nameOf(target.ref), lines: [] };
    })),
  );
  const declared = new Set(targets.map(({ ref }) => placeOf(ref)));
  const left = [...standing.there.values()].filter(
    (there) => !declared.has(placeOf(there.ref)) && standing.whose(there) === "ours",
  );
  const superseded = left.filter(isVersionOfConfig);
  const kept = superseded.length === 0 ? null : await keptForRollback(reach, superseded);
  for (const there of left) {
    const why = kept?.get(placeOf(there.ref));
    const goes = reach.spec.prune && there.mark === incarnation.mark && why === undefined;
    const line = why === undefined ? "it left the manifests" : `kept for rollback: ${why}`;
    previews.push({ what: goes ? "remove" : "leave", of: nameOf(there.ref), lines: [line] });
  }
  return previews.filter(({ what, lines }) => what !== "leave" || lines.length > 0);
};

export const preview = async (
  parts: Parts,
  question: Question,
  io: CallIo,
): Promise<readonly Previewed[]> => {
  const parsed = parse(question.inputs, false);
  if ("faults" in parsed) return [unknown("with", parsed.faults.map(({ message }) => message).join("; "))];
  const read = await declaredObjects(parts, parsed.spec, io.baseDirectory);
  if ("fault" in read) return [unknown("the manifests", read.fault)];
  const { identity, key, outputs } = question;
  const mark = identity === null ? (key === null ? NO_KEY_YET : markOf(key)) : identity.id;
  const reach = await reachOf(parts, parsed.spec, io, recordedIn(outputs, mark)?.cluster ?? null);
  if ("fault" in reach) return [unknown("the cluster", reach.fault)];
  try {
    const resolved = await targetsOf(reach, read.objects);
    if ("fault" in resolved) return [unknown("the manifests", resolved.fault)];
    const incarnation = await incarnationOf(reach, mark, outputs);
    if (!("mark" in incarnation)) return [unknown("the inventory", incarnation.sentence)];
    const clean = cleanerOf(read.objects);
    const all = await previewAll(reach, incarnation, resolved.targets);
    return all.map((each) => ({ ...each, lines: each.lines.map(clean) }));
  } finally {
    reach.cluster.close();
  }
};
