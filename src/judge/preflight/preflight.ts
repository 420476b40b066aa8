/**
 * The preflight of a rollback: what is asked before anything is changed, check by check, and what would become of each
 * object of config. Pure: from the evidence, the recorded release, and what the person asked for (V2).
 */

import type { Seen } from "../../domain/evidence.ts";
import type { Judgement } from "../../domain/finding.ts";
import { CHECKS, type Check, type CheckName, type ConfigStep } from "../../domain/rollback.ts";
import { verdictOf } from "../../domain/verdict.ts";
import { FLAG, hint, TEXT } from "../read.ts";
import { capacity } from "./capacity.ts";
import { Checking } from "./checking.ts";
import { content } from "./content.ts";
import { disruptionBudget } from "./disruption-budget.ts";
import type { Given, Means } from "./given.ts";
import { guard } from "./guard.ts";
import { identity } from "./identity.ts";
import { images } from "./images.ts";
import { irreversible } from "./irreversible.ts";
import { needsOf } from "./needs.ts";
import { owner } from "./owner.ts";
import { quota } from "./quota.ts";
import { references } from "./references.ts";
import { recordedOf, restoringOf } from "./restoring.ts";
import { rollout } from "./rollout.ts";
import { sharersOf } from "./sharers.ts";
import { surplus } from "./surplus.ts";
import { targetHealth } from "./target-health.ts";

const JUDGES: Readonly<Record<Exclude<CheckName, "target">, (given: Given) => Check>> = {
  "target-health": targetHealth,
  references,
  content,
  identity,
  images,
  surplus,
  rollout,
  "disruption-budget": disruptionBudget,
  quota,
  capacity,
  owner,
  guard,
  irreversible,
};

/** `target`: the check that found it. In the order of `CHECKS`. */
export const preflight = (given: Given, target: Check): readonly Check[] =>
  [target, ...Object.values(JUDGES).map((judge) => judge(given))].map((check) =>
    withConsent(check, given.means),
  );

/** What is not known of it may be accepted of any check, but never that there is nothing to go to. */
export const withConsent = (check: Check, { accepted }: Means): Check => {
  const mayBe = CHECKS[check.check].acceptable || check.finding === "undetermined";
  return check.finding !== "proven" && mayBe && accepted.has(check.check)
    ? { ...check, accepted: true }
    : check;
};

/** Over what nobody has taken upon themself. */
export const decisionOf = (checks: readonly Check[]): Judgement => {
  const open = checks.filter(({ accepted }) => !accepted);
  return verdictOf(open.length > 0 ? open : checks.map((one) => ({ ...one, finding: "proven" as const })));
};

export const configStepsOf = (given: Given): readonly ConfigStep[] => {
  const sharers = sharersOf(given.live, given.collection);
  const needs = needsOf(given, new Checking("content"));
  if (needs === undefined) return [];
  return needs.map((need): ConfigStep => {
    const { kind, name, source } = need;
    const released = recordedOf(given, need);
    const recorded = released === undefined ? null : released.digest;
    const digests = source.kind === "known" ? given.digests.config(source.value) : null;
    const now = digests === null ? null : digests.digest;
    const others = sharers.get(`${kind} ${name}`);
    return {
      kind,
      name,
      do: doingOf(given, need, recorded, now),
      immutable:
        source.kind === "known"
          ? hint(source.value.raw, ["immutable"], FLAG) === true
          : released?.immutable === true,
      uid: source.kind === "known" ? source.value.uid : null,
      resourceVersion: source.kind === "known" ? versionOf(source.value) : null,
      recorded,
      now: kind === "Secret" ? null : now,
      sharers: others === undefined ? [] : others,
    };
  });
};

const versionOf = ({ raw }: Seen): string | null => {
  const version = hint(raw, ["metadata", "resourceVersion"], TEXT);
  return version === undefined ? null : version;
};

const doingOf = (
  given: Given,
  need: Parameters<typeof restoringOf>[1],
  recorded: string | null,
  now: string | null,
): ConfigStep["do"] => {
  if (recorded === null || recorded === now) return "leave";
  const restoring = restoringOf(given, need);
  return restoring === "make" || restoring === "write-back" ? restoring : "leave";
};
