/** A Pod that was removed, and every state of what came in its place; with what is true of each by how it was made. */
import fc from "fast-check";
import type { Evidence } from "../../src/domain/evidence.ts";
import { instant } from "../../src/domain/ids.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Question } from "../../src/domain/question.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { at, uidOf } from "../support/kubernetes/object.ts";
import { POD_STATES, type PodState } from "../support/kubernetes/pod.ts";

/** What is wrong beside the state of the Pod that came: each of them makes the claim not proven. */
export const WRONGS = [
  /** The Pod that was to go is there as it was. */
  "still-there",
  "still-terminating",
  /** What came is of another ReplicaSet of the same Deployment. */
  "other-set",
  /** ... of a ReplicaSet that is called as the Deployment's, and is another Deployment's. */
  "other-chain",
  /** The Deployment was deleted and made again under its name. */
  "workload-recreated",
  /** Nothing came, and one less is wanted. */
  "scaled-down",
] as const;
export type Wrong = (typeof WRONGS)[number];

export interface Drilled {
  readonly beside: readonly PodState[];
  /** null: nothing came yet. */
  readonly came: PodState | null;
  readonly wrong: Wrong | null;
  readonly isBesideTold: boolean;
  /** Whether the time by which it had to be Ready is over; null: none was set. */
  readonly isOver: boolean | null;
}

export const drilled: fc.Arbitrary<Drilled> = fc.record({
  beside: fc.array(fc.constantFrom<PodState>("ready", "ready", "not-ready"), { maxLength: 3 }),
  came: fc.oneof(
    { weight: 3, arbitrary: fc.constant<PodState>("ready") },
    fc.constantFrom<PodState>(...POD_STATES),
    fc.constant(null),
  ),
  wrong: fc.option(fc.constantFrom(...WRONGS), { freq: 2 }),
  isBesideTold: fc.boolean(),
  isOver: fc.option(fc.boolean()),
});

type Loose = { [key: string]: Loose } & { items: Loose[]; metadata: Loose & { ownerReferences: Loose[] } };

const OLD_UID = uidOf("Pod", "gone");

/** By index in the files' list of Pods: those beside first, what came last. */
const uidsIn = (files: Readonly<Record<string, JsonObject>>): readonly string[] =>
  ((files["pods.json"] as unknown as Loose).items ?? []).map(({ metadata }) => String(metadata["uid"]));

const HOW: Readonly<Record<Wrong, (files: { [name: string]: Loose }, came: Loose | undefined) => void>> = {
  "still-there": (files) => addOld(files, {}),
  "still-terminating": (files) => addOld(files, { deletionTimestamp: "2026-11-30T03:00:00Z" }),
  "other-set": (_, came) => {
    const owner = came?.metadata.ownerReferences[0];
    if (owner !== undefined) Object.assign(owner, { uid: uidOf("ReplicaSet", "old"), name: "web-old" });
  },
  "other-chain": (files) => {
    for (const set of files["replicasets.json"]?.items ?? [])
      for (const owner of set.metadata.ownerReferences)
        Object.assign(owner, { uid: uidOf("Deployment", "another") });
  },
  "workload-recreated": (files) => {
    const uid = uidOf("Deployment", "web", 2);
    for (const one of files["deployments.json"]?.items ?? []) Object.assign(one.metadata, { uid });
    for (const set of files["replicasets.json"]?.items ?? [])
      for (const owner of set.metadata.ownerReferences) Object.assign(owner, { uid });
  },
  "scaled-down": () => undefined,
};

const addOld = (files: { [name: string]: Loose }, metadata: Readonly<Record<string, string>>): void => {
  const list = files["pods.json"] as Loose;
  const [first] = list.items;
  if (first === undefined) return;
  const old = structuredClone(first);
  Reflect.deleteProperty(old.metadata, "deletionTimestamp");
  Object.assign(old.metadata, { uid: OLD_UID, name: "web-gone", ...metadata });
  list.items.push(old);
};

const isThere = (state: PodState | null): state is PodState => state !== null;

const releasedAs = ({ beside, came, wrong }: Drilled) => {
  const pods = [...beside, ...(isThere(came) && wrong !== "scaled-down" ? [came] : [])];
  const replicas = wrong === "scaled-down" ? beside.length : beside.length + 1;
  return { replicas, pods };
};

export const drilledWorld = (made: Drilled): readonly [Evidence, Question] => {
  const { replicas, pods } = releasedAs(made);
  const files = structuredClone(
    worldFiles({ replicas, fresh: { version: "v2", pods }, next: "v2", generation: 5, observed: 5 }),
  );
  const all = uidsIn(files);
  const hasCome = pods.length > made.beside.length;
  const loose = files as unknown as { [name: string]: Loose };
  if (made.wrong !== null)
    HOW[made.wrong](loose, hasCome ? loose["pods.json"]?.items[made.beside.length] : undefined);
  const time = (seconds: number) => instant(Date.parse(at(seconds)));
  const expected = {
    uid: uidOf("Deployment", "web"),
    replaced: {
      uids: [OLD_UID],
      beside: made.isBesideTold ? all.slice(0, made.beside.length) : null,
      by: made.isOver === null ? null : time(made.isOver ? READ_AT - 1 : READ_AT + 60),
      reply: null,
    },
  };
  return [evidenceOf(files, READ_AT), about("deployment/web", { claims: ["pod-replaced"], expected })];
};

export interface Truth {
  /** Only then may it be proven. */
  readonly isReplaced: boolean;
  /** Enough is told to see that. */
  readonly isToldReplaced: boolean;
  /** Something speaks against it, beyond that more time may help. */
  readonly isContradicted: boolean;
}

const LASTING: ReadonlySet<PodState> = new Set([
  "crash-loop",
  "out-of-memory",
  "image-pull",
  "config-error",
  "init-crash",
]);

/** By how it was made. */
export const truthOf = ({ beside, came, wrong, isBesideTold, isOver }: Drilled): Truth => {
  // Where nothing ran at all there is no Pod to be there still.
  const isCopied = beside.length > 0 || came !== null;
  const isWrong = wrong !== null && (isCopied || !wrong.startsWith("still"));
  const isReplaced = came === "ready" && !isWrong;
  const isUnready = came !== null && came !== "ready" && came !== "terminating" && came !== "evicted";
  return {
    isReplaced,
    isToldReplaced: isReplaced && (isBesideTold || beside.every((state) => state === "ready")),
    isContradicted:
      (wrong === "still-there" && isCopied) ||
      (wrong === null && isUnready && (LASTING.has(came) || isOver === true)) ||
      (wrong === null && isOver === true && came !== "ready"),
  };
};

/** Known as a limit: who ran beside it was not told, and one less is wanted. */
export const isLimit = ({ wrong, isBesideTold, beside }: Drilled): boolean =>
  wrong === "scaled-down" && !isBesideTold && beside.length > 0;
