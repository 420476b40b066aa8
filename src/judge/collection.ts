/**
 * Evidence, found by kind, namespace, name, UID and owner. Owns the difference between "asked and empty" and "not asked"
 * (V5) and refuses two readings that contradict each other: which one is newer cannot be told from them.
 */
import type { Asked, Cited, Evidence, Seen } from "../domain/evidence.ts";
import type { Known } from "../domain/known.ts";
import { known, notAsked, unreadable } from "../domain/known.ts";
import { RESOURCES, type Resource } from "../domain/resource.ts";
import { sameJson } from "../domain/same-json.ts";
import { hint, LIST, TEXT, valueAt } from "./read.ts";
import { nameOf } from "./words.ts";

/** A LIST that was answered: all there was, and the readings that say so. */
export interface Listing {
  readonly objects: readonly Seen[];
  readonly sources: readonly Cited[];
}

export class Collection {
  readonly #byKind = new Map<string, Seen[]>();
  /** By kind and namespace: a sweep asks for these once for every object that it judges. */
  readonly #byPlace = new Map<string, Seen[]>();
  readonly #byName = new Map<string, Seen>();
  readonly #byOwner = new Map<string, Seen[]>();
  readonly #byRegarding = new Map<string, Seen[]>();
  /** By kind: a sentence about objects of which there are two readings that differ. */
  readonly #torn = new Map<string, { readonly namespace: string | null; readonly why: string }[]>();
  readonly #asked: readonly Asked[];
  readonly #byUid = new Map<string, Seen>();
  readonly #doubtful = new Map<string, readonly Seen[]>();

  constructor(evidence: Evidence) {
    this.#asked = [...evidence.asked].sort((a, b) => compare(a.source.evidence, b.source.evidence));
    const keyed = evidence.objects.map((seen) => ({ seen, key: keyOf(seen) }));
    // In whatever order it was read, it is looked at in this one (V2).
    keyed.sort((a, b) => compare(a.key, b.key) || compare(a.seen.source.evidence, b.seen.source.evidence));
    for (const { seen, key } of keyed) {
      const before = this.#byName.get(key);
      // Events have generated names and one event may be in both of its groups' lists.
      if (before === undefined) this.#add(seen, key);
      else if (!sameReading(before, seen)) this.#tear(before, seen);
    }
  }

  #add(seen: Seen, key: string): void {
    push(this.#byKind, kindKey(seen.group, seen.kind), seen);
    push(this.#byPlace, placeKey(seen, seen.namespace), seen);
    this.#byName.set(key, seen);
    if (seen.uid !== null) this.#byUid.set(seen.uid, seen);
    const owner = controllerOf(seen);
    if (owner !== undefined) push(this.#byOwner, owner.uid, seen);
    if (seen.kind === "Event") {
      const about =
        hint(seen.raw, ["involvedObject", "uid"], TEXT) ?? hint(seen.raw, ["regarding", "uid"], TEXT);
      if (about !== undefined) push(this.#byRegarding, about, seen);
    }
  }

  #tear(before: Seen, after: Seen): void {
    const both = `${before.source.evidence}${before.source.pointer} and ${after.source.evidence}${after.source.pointer}`;
    push(this.#torn, kindKey(before.group, before.kind), {
      namespace: before.namespace,
      why: `${nameOf(before)} is there twice and differs (${both}); which reading is the newer cannot be told`,
    });
  }

  /** Everything of a kind that was seen, whether or not all of it was asked for. */
  seen(resource: Resource, namespace: string | null): readonly Seen[] {
    return this.#byPlace.get(placeKey(resource, namespace)) ?? NONE;
  }

  ofKind(group: string, kind: string): readonly Seen[] {
    return this.#byKind.get(kindKey(group, kind)) ?? NONE;
  }

  get kinds(): readonly Seen[] {
    return [...this.#byKind.values()].flatMap((all) => all.slice(0, 1));
  }

  /** All there is of a resource in a namespace, as a LIST that was answered says; else why that is not known. */
  list(resource: Resource, namespace: string | null): Known<Listing> {
    const asked = this.#askedOf(resource, namespace).filter(({ name }) => name === null);
    if (asked.length === 0) return notAsked;
    const torn = this.#tornIn(resource, namespace);
    if (torn !== undefined) return unreadable(torn);
    const answered = asked.filter(({ answer }) => answer.kind === "observed");
    if (answered.length > 0)
      return known({
        objects: this.seen(resource, namespace),
        sources: answered.map(({ source }) => source),
      });
    return unreadable(asked.flatMap(({ answer }) => ("why" in answer ? [answer.why] : [])).join("; "));
  }

  /** As `list`, of all namespaces that it was asked for in; one without an answer leaves all of it open. */
  everywhere(resource: Resource): Known<Listing> {
    const asked = this.#askedOf(resource, null).filter(({ name }) => name === null);
    if (asked.length === 0) return notAsked;
    const torn = this.#torn.get(kindKey(resource.group, resource.kind));
    const whys = [
      ...asked.flatMap(({ answer }) => ("why" in answer ? [answer.why] : [])),
      ...(torn === undefined ? [] : torn.map(({ why }) => why)),
    ];
    if (whys.length > 0) return unreadable(whys.slice(0, 3).join("; "));
    return known({
      objects: this.ofKind(resource.group, resource.kind),
      sources: asked.map(({ source }) => source),
    });
  }

  /** One object by its name. A complete LIST without it, or a GET answered with 404, says that it is absent. */
  object(resource: Resource, namespace: string | null, name: string): Known<Seen> {
    const torn = this.#tornIn(resource, namespace, name);
    if (torn !== undefined) return unreadable(torn);
    const found = this.#byName.get(keyOf({ ...resource, namespace, name }));
    if (found !== undefined) return known(found);
    const asked = this.#askedOf(resource, namespace).filter((one) => one.name === null || one.name === name);
    if (asked.length === 0) return notAsked;
    if (asked.some(({ answer }) => answer.kind === "observed" || answer.kind === "absent"))
      return { kind: "absent" };
    return unreadable(asked.flatMap(({ answer }) => ("why" in answer ? [answer.why] : [])).join("; "));
  }

  /** The readings that would have held an object, and whether one of them was of all there are. */
  askedFor(
    resource: Resource,
    namespace: string | null,
    name: string,
  ): { readonly sources: readonly Cited[]; readonly listed: boolean } {
    const asked = this.#askedOf(resource, namespace).filter((one) => one.name === null || one.name === name);
    return {
      sources: asked.map(({ source }) => source),
      listed: asked.some((one) => one.name === null && one.answer.kind === "observed"),
    };
  }

  /** One incarnation, as far as it was read. */
  byUid(uid: string): Seen | undefined {
    return this.#byUid.get(uid);
  }

  /** What this incarnation controls, by the owner's UID (O2). */
  controlledBy(uid: string, kind: string): readonly Seen[] {
    return (this.#byOwner.get(uid) ?? NONE).filter((one) => one.kind === kind);
  }

  /**
   * Pods of a namespace whose owners are not all there, up to the top: of these alone it can be open whose they are. Found
   * once, so that judging every workload of a namespace stays linear in its Pods.
   */
  doubtfulPods(namespace: string | null): readonly Seen[] {
    const known = this.#doubtful.get(String(namespace));
    if (known !== undefined) return known;
    const found = this.seen(RESOURCES.Pod, namespace).filter((pod) => !this.#isOwnedToTheTop(pod));
    this.#doubtful.set(String(namespace), found);
    return found;
  }

  #isOwnedToTheTop(object: Seen): boolean {
    const owner = controllerOf(object);
    if (owner === undefined) return object.kind !== "Pod" && object.kind !== "ReplicaSet";
    const above = this.#byUid.get(owner.uid);
    // An owner that itself has an owner is one of these two kinds, so this ends after two steps.
    if (above === undefined) return false;
    return above.kind === "ReplicaSet" && object.kind === "Pod" ? this.#isOwnedToTheTop(above) : true;
  }

  /** Events about this incarnation. */
  eventsOf(uid: string | null): readonly Seen[] {
    return uid === null ? NONE : (this.#byRegarding.get(uid) ?? NONE);
  }

  #askedOf({ group, plural }: Resource, namespace: string | null): readonly Asked[] {
    return this.#asked.filter(
      (asked) =>
        asked.group === group &&
        asked.resource === plural &&
        (namespace === null || asked.namespaces === "all" || asked.namespaces.includes(namespace)),
    );
  }

  #tornIn({ group, kind }: Resource, namespace: string | null, name?: string): string | undefined {
    const torn = this.#torn.get(kindKey(group, kind));
    return torn?.find(
      (one) =>
        one.namespace === namespace &&
        (name === undefined || one.why.startsWith(`${nameOf({ kind, namespace, name })} `)),
    )?.why;
  }
}

const NONE: readonly Seen[] = [];

const kindKey = (group: string, kind: string): string => `${kind}.${group}`;

const placeKey = (of: { readonly group: string; readonly kind: string }, namespace: string | null): string =>
  `${kindKey(of.group, of.kind)} ${String(namespace)}`;

const keyOf = ({
  group,
  kind,
  namespace,
  name,
}: Pick<Seen, "group" | "kind" | "namespace" | "name">): string =>
  `${kindKey(group, kind)} ${String(namespace)}/${name}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const push = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const there = map.get(key);
  if (there === undefined) map.set(key, [value]);
  else there.push(value);
};

export interface Owner {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  /** Its place in `metadata.ownerReferences`. */
  readonly at: number;
}

/** The owner that controls it: at most one has `controller: true` (metav1.OwnerReference). */
export const controllerOf = ({ raw }: Seen): Owner | undefined => {
  const references = hint(raw, ["metadata", "ownerReferences"], LIST);
  const at = references?.findIndex((one) => valueAt(one, ["controller"]) === true);
  if (references === undefined || at === undefined || at < 0) return undefined;
  const reference = references[at];
  const uid = hint(reference, ["uid"], TEXT);
  const kind = hint(reference, ["kind"], TEXT);
  const name = hint(reference, ["name"], TEXT);
  return uid === undefined || kind === undefined || name === undefined ? undefined : { uid, kind, name, at };
};

/** Two readings of one object agree when nothing in them differs. */
const sameReading = (a: Seen, b: Seen): boolean => a.uid === b.uid && sameJson(a.raw, b.raw);
