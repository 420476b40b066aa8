/** A container's files as somebody read them in it, beside a drawn life of the object that they are made from. */
import fc from "fast-check";
import { keyDigests } from "../../src/domain/config-digest.ts";
import type { Evidence, Seen } from "../../src/domain/evidence.ts";
import { seenReadFile } from "../../src/domain/held.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { READ_AT } from "../support/kubernetes/deployment.ts";
import { at } from "../support/kubernetes/object.ts";
import { dataAt, keysTaken, type Life, life, POD_MADE, worldOf } from "./config-worlds.ts";

export interface Looked {
  readonly drawn: Life;
  /** When the volume had the content that a subPath then mounted; of a volume, how long its files take to follow. */
  readonly mounted: number;
  readonly lag: number;
  /** What is recorded was read in the container that ran before, and held something else. */
  readonly ofAnother: boolean;
}

export const looked: fc.Arbitrary<Looked> = life
  .filter(({ delivery, immutable }) => delivery !== "env" && delivery !== "envFrom" && !immutable)
  .chain((drawn) =>
    fc.record({
      drawn: fc.constant(drawn),
      mounted: fc.integer({ min: POD_MADE, max: drawn.started }),
      lag: fc.integer({ min: 0, max: 90 }),
      ofAnother: fc.boolean(),
    }),
  );

export const isSubPath = ({ drawn }: Looked): boolean => drawn.delivery === "subPath";

/** What its files hold when they are read, at the end; null: there is no object that could have made them. */
export const filesOf = (one: Looked): JsonObject | null => {
  const { drawn, mounted, lag } = one;
  return dataAt(drawn, isSubPath(one) ? mounted : Math.max(POD_MADE, READ_AT - lag));
};

const EARLIER = { KEY: "earlier", OTHER: "earlier" };

export const evidenceFor = (one: Looked): Evidence => {
  const world = worldOf(one.drawn);
  const data = filesOf(one);
  if (data === null) return world;
  const digests = keyDigests({ data: one.ofAnother ? EARLIER : data });
  const container = one.drawn.role === "app" ? "web" : "first";
  const pods = world.objects.filter(
    ({ kind, raw }) => kind === "Pod" && JSON.stringify(raw).includes("/etc/app"),
  );
  const records = pods.flatMap((pod) =>
    keysTaken(one.drawn).map(
      (key): JsonObject => ({
        pod: { namespace: "shop", name: pod.name, uid: String(pod.uid) },
        container,
        containerId: one.ofAnother ? "containerd://before" : idOf(pod, container),
        path: isSubPath(one) ? "/etc/app" : `/etc/app/${key}`,
        sha256: String(digests?.get(key)),
        at: at(READ_AT),
      }),
    ),
  );
  const seen = records.map((raw, place) =>
    seenReadFile(raw, `number ${String(place)}`, { evidence: "files.json", pointer: `/${place}` }),
  );
  return { ...world, objects: [...world.objects, ...seen] };
};

export const idOf = ({ raw }: Seen, container: string): string => {
  const status = raw["status"] as JsonObject;
  const all = ["containerStatuses", "initContainerStatuses"].flatMap(
    (field) => (status[field] as readonly JsonObject[] | undefined) ?? [],
  );
  return String(all.find(({ name }) => name === container)?.["containerID"]);
};
