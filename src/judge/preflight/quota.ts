/**
 * `quota`: whether a ResourceQuota of the namespace leaves room for one more Pod of the target, which a rolling update makes
 * before it ends an old one (core/v1 ResourceQuota; quantities as apimachinery writes them).
 */
import type { Seen } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { RESOURCES } from "../../domain/resource.ts";
import type { Check } from "../../domain/rollback.ts";
import { itemsAt, OBJECT, valueAt } from "../read.ts";
import { counted, listed, nameOf, quoted } from "../words.ts";
import { Checking } from "./checking.ts";
import type { Given } from "./given.ts";
import { surgeOf } from "./rollout.ts";

export const quota = (given: Given): Check => {
  const checking = new Checking("quota");
  const { live, collection } = given;
  const list = checking.needList(collection, RESOURCES.ResourceQuota, live.namespace);
  if (list === undefined) return checking.unknown();
  const tight: string[] = [];
  for (const one of list.objects) {
    if (
      valueAt(one.raw, ["spec", "scopes"]) !== undefined ||
      valueAt(one.raw, ["spec", "scopeSelector"]) !== undefined
    )
      checking.limit(`${nameOf(one)} counts only some Pods, and was not judged`);
    else tight.push(...tightIn(checking, given, one));
  }
  if (checking.missing.length > 0) return checking.unknown();
  if (tight.length === 0)
    return checking.proven(
      list.objects.length === 0 ? "none" : "room",
      list.objects.length === 0
        ? "no ResourceQuota limits the namespace"
        : `${counted(list.objects.length, "ResourceQuota")} of the namespace ${list.objects.length === 1 ? "has" : "have"} room for one more Pod of the target`,
    );
  const says = `no room for one more Pod of the target: ${listed(tight)}`;
  return surgeOf(given)
    ? checking.refuted(
        "quota-full",
        `${says}; with maxUnavailable 0 the rollout needs one before it ends an old Pod, so it would not begin`,
        "raise the quota, or let one Pod be unavailable; or say --accept quota",
      )
    : checking.undetermined(
        "quota-tight",
        `${says}; it may go on once an old Pod has ended`,
        "raise the quota",
      );
};

const tightIn = (checking: Checking, { target }: Given, one: Seen): readonly string[] => {
  const hard = checking.need(one, ["status", "hard"], OBJECT);
  const used = checking.need(one, ["status", "used"], OBJECT);
  if (hard === undefined || used === undefined) return [];
  return Object.entries(hard).flatMap(([name, limit]) => {
    const needed = neededOf(name, valueAt(target.holder.raw, [...target.path, "spec"]));
    if (needed === null || needed === 0) return [];
    const [most, now] = [quantityOf(limit), quantityOf(Object.hasOwn(used, name) ? used[name] : undefined)];
    if (most === undefined || now === undefined) {
      checking.miss(`${nameOf(one)} status.hard and status.used of ${quoted(name)}`);
      return [];
    }
    return now + needed > most
      ? [`${quoted(name)} of ${one.name} is at ${String(used[name])} of ${String(limit)}`]
      : [];
  });
};

/** What one Pod takes of it; null: it counts no Pods, or something else. */
const neededOf = (name: string, podSpec: JsonValue | undefined): number | null => {
  if (name === "pods" || name === "count/pods") return 1;
  const counts = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(name);
  if (counts === null) return null;
  const [, kind = "requests", resource = ""] = counts;
  let sum = 0;
  for (const one of itemsAt(podSpec, ["containers"])) {
    const its = quantityOf(valueAt(one, ["resources", kind, resource]));
    if (its !== undefined) sum += its;
  }
  return sum;
};

const SUFFIX: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** undefined: it is no quantity. */
const quantityOf = (value: JsonValue | undefined): number | undefined => {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  const written = /^([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(value);
  if (written === null) return undefined;
  const [, digits, suffix = ""] = written;
  const factor = Object.hasOwn(SUFFIX, suffix) ? SUFFIX[suffix] : undefined;
  return factor === undefined ? undefined : Number(digits) * factor;
};
