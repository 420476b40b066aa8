/** A drawn life of an object, recorded by one who is never blind, and a checksum on the workload that takes from it. */
import fc from "fast-check";
import { configDigest, keyDigests } from "../../src/domain/config-digest.ts";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import { seenHeld } from "../../src/domain/held.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { at, changed } from "../support/kubernetes/object.ts";
import { dataAt, type Life, life, recordsOf, worldOf } from "./config-worlds.ts";

export interface Summed {
  readonly drawn: Life;
  readonly on: "template" | "metadata";
  /** The digest of what the object holds now, of a key of it, of what it held first, of a file that nobody read, or a time. */
  readonly of: "object" | "key" | "first" | "another" | "time";
  readonly isRecorded: boolean;
}

export const summed: fc.Arbitrary<Summed> = fc.record({
  drawn: life,
  on: fc.constantFrom("template", "template", "metadata"),
  of: fc.constantFrom("object", "object", "key", "first", "another", "time"),
  isRecorded: fc.boolean(),
});

export const sumOf = ({ drawn, of }: Summed): string => {
  const now = { data: dataAt(drawn, READ_AT) ?? {} };
  switch (of) {
    case "object":
      return String(configDigest(now));
    case "key":
      return String(keyDigests(now)?.get("KEY"));
    case "first":
      return `sha256:${configDigest({ data: dataAt(drawn, drawn.made) ?? {} })}`;
    case "another":
      return String(configDigest({ data: { "values.yaml": "a file of a chart" } }));
    case "time":
      return at(600);
  }
};

export const summedWorld = (one: Summed): Evidence => {
  const world = worldOf(one.drawn);
  const annotations = { "checksum/config": sumOf(one) };
  const path =
    one.on === "template" ? ["spec", "template", "metadata", "annotations"] : ["metadata", "annotations"];
  const annotated = (seen: Seen): Seen => {
    const isOfTemplate = one.on === "template" && seen.kind === "ReplicaSet" && isNew(seen.raw);
    return seen.kind === "Deployment" || isOfTemplate
      ? { ...seen, raw: changed(seen.raw, path, annotations) }
      : seen;
  };
  const records = one.isRecorded ? recordsOf(one.drawn, () => true) : [];
  const held = records.map((raw, place) =>
    seenHeld(raw, `number ${String(place)}`, { evidence: "held.json", pointer: `/${place}` }),
  );
  return { ...world, objects: [...world.objects.map(annotated), ...held] };
};

const isNew = (raw: JsonObject): boolean => !JSON.stringify(raw).includes("web:v1");
