/**
 * What a recorder held, as evidence beside what was read (L2): of those objects alone that the Pods among it take something
 * from. It is read after them, so that it reaches as far as they do.
 */
import type { Seen } from "../domain/evidence.ts";
import { type HeldConfig, seenHeld } from "../domain/held.ts";
import { HeldVersions } from "../domain/held-timeline.ts";
import type { JsonObject } from "../domain/json.ts";
import { consumptionsOf } from "../judge/config/consumptions.ts";
import type { Collected } from "../ports/evidence-source.ts";
import type { HeldReader } from "../ports/held-records.ts";

/** A recorder's folder, as the person named it. */
export interface HeldFolder {
  readonly reader: HeldReader;
  readonly named: string;
}

interface Held {
  readonly objects: readonly Seen[];
  readonly limits: readonly string[];
  readonly servers: readonly string[];
}

/** What cannot be read of it is a limit. */
export const withHeld = async <C extends Collected>(
  collected: C,
  held: HeldFolder | undefined,
): Promise<C> => {
  if (held === undefined) return collected;
  const { evidence } = collected;
  const wanted = takenBy(evidence.objects);
  const { objects, limits, servers } = await heldBy(held, (place) => wanted.has(placeOf(place)));
  const { server } = collected;
  const others = server === null ? [] : servers.filter((one) => one !== server);
  return {
    ...collected,
    evidence: {
      ...evidence,
      objects: [...evidence.objects, ...objects],
      limits: [
        ...evidence.limits,
        ...limits,
        ...others.map(
          (one) =>
            `the records are of ${one}, and this is of ${server}: nothing shows that both are one cluster`,
        ),
      ],
    },
  };
};

/** All that is held in a namespace, or everywhere: for whoever keeps it. */
export const heldIn = async (
  held: HeldFolder | undefined,
  namespace: string | null,
): Promise<Omit<Held, "servers">> =>
  held === undefined
    ? { objects: [], limits: [] }
    : heldBy(held, (place) => namespace === null || place.namespace === namespace);

type Place = Pick<HeldConfig, "kind" | "namespace" | "name">;

const placeOf = ({ kind, namespace, name }: Place): string => JSON.stringify([kind, namespace, name]);

const heldBy = async ({ reader, named }: HeldFolder, wanted: (place: Place) => boolean): Promise<Held> => {
  const versions = new HeldVersions(({ of, namespace, name }) => wanted({ kind: of, namespace, name }));
  const said = await reader.read(() => versions.file());
  const evidence = `asfound watch in ${named}`;
  const objects = versions.all().map((config) => {
    const { kind, namespace, name, resourceVersion } = config;
    const pointer = `/${[kind, namespace, name, resourceVersion].map(escaped).join("/")}`;
    return seenHeld(config as unknown as JsonObject, nameOf(config), { evidence, pointer });
  });
  return {
    objects,
    servers: versions.servers,
    limits: [`held records of ${named}: nothing but that folder shows that they are unchanged`, ...said],
  };
};

/** Names one of them apart from all others of one reading. */
const nameOf = ({ kind, namespace, name, uid, resourceVersion, from }: HeldConfig): string =>
  JSON.stringify([kind, namespace, name, uid, resourceVersion, from]);

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

const takenBy = (objects: readonly Seen[]): ReadonlySet<string> => {
  const places = new Set<string>();
  for (const object of objects) {
    const { namespace } = object;
    if (object.group !== "" || object.kind !== "Pod" || namespace === null) continue;
    for (const { kind, name } of consumptionsOf(object, ["spec"]).all)
      places.add(placeOf({ kind, namespace, name }));
  }
  return places;
};
