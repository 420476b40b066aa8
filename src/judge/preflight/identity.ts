/**
 * `identity`: each is the very object that the target had. A name is not content (C4): what was deleted and made again under
 * its name is another object, even where its bytes are the same, and a node may still keep the earlier one for its Pods.
 */
import type { Check } from "../../domain/rollback.ts";
import { objectText } from "../config/lack.ts";
import { createdAt } from "../pod.ts";
import { FLAG, hint } from "../read.ts";
import { counted, listed, nameOf } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";
import { type Need, needsOf } from "./needs.ts";
import { recordedOf } from "./restoring.ts";

export const identity = (given: Given): Check => {
  const checking = new Checking("identity");
  const needs = needsOf(given, checking);
  if (needs === undefined) return checking.unknown();
  const there = needs.filter(({ source }) => source.kind === "known");
  if (there.length === 0)
    return checking.proven("none", "there is no object of config that could be another one");
  const again: string[] = [];
  const open: string[] = [];
  for (const need of there) judgeOne(checking, given, need, again, open);
  if (again.length > 0)
    return checking.refuted(
      "recreated-object",
      `made again under ${again.length === 1 ? "its name" : "their names"} since the release: ${listed(again)}; a node may still keep the earlier object for a Pod of its own, and give it to the next`,
      "record the release anew once it is proven with the present objects, or say --accept identity",
    );
  if (checking.missing.length > 0) return checking.unknown();
  if (open.length > 0)
    return checking.undetermined(
      "not-recorded",
      `whether ${listed(open)} ${open.length === 1 ? "is the object" : "are the objects"} that the target had is not known`,
      "roll back to a recorded release, or say --accept identity",
    );
  return checking.proven(
    "same-objects",
    `${counted(there.length, "object")} ${there.length === 1 ? "is" : "are"} the same as the target had`,
  );
};

const judgeOne = (checking: Checking, given: Given, need: Need, again: string[], open: string[]): void => {
  if (need.source.kind !== "known") return;
  const object = need.source.value;
  const what = objectText(need);
  if (object.uid === null) {
    checking.miss(`${nameOf(object)} metadata.uid`);
    return;
  }
  checking.cite(object, ["metadata", "uid"]);
  const recorded = recordedOf(given, need);
  if (recorded !== undefined && recorded.uid !== null) {
    if (recorded.uid === object.uid) return;
    const immutable = hint(object.raw, ["immutable"], FLAG) === true;
    again.push(`${what} (${immutable ? "immutable, " : ""}UID ${recorded.uid} then, ${object.uid} now)`);
    return;
  }
  const { revision, release } = given.target;
  const made = revision === null ? undefined : createdAt(revision.object);
  const created = createdAt(object);
  if (
    release === null &&
    revision !== null &&
    made !== undefined &&
    created !== undefined &&
    created <= made
  ) {
    checking.cite(object, ["metadata", "creationTimestamp"]);
    checking.cite(revision.object, ["metadata", "creationTimestamp"]);
    return;
  }
  open.push(release === null ? `${what} (not there before that revision was made)` : what);
};
