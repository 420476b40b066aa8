/**
 * `references`: what the target's containers need of ConfigMaps and Secrets is there (C5; k8s-25: a hash-named ConfigMap
 * was pruned while an old ReplicaSet still named it). Without it the Pods would be made and never start.
 */
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { lackOf, objectText } from "../config/lack.ts";
import { valueAt } from "../read.ts";
import { counted, listed, nameOf, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";
import { type Need, needsOf } from "./needs.ts";
import { restoringOf } from "./restoring.ts";

export const references = (given: Given): Check => {
  const checking = new Checking("references");
  const needs = needsOf(given, checking);
  if (needs === undefined) return checking.unknown();
  if (needs.length === 0)
    return checking.proven("none", "no container of the target takes anything from a ConfigMap or Secret");
  const lacking: string[] = [];
  const restorable: Need[] = [];
  const made: Need[] = [];
  for (const need of needs) {
    const lacks = need.by.flatMap((one) => {
      const lack = one.optional ? null : lackOf(one, need.source);
      return lack === null ? [] : [lack];
    });
    citeSource(checking, given, need);
    if (lacks.length === 0) continue;
    const restoring = restoringOf(given, need);
    if (restoring === "make" || restoring === "write-back") made.push(need);
    else lacking.push(...lacks);
    if (restoring === "asked-for") restorable.push(need);
  }
  for (const need of needs)
    if (!need.optional && need.source.kind !== "known" && need.source.kind !== "absent")
      checking.lack(
        nameOf({ kind: need.kind, namespace: given.live.namespace, name: quoted(need.name) }),
        null,
        need.source,
      );
  if (lacking.length > 0)
    return checking.refuted(
      "reference-missing",
      `the target's Pods would not start: ${listed([...new Set(lacking)].sort())}`,
      restorable.length > 0
        ? `the release holds the bytes of ${listed(restorable.map(objectText))}: --restore-config writes them`
        : "bring it back from Git before anything is rolled back, or choose another target",
    );
  if (checking.missing.length > 0)
    return checking.unknown(
      needs.some(({ kind, source }) => kind === "Secret" && source.kind === "not-asked")
        ? "Secrets are asked for with --secrets alone"
        : null,
    );
  const names = needs.map(objectText);
  return made.length > 0
    ? checking.proven(
        "restored",
        `${listed(made.map(objectText))} would be written from the release's bytes; the rest of ${counted(needs.length, "object")} is there`,
      )
    : checking.proven(
        "there",
        `${listed(names)} ${names.length === 1 ? "is" : "are"} there, with every key that is needed`,
      );
};

const citeSource = (
  checking: Checking,
  { collection, live }: Given,
  { kind, by, name, source }: Need,
): void => {
  if (source.kind === "absent") checking.citeAbsence(collection, RESOURCES[kind], live.namespace, name);
  if (source.kind !== "known") return;
  const needed = by.flatMap(({ keys, optional }) => (keys === null || optional ? [] : keys));
  for (const key of needed)
    for (const field of ["data", "binaryData"] as const)
      if (valueAt(source.value.raw, [field, key]) !== undefined) checking.cite(source.value, [field, key]);
};
