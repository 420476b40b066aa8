/** All that is known of an incarnation before anything is changed: its inventory, what the ledger recorded, and what stands there. */
import type { JsonObject } from "../../domain/json.ts";
import type { ObjectRef, ReadFailure } from "../../ports/cluster.ts";
import { inventoryRef, nameOf, placeOf, refsIn } from "./inventory.ts";
import { found, lookAt, type Reach, type There } from "./reach.ts";
import {
  type Belongs,
  belongs,
  type Recorded,
  recordedIn,
  type TrackedObjects,
  trackedObjects,
} from "./tracked.ts";

export interface Incarnation {
  readonly mark: string;
  /** Where its inventory lies, or goes. */
  readonly home: ObjectRef;
  /** null: it is not there. */
  readonly inventory: There | null;
  /** False: somebody changed it so that it cannot be read. */
  readonly isReadable: boolean;
  readonly recorded: Recorded | null;
  readonly tracked: TrackedObjects;
}

/** Where it was written, if it is recorded; else where the step says today. */
const homeOf = (reach: Reach, recorded: Recorded | null): string =>
  recorded === null ? (reach.spec.inventory ?? reach.namespace) : recorded.home;

export const incarnationOf = async (
  reach: Reach,
  mark: string,
  outputs: JsonObject,
): Promise<Incarnation | ReadFailure> => {
  const recorded = recordedIn(outputs, mark);
  const home = inventoryRef(mark, homeOf(reach, recorded));
  const looked = await lookAt(reach, [home]);
  if (!("looks" in looked)) return looked;
  const inventory = found(looked.looks)[0] ?? null;
  const listed = inventory === null ? [] : refsIn(inventory.object);
  return {
    mark,
    home,
    inventory,
    isReadable: listed !== null,
    recorded,
    tracked: trackedObjects(listed ?? [], recorded === null ? [] : recorded.objects),
  };
};

/** Neither of the two lists is there: what of it may exist cannot be known. */
export const nothingTells = ({
  inventory,
  isReadable,
  recorded,
  home,
  mark,
}: Incarnation): string | undefined => {
  if (recorded !== null || (inventory !== null && isReadable)) return undefined;
  const what = inventory === null ? "is gone" : "cannot be read, as somebody changed it";
  return `its inventory ${nameOf(home)} ${what}, and the ledger has no list of its objects; look for what carries the annotation asfound.dev/inventory: ${mark}`;
};

export interface Standing {
  /** By place: of all that was asked for, what stands there. */
  readonly there: ReadonlyMap<string, There>;
  whose(there: There): Belongs;
}

export const standingAt = async (
  reach: Reach,
  { mark, tracked }: Incarnation,
  more: readonly ObjectRef[] = [],
): Promise<Standing | ReadFailure> => {
  const refs = new Map(
    [...[...tracked.values()].map(({ ref }) => ref), ...more].map((ref) => [placeOf(ref), ref]),
  );
  const looked = await lookAt(reach, [...refs.values()]);
  if (!("looks" in looked)) return looked;
  return {
    there: new Map(found(looked.looks).map((one) => [placeOf(one.ref), one])),
    whose: (one) => belongs(one, tracked.get(placeOf(one.ref)), mark),
  };
};
