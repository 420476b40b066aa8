/**
 * Evidence for many targets of a live cluster: one LIST for each resource, whatever the number of targets.
 *
 * Laws: as for one target (`collect.ts`): a question without an answer stays one (R2), and what is judged is of one moment
 * as far as the API can show it. The kinds that are judged are listed before and after what they rest on; what changed as a
 * whole in between is not judged of a mixture (V3, O1), and what only went on is said. A reading's bytes are let go as
 * soon as its objects are made, and of Pods and the like who wrote which field, which no judge reads of them: a sweep of
 * ten thousand Pods has to fit into a small container.
 */
import type { Asked, Seen } from "../domain/evidence.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { SweepQuestion } from "../domain/question.ts";
import { type Resource as KnownResource, RESOURCES } from "../domain/resource.ts";
import { Collection } from "../judge/collection.ts";
import { targetsOf, WORKLOADS } from "../judge/targets.ts";
import type { Clock } from "../ports/clock.ts";
import type { Cluster, Exchange, Found, ListKept, Resource, Round } from "../ports/cluster.ts";
import { follow } from "./follow.ts";
import { type HeldFolder, withHeld } from "./held-evidence.ts";
import { evidenceOf, generationOf, listNamed, momentOf, qualified, shown } from "./readings.ts";
import { readsFor } from "./reads.ts";
import { keyOf, type SweepEvidence } from "./sweep.ts";

export interface SweepOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly question: SweepQuestion;
  /** For all questions of one look together. */
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  /** Judged with, beside what is read. */
  readonly held?: HeldFolder | undefined;
}

export const liveSweep = async (options: SweepOptions): Promise<SweepEvidence> =>
  (await sweptLive(options)).evidence;

/** With the lists that it was made from. */
export const sweptLive = async (options: SweepOptions): Promise<Swept> => {
  const swept = await sweptBy(options, listHeld);
  const { evidence } = swept;
  return {
    ...swept,
    evidence: { ...evidence, collected: await withHeld(evidence.collected, options.held) },
  };
};

/** `lister`: how a list is read, and what of its objects is held. */
export const sweptBy = (options: SweepOptions, lister: Lister): Promise<Swept> =>
  new Sweeping(options, lister).look();

export type Lister = (
  round: Round,
  name: string,
  namespace: string | null,
) => Promise<Listed & { readonly exchanges: readonly Exchange[] }>;

/** What a sweep read, and as what. */
export interface Swept {
  readonly evidence: SweepEvidence;
  /** The lists that are judged, each once: where one was read again, its last reading. */
  readonly lists: readonly Listed[];
  readonly followed: readonly Read[];
  /** Without their bytes. */
  readonly exchanges: readonly Exchange[];
}

export interface Read {
  readonly objects: readonly Seen[];
  readonly asked: Asked;
}

export interface Listed extends Read {
  readonly resource: Resource;
}

const listHeld: Lister = async (round, name, namespace) => {
  const list = await listNamed(round, name, namespace, keptOf);
  const { objects, asked } = evidenceOf(list, list.resource.namespaced ? namespace : null);
  return { resource: list.resource, objects, asked, exchanges: list.reading.exchanges };
};

type FoundResource = Extract<Found, { kind: "found" }>["resource"];

/** One look. */
class Sweeping {
  readonly #options: SweepOptions;
  readonly #lister: Lister;
  readonly #from: Instant;
  readonly #deadlineMs: number;
  /** Without their bytes. */
  readonly #exchanges: Exchange[] = [];
  readonly #nameless: string[] = [];

  constructor(options: SweepOptions, lister: Lister) {
    this.#options = options;
    this.#lister = lister;
    this.#from = options.clock.now();
    this.#deadlineMs = options.clock.monotonicMs() + options.timeoutMs;
  }

  async look(): Promise<Swept> {
    const kinds = await this.#kinds();
    const related = relatedTo(kinds, this.#options.question);
    const first = kinds.filter((kind) => this.#restsOnOthers(kind));
    const opening = await this.#lists(first.map(nameOf));
    const known = new Set(first.map(nameOf));
    const others = [...kinds.map(nameOf), ...related.map(nameOfKnown)].filter((name) => !known.has(name));
    const rest = await this.#lists([...new Set(others)]);
    const targets = this.#targets(opening, rest, kinds);
    const followed = await this.#follow(targets, [...opening, ...rest]);
    const closing = await this.#lists(judgedOf(opening, targets).map(({ resource }) => nameOf(resource)));
    const last = opening.map((list) => closing.find(({ resource }) => resource === list.resource) ?? list);
    const lists = [...last, ...rest];
    return {
      evidence: this.#evidence(kinds, [...lists, ...followed], heldStill(opening, closing)),
      lists,
      followed,
      exchanges: this.#exchanges,
    };
  }

  /** What the words mean; a word that means nothing, or of which that was not told, leaves the sweep open. */
  async #kinds(): Promise<readonly FoundResource[]> {
    const words = this.#options.question.kinds ?? WORKLOADS.map(nameOfKnown);
    const kinds = new Map<string, FoundResource>();
    for (const word of words) {
      const found = await this.#round((round) => round.find(word));
      if (found.kind === "found") kinds.set(nameOf(found.resource), found.resource);
      else this.#nameless.push(found.sentence);
    }
    return [...kinds.values()];
  }

  #restsOnOthers(kind: Resource): boolean {
    return relatedTo([kind], this.#options.question).some(({ plural }) => plural !== RESOURCES.Event.plural);
  }

  #targets(
    opening: readonly Listed[],
    rest: readonly Listed[],
    kinds: readonly FoundResource[],
  ): readonly Seen[] {
    const names = new Set(kinds.map(nameOf));
    // What they rest on has no part in it, and there is far more of that.
    const selectable = [...opening, ...rest].filter(({ resource }) => names.has(nameOf(resource)));
    const evidence = collectedOf(selectable, this.#from);
    return targetsOf(new Collection(evidence), this.#selection(kinds)).targets;
  }

  /** What they name beyond the lists: each asked for once, however many name it. */
  async #follow(targets: readonly Seen[], lists: readonly Listed[]): Promise<readonly Read[]> {
    const read = await follow(
      (questions) => this.#round(questions),
      targets,
      () => collectedOf(lists, this.#from),
    );
    return read.map(({ objects, asked, exchanges }) => {
      for (const exchange of exchanges) this.#exchanges.push({ ...exchange, body: NO_BYTES });
      return { objects, asked };
    });
  }

  #selection(kinds: readonly FoundResource[]) {
    const { question } = this.#options;
    return { ...question, kinds: question.kinds === null ? null : kinds.map(asKnown) };
  }

  async #lists(names: readonly string[]): Promise<readonly Listed[]> {
    if (names.length === 0) return [];
    return this.#round((round) => Promise.all(names.map((name) => this.#list(round, name))));
  }

  async #list(round: Round, name: string): Promise<Listed> {
    const { namespace } = this.#options.question;
    const { exchanges, ...list } = await this.#lister(round, name, namespace);
    this.#exchanges.push(...exchanges);
    return list;
  }

  async #round<T>(ask: (round: Round) => Promise<T>): Promise<T> {
    const { cluster, clock, stop } = this.#options;
    const round = cluster.round({
      deadlineMs: Math.max(0, this.#deadlineMs - clock.monotonicMs()),
      stop,
    });
    try {
      return await ask(round);
    } finally {
      round.end();
    }
  }

  #evidence(
    kinds: readonly FoundResource[],
    all: readonly Read[],
    { torn, limits }: Pick<SweepEvidence, "torn" | "limits">,
  ): SweepEvidence {
    const { cluster, clock, question } = this.#options;
    const to = clock.now();
    const moment = momentOf(cluster, this.#exchanges);
    const evidence = {
      ...collectedOf(all, moment.at === null ? to : moment.at),
      limits: moment.limits,
    };
    return {
      collected: { evidence, from: this.#from, to, meant: null, server: cluster.facts.server },
      kinds: question.kinds === null ? null : kinds.map(asKnown),
      nameless: this.#nameless,
      torn,
      limits,
    };
  }
}

const nameOf = (resource: Resource): string => qualified(resource);
const nameOfKnown = ({ group, plural }: KnownResource): string =>
  group === "" ? plural : `${plural}.${group}`;

const asKnown = ({ group, kind, resource }: Resource): KnownResource => ({
  group,
  kind,
  plural: resource,
  short: [],
});

/** What judging these kinds takes beside them, each once. */
const relatedTo = (
  kinds: readonly Resource[],
  question: Pick<SweepQuestion, "claims" | "rules" | "secrets" | "only">,
): readonly KnownResource[] => [
  ...new Set(kinds.flatMap((kind) => readsFor(kind, { ...question, expected: NOTHING_EXPECTED }))),
];

/** The lists of which something is judged: of those alone it matters whether they held still. */
const judgedOf = (opening: readonly Listed[], targets: readonly Seen[]): readonly Listed[] =>
  opening.filter(({ resource }) =>
    targets.some(({ group, kind }) => group === resource.group && kind === resource.kind),
  );

const collectedOf = (lists: readonly Read[], at: Instant) => ({
  objects: lists.flatMap(({ objects }) => objects),
  asked: lists.map(({ asked }) => asked),
  at,
  limits: [],
});

/** Kinds of which a sweep has many, and of which no rule asks who wrote a field when. */
const WITHOUT_WRITERS: ReadonlySet<string> = new Set(["Pod", "Event", "EndpointSlice"]);

const NO_BYTES = new Uint8Array();

const keptOf = ({ kind }: Resource): ListKept => ({ bytes: false, writers: !WITHOUT_WRITERS.has(kind) });

/** What is to be said of a target that changed between the first list of its kind and the last. */
const heldStill = (
  opening: readonly Listed[],
  closing: readonly Listed[],
): Pick<SweepEvidence, "torn" | "limits"> => {
  const torn = new Map<string, string>();
  const limits = new Map<string, string>();
  for (const list of closing) {
    const before = opening.find(({ resource }) => resource === list.resource);
    const earlier = new Map(before?.objects.map((seen) => [keyOf(seen), seen]));
    for (const now of list.objects) {
      const key = keyOf(now);
      const changed = changeOf(earlier.get(key), now);
      if (changed === null) continue;
      (changed.whole ? torn : limits).set(key, changed.says);
    }
  }
  return { torn, limits };
};

const changeOf = (
  before: Seen | undefined,
  now: Seen,
): { readonly whole: boolean; readonly says: string } | null => {
  if (before === undefined) return { whole: true, says: "it was made while the sweep read; look again" };
  if (before.uid !== now.uid)
    return {
      whole: true,
      says: `it was deleted and made again while the sweep read (UID ${shown(before.uid)}, then ${shown(now.uid)}); look again`,
    };
  const [was, is] = [generationOf(before.raw), generationOf(now.raw)];
  if (was !== is)
    return {
      whole: true,
      says: `its spec was changed while the sweep read (generation ${was}, then ${is}); look again`,
    };
  const [first, last] = [versionOf(before.raw), versionOf(now.raw)];
  return first === last
    ? null
    : {
        whole: false,
        says: `it changed while the sweep read (resourceVersion ${shown(first)}, then ${shown(last)}): the lists are of a moment before its status`,
      };
};

const versionOf = ({ metadata }: JsonObject): string | null => {
  const version = isJsonObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : null;
};
