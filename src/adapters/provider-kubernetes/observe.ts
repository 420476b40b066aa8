/** Asks what is there of a step: its inventory by identity or key, and every object that it or the ledger names. Throws never. */
import { type Known, known, unreadable } from "../../domain/known.ts";
import type { Reading } from "../../domain/outcome.ts";
import type { ReadFailure } from "../../ports/cluster.ts";
import type { CallIo, Question } from "../../ports/provider.ts";
import { cleanerOf } from "./cleaner.ts";
import { differences } from "./compare.ts";
import { declaredObjects } from "./declared.ts";
import { declaredDigest, manifestsDigest, markOf, nameOf, placeOf } from "./inventory.ts";
import { type Incarnation, incarnationOf, nothingTells, type Standing, standingAt } from "./known.ts";
import { found, leavingText, lookAt, type Parts, type Reach, reachOf, type There } from "./reach.ts";
import { firstOf } from "./several.ts";
import { parse } from "./spec.ts";
import { isVersionOfConfig } from "./superseded.ts";
import { marked, type Target, targetsOf } from "./targets.ts";
import { outputsOf, recordedIn, type Tracked } from "./tracked.ts";

const unread = ({ kind, sentence }: ReadFailure): Reading => ({ kind, reason: sentence });
const failed = (reason: string): Reading => ({ kind: "failed", reason });

interface Judged {
  readonly asDeclared: Known<boolean>;
  readonly reason: string | null;
}

const other = (reason: string): Judged => ({ asDeclared: known(false), reason });
const untold = (reason: string): Judged => ({ asDeclared: unreadable(reason), reason });

/** A controller at work writes its status several times a second. */
const MOST_LOOKS = 5;

/**
 * The server's own rehearsal says what an apply would change, beside what is there at that moment. Where somebody wrote the
 * object since it was read (its resourceVersion), that is no difference of ours: it is read again.
 */
const compare = async (
  reach: Reach,
  target: Target,
  first: There,
  mark: string,
): Promise<Judged | undefined> => {
  for (let look = 1, there = first; ; look += 1) {
    const judged = await compareOnce(reach, target, there, mark);
    if (judged === undefined || judged.isOf === there.resourceVersion || look === MOST_LOOKS) return judged;
    const looked = await lookAt(reach, [target.ref]);
    const [again] = "looks" in looked ? found(looked.looks) : [];
    if (again === undefined || again.uid !== there.uid) return judged;
    there = again;
  }
};

/** `isOf`: the resourceVersion of what was compared with. */
const compareOnce = async (
  reach: Reach,
  target: Target,
  there: There,
  mark: string,
): Promise<(Judged & { readonly isOf: string }) | undefined> => {
  const application = { ref: target.ref, object: marked(target, mark, there.uid), force: reach.spec.force };
  const rehearsed = await reach.writer.rehearse(application, reach.limits());
  const name = nameOf(target.ref);
  const asRead = (judged: Judged) => ({ ...judged, isOf: there.resourceVersion });
  if (rehearsed.kind === "refused" && rehearsed.conflicts.length > 0) {
    const fields = rehearsed.conflicts.map(({ manager, field }) => `${field} (${manager})`).join(", ");
    return asRead(other(`${name} is not as declared: another manager holds ${fields}`));
  }
  if (rehearsed.kind !== "applied")
    return asRead(
      untold(`whether ${name} is as declared is not known, as it cannot be rehearsed: ${rehearsed.sentence}`),
    );
  const differs = differences(there.object, rehearsed.object);
  if (differs.length === 0) return undefined;
  const places = differs.slice(0, 5).map(({ at }) => at);
  return {
    ...other(`${name} is not as declared at ${places.join(", ")}`),
    isOf: rehearsed.resourceVersion,
  };
};

/** Why what stands under a declared name does not count. */
const strangerText = (standing: Standing, there: There): string | undefined => {
  const name = nameOf(there.ref);
  switch (standing.whose(there)) {
    case "ours":
      return there.leaving ? leavingText(there) : undefined;
    case "other-uid":
      return `${name} is another object now: it was deleted, and somebody made it again (uid ${there.uid})`;
    case "other-mark":
      return `${name} belongs to another step now`;
    case "unmarked":
      return `${name} is there, and nothing shows that it is this step's`;
  }
};

interface Asked {
  readonly reach: Reach;
  readonly question: Question;
  readonly io: CallIo;
  readonly incarnation: Incarnation;
  readonly standing: Standing;
}

/** Whether the files can be what was last sent: they may have been changed since (ADR 0034). */
const areOlder = ({ reach, question, incarnation }: Asked, digest: string): boolean => {
  const { spec } = reach;
  const isFromDisk =
    spec.manifests !== null ||
    spec.kustomize !== null ||
    (spec.bind !== null && spec.bind.sources.length > 0);
  const { inventory } = incarnation;
  return (
    isFromDisk &&
    question.inDoubt !== true &&
    inventory !== null &&
    declaredDigest(inventory.object) !== digest
  );
};

const judge = async (asked: Asked): Promise<Judged> => {
  const { reach, question, io, incarnation, standing } = asked;
  const { inventory, isReadable, home, mark, tracked } = incarnation;
  if (inventory === null)
    return other(`its inventory ${nameOf(home)} is gone; the next apply writes it anew`);
  if (inventory.leaving) return other("its inventory is being removed");
  if (!isReadable)
    return other("its inventory cannot be read, as somebody changed it; the next apply writes it anew");
  const read = await declaredObjects(reach, reach.spec, io.baseDirectory);
  if ("fault" in read) return untold(`what is declared cannot be read: ${read.fault}`);
  if (question.key !== null && areOlder(asked, manifestsDigest(question.key, read.objects)))
    return untold("the manifests are not those that were last applied, so they cannot be compared");
  const resolved = await targetsOf(reach, read.objects);
  if ("fault" in resolved) return untold(resolved.fault);
  const differing = await firstOf(resolved.targets, async (target) => {
    const there = standing.there.get(placeOf(target.ref));
    if (there === undefined) return other(`${nameOf(target.ref)} is not there`);
    const stranger = strangerText(standing, there);
    return stranger === undefined ? compare(reach, target, there, mark) : other(stranger);
  });
  if (differing !== undefined)
    return {
      ...differing,
      reason: differing.reason === null ? null : cleanerOf(read.objects)(differing.reason),
    };
  const declared = new Set(resolved.targets.map(({ ref }) => placeOf(ref)));
  const left = [...standing.there.values()].filter(
    (one) =>
      tracked.has(placeOf(one.ref)) &&
      !declared.has(placeOf(one.ref)) &&
      standing.whose(one) === "ours" &&
      // They go at an update, once nothing refers to them: that one is still there is no drift.
      !isVersionOfConfig(one),
  );
  if (left.length > 0 && reach.spec.prune)
    return other(`what left the manifests is still there: ${left.map(one).join(", ")}`);
  return { asDeclared: known(true), reason: null };
};

const one = (there: There): string => (there.leaving ? leavingText(there) : nameOf(there.ref));

const ask = async (reach: Reach, question: Question, io: CallIo, mark: string): Promise<Reading> => {
  const incarnation = await incarnationOf(reach, mark, question.outputs);
  if (!("mark" in incarnation)) return unread(incarnation);
  const { inventory, recorded, home, tracked } = incarnation;
  if (inventory === null && recorded === null && question.identity === null) return { kind: "absent" };
  const silence = nothingTells(incarnation);
  if (silence !== undefined) return failed(silence);
  const standing = await standingAt(reach, incarnation);
  if (!("there" in standing)) return unread(standing);
  const there = [...standing.there.values()];
  const ours = there.filter((each) => standing.whose(each) === "ours");
  if (inventory === null && ours.length === 0) return { kind: "absent" };
  // What stands under a recorded name with another UID stays known by the UID that was ours: never taken for it later.
  const objects = there.map((each): Tracked => {
    const before = tracked.get(placeOf(each.ref));
    return standing.whose(each) === "ours" || before === undefined
      ? { ref: each.ref, uid: each.uid }
      : before;
  });
  const outputs = outputsOf(recorded?.cluster ?? reach.clusterUid, home, objects);
  const judged = await judge({ reach, question, io, incarnation, standing });
  const leaving = ours.filter((each) => each.leaving);
  const reason =
    judged.reason === null || leaving.length === 0
      ? judged.reason
      : [...new Set([judged.reason, ...leaving.map(leavingText)])].join("; ");
  return { kind: "observed", id: mark, outputs, asDeclared: judged.asDeclared, reason };
};

/** Those that say where to look: the identity, else each key that was ever sent. */
const marksOf = ({ identity, keys, key }: Question): readonly string[] =>
  identity === null ? [...new Set([...keys, ...(key === null ? [] : [key])])].map(markOf) : [identity.id];

export const observe = async (parts: Parts, question: Question, io: CallIo): Promise<Reading> => {
  const parsed = parse(question.inputs, false);
  if ("faults" in parsed)
    return failed(`'with' cannot be used: ${parsed.faults.map(({ message }) => message).join("; ")}`);
  const marks = marksOf(question);
  const expected = marks.map((mark) => recordedIn(question.outputs, mark)?.cluster ?? null);
  const reach = await reachOf(parts, parsed.spec, io, expected.find((uid) => uid !== null) ?? null);
  if ("fault" in reach) return failed(reach.fault);
  try {
    const there: Extract<Reading, { kind: "observed" }>[] = [];
    for (const mark of marks) {
      const reading = await ask(reach, question, io, mark);
      if (reading.kind === "observed") there.push(reading);
      else if (reading.kind !== "absent") return reading;
    }
    const [only, ...others] = there;
    if (only === undefined) return { kind: "absent" };
    return others.length === 0
      ? only
      : { kind: "ambiguous", ids: there.flatMap(({ id }) => (id === null ? [] : [id])) };
  } finally {
    reach.cluster.close();
  }
};
