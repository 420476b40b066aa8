/** Create and update: the inventory first, then each object in order; what left the manifests is removed last. */
import type { Call, CommittedIntent } from "../../domain/committed-intent.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { ObjectRef } from "../../ports/cluster.ts";
import type { Applied } from "../../ports/cluster-writer.ts";
import type { CallIo } from "../../ports/provider.ts";
import { begin, type Fence } from "./call.ts";
import { cleaned, cleanerOf } from "./cleaner.ts";
import { declaredObjects } from "./declared.ts";
import { establishedFault } from "./established.ts";
import { inventoryObject, manifestsDigest, nameOf, placeOf } from "./inventory.ts";
import { type Incarnation, incarnationOf, nothingTells, type Standing, standingAt } from "./known.ts";
import { because, homeFault, rehearsalFault, strangerFault } from "./preflight.ts";
import { leavingText, type Parts, type Reach, reachOf, type There } from "./reach.ts";
import { removeAll } from "./remove.ts";
import { isVersionOfConfig, keptForRollback } from "./superseded.ts";
import { marked, type Target, targetsOf } from "./targets.ts";
import { outputsOf, recordedIn, type Tracked } from "./tracked.ts";
import { until, untilGone } from "./wait.ts";

const refused = (reason: string): Outcome => ({ kind: "refused", reason: `nothing was changed: ${reason}` });

interface Work {
  readonly reach: Reach;
  readonly io: CallIo;
  readonly call: Call;
  readonly fence: Fence;
  readonly targets: readonly Target[];
  readonly digest: string;
  readonly known: Incarnation;
  readonly standing: Standing;
}

/** Objects of the step that stand there and are not declared any more. */
const leftOver = ({ targets, standing, known }: Work): readonly There[] => {
  const wanted = new Set(targets.map(({ ref }) => placeOf(ref)));
  return [...standing.there.values()].filter(
    (one) =>
      !wanted.has(placeOf(one.ref)) && known.tracked.has(placeOf(one.ref)) && standing.whose(one) === "ours",
  );
};

const writeInventory = (work: Work, refs: readonly ObjectRef[]): Promise<Applied> => {
  const { reach, call, digest, fence, known } = work;
  const object = inventoryObject(known.home, `${call.stack}/${call.step}`, digest, refs);
  return reach.writer.apply({ ref: known.home, object, force: true }, reach.limits(), fence.late);
};

/** What is told at most so often: every telling is a record with the whole list. */
const MOST_TOLD = 90;

/** The list of the step's objects as it grows, for the ledger. */
class Ledgered {
  readonly #work: Work;
  readonly #objects: Map<string, Tracked>;

  /** From the first byte on the ledger names all that may come to be, with the UIDs of what is there. */
  constructor(work: Work, left: readonly There[]) {
    this.#work = work;
    const there = (ref: ObjectRef): string | null => work.standing.there.get(placeOf(ref))?.uid ?? null;
    this.#objects = new Map(
      [...work.targets.map(({ ref }) => ref), ...left.map(({ ref }) => ref)].map((ref) => [
        placeOf(ref),
        { ref, uid: there(ref) },
      ]),
    );
  }

  outputs(): JsonObject {
    const { reach, known } = this.#work;
    return outputsOf(reach.clusterUid, known.home, this.#objects.values());
  }

  async made(index: number, ref: ObjectRef, uid: string): Promise<void> {
    this.#objects.set(placeOf(ref), { ref, uid });
    if (index % Math.ceil(this.#work.targets.length / MOST_TOLD) === 0) await this.tell();
  }

  gone(refs: readonly ObjectRef[]): void {
    for (const ref of refs) this.#objects.delete(placeOf(ref));
  }

  tell(): Promise<void> {
    return this.#work.io.identity(this.#work.known.mark, this.outputs());
  }
}

type Short = { readonly kind: "failed" | "unknown"; readonly reason: string };

/** A server serves a new kind a moment after it says so; what it does not know it did not do. */
const applyWhenServed = async (
  { reach, io, fence }: Work,
  apply: () => Promise<Applied>,
): Promise<Applied> => {
  let last: Applied | null = null;
  const waited = await until(reach, io, Math.min(fence.leftMs(), reach.leftMs()), async () => {
    last = await apply();
    return last.kind === "refused" && last.status === 404 ? undefined : { came: last };
  });
  return "came" in waited ? waited.came : (last ?? { kind: "not-sent", sentence: "nothing was sent" });
};

const applyAll = async (work: Work, ledgered: Ledgered): Promise<Short | undefined> => {
  const { reach, io, targets, standing, fence, known } = work;
  const established = new Set<string>();
  for (const [index, target] of targets.entries()) {
    const short = (kind: Short["kind"], why: string): Short => ({
      kind,
      reason: `${index} of ${targets.length} objects were applied, then ${why}`,
    });
    const definition = targets.find(
      ({ ref }) => ref.resource.kind === "CustomResourceDefinition" && ref.name === target.definedBy,
    );
    if (definition !== undefined && !established.has(definition.ref.name)) {
      const fault = await establishedFault(
        reach,
        io,
        definition.ref,
        Math.min(fence.leftMs(), reach.leftMs()),
      );
      if (fault !== undefined) return short("failed", fault);
      established.add(definition.ref.name);
    }
    const uid = standing.there.get(placeOf(target.ref))?.uid ?? null;
    const application = { ref: target.ref, object: marked(target, known.mark, uid), force: reach.spec.force };
    const apply = (): Promise<Applied> => reach.writer.apply(application, reach.limits(), fence.late);
    const applied = await (definition === undefined ? apply() : applyWhenServed(work, apply));
    if (applied.kind !== "applied")
      return short(applied.kind === "unknown" ? "unknown" : "failed", because(applied));
    await ledgered.made(index, target.ref, applied.uid);
  }
  await ledgered.tell();
  return undefined;
};

const NOTHING_KEPT: ReadonlyMap<string, string> = new Map();

/** Only what carries our mark is pruned; and it is not done before it was seen to be gone. */
const prune = async (work: Work, left: readonly There[], ledgered: Ledgered): Promise<Short | undefined> => {
  const { reach, io, fence, known, standing } = work;
  const isMarked = (one: There): boolean => one.mark === known.mark && standing.whose(one) === "ours";
  for (const one of left)
    if (!isMarked(one))
      io.progress(
        `${one.ref.resource.kind} ${one.ref.name} left the manifests and carries no mark of this step, so it is left`,
      );
  const ours = left.filter(isMarked);
  const superseded = ours.filter(isVersionOfConfig);
  const kept = superseded.length === 0 ? NOTHING_KEPT : await keptForRollback(reach, superseded);
  for (const { ref } of superseded) {
    const why = kept.get(placeOf(ref));
    if (why !== undefined) io.progress(`${nameOf(ref)} is kept for rollback: ${why}`);
  }
  const going = ours.filter(({ ref }) => !kept.has(placeOf(ref)));
  const refs = going.map(({ ref }) => ref);
  if (going.length > 0) {
    const removed = await removeAll({ reach, io, fence }, going, isMarked);
    if (removed.kind !== "taken")
      return { ...removed, reason: `of what left the manifests ${removed.reason}` };
    const uids = new Set(going.map(({ uid }) => uid));
    const waited = await untilGone(reach, io, refs, ({ uid }) => uids.has(uid), reach.leftMs());
    if ("fault" in waited)
      return { kind: "failed", reason: `what left the manifests was removed, but ${waited.fault}` };
    if (waited.left.length > 0)
      return {
        kind: "failed",
        reason: `what left the manifests was removed, and is not gone yet: ${waited.left.map(leavingText).join("; ")}`,
      };
  }
  ledgered.gone(left.flatMap(({ ref }) => (kept.has(placeOf(ref)) ? [] : [ref])));
  return undefined;
};

const carryOut = async (work: Work): Promise<Outcome> => {
  const { reach, targets, known } = work;
  const left = leftOver(work);
  const inventory = await writeInventory(
    work,
    [...targets, ...left].map(({ ref }) => ref),
  );
  if (inventory.kind !== "applied") {
    if (inventory.kind === "refused" || inventory.kind === "not-sent") return refused(because(inventory));
    return { kind: inventory.kind, reason: inventory.sentence, id: null, outputs: {}, owes: [] };
  }
  const ledgered = new Ledgered(work, left);
  await ledgered.tell();
  const short =
    (await applyAll(work, ledgered)) ?? (reach.spec.prune ? await prune(work, left, ledgered) : undefined);
  const brought = { id: known.mark, outputs: ledgered.outputs(), owes: [] };
  return short === undefined ? { kind: "done", ...brought } : { ...short, ...brought };
};

/** All that is read before the first byte is sent; the fault says what stands in the way. */
const prepare = async (
  reach: Reach,
  call: Call,
  mark: string,
  targets: readonly Target[],
): Promise<{ readonly known: Incarnation; readonly standing: Standing } | { readonly fault: string }> => {
  const known = await incarnationOf(reach, mark, call.outputs);
  if (!("mark" in known)) return { fault: known.sentence };
  const untold = call.identity === null ? undefined : nothingTells(known);
  if (untold !== undefined) return { fault: untold };
  const standing = await standingAt(
    reach,
    known,
    targets.map(({ ref }) => ref),
  );
  if (!("there" in standing)) return { fault: standing.sentence };
  const fault =
    homeFault(reach, targets, known) ??
    strangerFault(reach, targets, standing) ??
    (await rehearsalFault(reach, targets, standing, mark));
  return fault === undefined ? { known, standing } : { fault };
};

export const change = async (
  parts: Parts,
  intent: CommittedIntent<"create" | "update">,
  io: CallIo,
): Promise<Outcome> => {
  const begun = await begin(parts.clock, intent, refused);
  if (!("mark" in begun)) return begun;
  const { call, fence, spec, mark } = begun;
  const read = await declaredObjects(parts, spec, io.baseDirectory);
  if ("fault" in read) return refused(read.fault);
  for (const note of read.notes) io.progress(note);
  const reach = await reachOf(parts, spec, io, recordedIn(call.outputs, mark)?.cluster ?? null);
  if ("fault" in reach) return refused(reach.fault);
  try {
    const resolved = await targetsOf(reach, read.objects);
    if ("fault" in resolved) return refused(resolved.fault);
    const clean = cleanerOf(read.objects);
    const prepared = await prepare(reach, call, mark, resolved.targets);
    if ("fault" in prepared) return cleaned(refused(prepared.fault), clean);
    const digest = manifestsDigest(call.key, read.objects);
    const work: Work = { reach, io, call, fence, targets: resolved.targets, digest, ...prepared };
    return cleaned(await carryOut(work), clean);
  } finally {
    reach.cluster.close();
  }
};
