/** Removes objects by identity, in reverse order (D4). That a delete was taken is no absence: looking decides (D3). */
import type { CommittedIntent } from "../../domain/committed-intent.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { CallIo } from "../../ports/provider.ts";
import { begin, type Fence } from "./call.ts";
import { nameOf } from "./inventory.ts";
import { type Incarnation, incarnationOf, nothingTells, standingAt } from "./known.ts";
import { found, lookAt, type Parts, type Reach, reachOf, type There } from "./reach.ts";
import { outputsOf, recordedIn, type Tracked } from "./tracked.ts";
import { untilGone } from "./wait.ts";

/** A controller that writes its status between reading and deleting makes another resourceVersion: read again. */
const MAX_TURNS = 10;
/** For the inventory itself, which goes last. */
const FOR_INVENTORY_MS = 5_000;

export type AllRemoved =
  | { readonly kind: "taken" }
  | { readonly kind: "failed" | "unknown"; readonly reason: string };

export interface Removing {
  readonly reach: Reach;
  readonly io: CallIo;
  readonly fence: Fence;
}

/** `isOurs` is asked again of what is read right before the delete, which names that reading's UID and resourceVersion. */
const removeOne = async (
  { reach, fence }: Removing,
  seen: There,
  isOurs: (there: There) => boolean,
): Promise<AllRemoved> => {
  for (let turn = 1, there = seen; ; turn += 1) {
    if (there.uid !== seen.uid || there.leaving || !isOurs(there)) return { kind: "taken" };
    const { ref, uid, resourceVersion } = there;
    const removed = await reach.writer.remove(ref, { uid, resourceVersion }, reach.limits(), fence.late);
    if (removed.kind === "taken" || removed.kind === "absent") return { kind: "taken" };
    const isStale = removed.kind === "refused" && removed.status === 409;
    const short = {
      kind: removed.kind === "unknown" ? "unknown" : "failed",
      reason: removed.sentence,
    } as const;
    if (turn === MAX_TURNS || !(isStale || removed.kind === "unknown")) return short;
    // A lost reply is not asked for by sending again: looking tells whether that incarnation is gone.
    const looked = await lookAt(reach, [ref]);
    if (!("looks" in looked)) return short;
    const [now] = found(looked.looks);
    if (now === undefined) return { kind: "taken" };
    if (!isStale && now.uid === seen.uid && !now.leaving) return short;
    there = now;
  }
};

/** In reverse of the order in which they are given. */
export const removeAll = async (
  removing: Removing,
  all: readonly There[],
  isOurs: (there: There) => boolean,
): Promise<AllRemoved> => {
  for (const [index, one] of all.toReversed().entries()) {
    const removed = await removeOne(removing, one, isOurs);
    if (removed.kind !== "taken")
      return { ...removed, reason: `${index} of ${all.length} were removed, then ${removed.reason}` };
  }
  return { kind: "taken" };
};

const refused = (reason: string): Outcome => ({ kind: "refused", reason: `nothing was removed: ${reason}` });

const removeIncarnation = async (removing: Removing, known: Incarnation): Promise<Outcome> => {
  const { reach, io, fence } = removing;
  const { mark, inventory, home, recorded } = known;
  const untold = nothingTells(known);
  if (untold !== undefined) return refused(untold);
  const standing = await standingAt(reach, known);
  if (!("there" in standing)) return refused(standing.sentence);
  const isOurs = (one: There): boolean => standing.whose(one) === "ours";
  const all = [...standing.there.values()];
  for (const one of all) if (!isOurs(one)) io.progress(`${nameOf(one.ref)} is left: it is not this step's`);
  const ours = all.filter(isOurs);
  // From here on the ledger knows by UID what must be seen to be gone, whether the inventory is there or not.
  const outputs = outputsOf(
    recorded?.cluster ?? reach.clusterUid,
    home,
    ours.map(({ ref, uid }): Tracked => ({ ref, uid })),
  );
  await io.identity(mark, outputs);
  const ended = (removed: AllRemoved): Outcome =>
    removed.kind === "taken"
      ? { kind: "done", id: mark, outputs, owes: [] }
      : { kind: removed.kind, reason: removed.reason, id: mark, outputs, owes: [] };
  const removed = await removeAll(removing, ours, isOurs);
  if (removed.kind !== "taken" || inventory === null) return ended(removed);
  // What a finalizer holds is waited for by looking, up to the step's deadline; the inventory has to go before the call-by.
  const patienceMs = Math.max(0, Math.min(fence.leftMs(), reach.leftMs()) - FOR_INVENTORY_MS);
  const uids = new Set(ours.map(({ uid }) => uid));
  const waited = await untilGone(
    reach,
    io,
    ours.map(({ ref }) => ref),
    ({ uid }) => uids.has(uid),
    patienceMs,
  );
  if ("fault" in waited) return ended({ kind: "failed", reason: waited.fault });
  return ended(await removeAll(removing, [inventory], () => true));
};

export const destroy = async (
  parts: Parts,
  intent: CommittedIntent<"destroy">,
  io: CallIo,
): Promise<Outcome> => {
  const begun = await begin(parts.clock, intent, refused);
  if (!("mark" in begun)) return begun;
  const { call, fence, spec, mark } = begun;
  const reach = await reachOf(parts, spec, io, recordedIn(call.outputs, mark)?.cluster ?? null);
  if ("fault" in reach) return refused(reach.fault);
  try {
    const known = await incarnationOf(reach, mark, call.outputs);
    if (!("mark" in known)) return refused(known.sentence);
    return await removeIncarnation({ reach, io, fence }, known);
  } finally {
    reach.cluster.close();
  }
};
