/**
 * Which objects of config of a namespace somebody still names, and which nobody does. Pure. An object is proposed for
 * deletion only where everything that could name it was read: running Pods, templates, the revisions that controllers keep,
 * and the releases that were recorded. A question without an answer proposes nothing (R2).
 */
import type { ConfigKind } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import type { Release } from "../../domain/release.ts";
import { type KnownKind, RESOURCES } from "../../domain/resource.ts";
import { type Collection, controllerOf } from "../collection.ts";
import { consumptionsOf } from "../config/consumptions.ts";
import { POD_SPEC } from "../config/named-by.ts";
import { isFinished } from "../pod.ts";
import { FLAG, hint, itemsAt, type Path, TEXT } from "../read.ts";
import { type NextToGo, nextToGo } from "./history-limit.ts";

export interface Holder {
  /** `runs`: a Pod that is there. `declares`: a template. `keeps`: an earlier revision. `records`: a release. */
  readonly by: "runs" | "declares" | "keeps" | "records";
  readonly kind: string;
  readonly name: string;
}

export interface HeldObject {
  readonly kind: ConfigKind;
  readonly name: string;
  readonly uid: string | null;
  readonly immutable: boolean;
  readonly holders: readonly Holder[];
  /** Nobody names it, as far as was looked, and nothing else speaks against it. */
  readonly proposed: boolean;
  /** A clause. */
  readonly why: string;
}

export interface NextLoss extends NextToGo {
  /** Objects that, of all that was looked at, only this revision names. */
  readonly only: readonly Pick<HeldObject, "kind" | "name">[];
}

export interface Retention {
  readonly objects: readonly HeldObject[];
  readonly next: readonly NextLoss[];
  /** What releases name and is not there any more. */
  readonly gone: readonly (Pick<HeldObject, "kind" | "name"> & { readonly release: string })[];
  /** Why nothing is proposed, each a sentence; empty: all was read. */
  readonly unread: readonly string[];
}

/** Who could name one. */
export const HOLDERS: readonly KnownKind[] = [
  "Pod",
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "ControllerRevision",
  "Job",
  "CronJob",
];

export interface RetentionGiven {
  readonly collection: Collection;
  readonly namespace: string;
  /** Of this namespace, in whichever cluster. */
  readonly releases: readonly Release[];
  readonly secrets: boolean;
  /** What is not known of the releases, each a sentence. */
  readonly releaseFaults: readonly string[];
}

export const retentionOf = (given: RetentionGiven): Retention => {
  const { collection, namespace, releases, secrets } = given;
  const kinds: readonly ConfigKind[] = secrets ? ["ConfigMap", "Secret"] : ["ConfigMap"];
  const named = namingsIn(given);
  const unread = [
    ...given.releaseFaults,
    ...named.faults,
    ...[...HOLDERS, ...kinds].flatMap((kind) => unreadIn(collection, kind, namespace)),
  ];
  const there = kinds.flatMap((kind) => collection.seen(RESOURCES[kind], namespace));
  const objects = there.map((object) => heldObject(object, named.by, unread.length > 0));
  return {
    objects: [...objects].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    next: nextToGo(collection, namespace).map((next) => ({
      ...next,
      only: objects.filter(({ holders }) => isOnly(holders, next)).map(({ kind, name }) => ({ kind, name })),
    })),
    gone: goneOf(releases, collection, namespace, kinds),
    unread: [...new Set(unread)],
  };
};

const isOnly = (holders: readonly Holder[], { kind, name }: NextToGo): boolean =>
  holders.length > 0 && holders.every((holder) => holder.kind === kind && holder.name === name);

const keyOf = ({ kind, name }: { readonly kind: string; readonly name: string }): string => `${kind}/${name}`;

const unreadIn = (collection: Collection, kind: KnownKind, namespace: string): readonly string[] => {
  const list = collection.list(RESOURCES[kind], namespace);
  if (list.kind === "known") return [];
  const why = list.kind === "unreadable" ? list.why : "they were not asked for";
  return [`${RESOURCES[kind].plural} were not read: ${why}`];
};

interface Namings {
  readonly by: ReadonlyMap<string, readonly Holder[]>;
  readonly faults: readonly string[];
}

const namingsIn = ({ collection, namespace, releases }: RetentionGiven): Namings => {
  const by = new Map<string, Holder[]>();
  const faults: string[] = [];
  const add = (object: { readonly kind: string; readonly name: string }, holder: Holder): void => {
    const its = by.get(keyOf(object));
    if (its === undefined) by.set(keyOf(object), [holder]);
    else if (!its.some((one) => keyOf(one) === keyOf(holder))) its.push(holder);
  };
  for (const kind of HOLDERS)
    for (const object of collection.seen(RESOURCES[kind], namespace)) {
      if (kind === "Pod" && isFinished(object)) continue;
      const path = podSpecOf(kind);
      const { all, faults: unreadable } = consumptionsOf(object, path);
      faults.push(...unreadable.map((fault) => `what it names cannot be told: ${fault}`));
      const holder: Holder = { by: howOf(kind, object), kind, name: object.name };
      for (const one of all) add(one, holder);
      for (const name of pullSecrets(object, path)) add({ kind: "Secret", name }, holder);
    }
  for (const { id, name, config, unheld } of releases)
    for (const one of [...config, ...unheld])
      add(one, { by: "records", kind: "Release", name: name === null ? id : `${name} (${id})` });
  return { by, faults };
};

const podSpecOf = (kind: KnownKind): Path => {
  const path = POD_SPEC[kind];
  return path === undefined ? ["data", "spec", "template", "spec"] : path;
};

const howOf = (kind: KnownKind, object: Seen): Holder["by"] => {
  if (kind === "Pod") return "runs";
  const isRevision =
    kind === "ControllerRevision" || (kind === "ReplicaSet" && controllerOf(object) !== undefined);
  return isRevision ? "keeps" : "declares";
};

const pullSecrets = (object: Seen, podSpec: Path): readonly string[] =>
  itemsAt(object.raw, [...podSpec, "imagePullSecrets"]).flatMap((one) => {
    const name = hint(one, ["name"], TEXT);
    return name === undefined ? [] : [name];
  });

/** Every namespace has it, published by the control plane (root-ca-cert-publisher). */
const CONTROL_PLANES_OWN: ReadonlySet<string> = new Set(["ConfigMap/kube-root-ca.crt"]);

const heldObject = (object: Seen, by: Namings["by"], isOpen: boolean): HeldObject => {
  const kind: ConfigKind = object.kind === "Secret" ? "Secret" : "ConfigMap";
  const found = by.get(keyOf({ kind, name: object.name }));
  const holders = found === undefined ? [] : found;
  const against = holders.length > 0 ? "it is named" : whyKept(object, kind);
  return {
    kind,
    name: object.name,
    uid: object.uid,
    immutable: hint(object.raw, ["immutable"], FLAG) === true,
    holders,
    proposed: against === null && !isOpen,
    why:
      against !== null
        ? against
        : isOpen
          ? "nobody names it, as far as was read; not all was"
          : "nobody names it",
  };
};

const whyKept = (object: Seen, kind: ConfigKind): string | null => {
  if (CONTROL_PLANES_OWN.has(keyOf({ kind, name: object.name }))) return "the control plane keeps it";
  const [owner] = itemsAt(object.raw, ["metadata", "ownerReferences"]);
  if (owner !== undefined) {
    const [above, name] = [hint(owner, ["kind"], TEXT), hint(owner, ["name"], TEXT)];
    return `it belongs to ${above === undefined || name === undefined ? "another object" : `${above} ${name}`}, with which it goes`;
  }
  const type = kind === "Secret" ? hint(object.raw, ["type"], TEXT) : undefined;
  if (type !== undefined && type !== "Opaque") return `Secrets of type ${type} are named by more than Pods`;
  return hint(object.raw, ["metadata", "deletionTimestamp"], TEXT) === undefined
    ? null
    : "it is being deleted";
};

const goneOf = (
  releases: readonly Release[],
  collection: Collection,
  namespace: string,
  kinds: readonly ConfigKind[],
): Retention["gone"] =>
  releases.flatMap(({ id, name, config }) =>
    config.flatMap((one) =>
      kinds.includes(one.kind) &&
      collection.object(RESOURCES[one.kind], namespace, one.name).kind === "absent"
        ? [{ kind: one.kind, name: one.name, release: name === null ? id : `${name} (${id})` }]
        : [],
    ),
  );
