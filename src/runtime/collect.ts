/**
 * Evidence from a live cluster: the target, then all that a verdict about it rests on, each asked for once.
 *
 * Laws: a question without an answer stays one, with its reason (R2). What is judged is of one moment as far as the API
 * can show it: the target is read before the lists and again after them, and if anything of it changed in between, the
 * lists are read anew. Where it does not hold still, another UID or generation makes the target unread, never a mixture
 * (V3, O1). Ages count by the API server's clock, which dates all that stands in the objects.
 */
import type { Answer as Reply } from "../domain/answer.ts";
import type { Answer, Asked, Seen } from "../domain/evidence.ts";
import type { Instant } from "../domain/ids.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Question } from "../domain/question.ts";
import type { Resource } from "../domain/resource.ts";
import { readsOfBystanders } from "../judge/bystanders/whom.ts";
import { readsOfApplication } from "../judge/gitops/by-application.ts";
import { kindOf } from "../judge/kinds.ts";
import { revisionsOf } from "../judge/previous-revision.ts";
import type { Clock } from "../ports/clock.ts";
import type {
  Cluster,
  Exchange,
  FailureReason,
  ObjectReading,
  ObjectRef,
  ReadFailure,
  Round,
} from "../ports/cluster.ts";
import type { Collected, EvidenceSource } from "../ports/evidence-source.ts";
import type { Prober } from "../ports/prober.ts";
import type { Repository } from "../ports/repository.ts";
import { aroundOf } from "./answer-addresses.ts";
import { sampleAnswers } from "./answers.ts";
import { bystanderAnswers } from "./bystander-answers.ts";
import type { Comparison } from "./comparison.ts";
import { type FollowedReading, follow } from "./follow.ts";
import { withGit } from "./git-evidence.ts";
import { type HeldFolder, withHeld } from "./held-evidence.ts";
import {
  askedFor,
  clauseOf,
  dotted,
  evidenceOf,
  generationOf,
  listNamed,
  momentOf,
  qualified,
  type ReadList,
  seenIn,
  seenReply,
  shown,
  sourceOf,
} from "./readings.ts";
import { readsFor } from "./reads.ts";

export interface LiveOptions {
  readonly cluster: Cluster;
  readonly prober: Prober;
  readonly clock: Clock;
  readonly question: Question;
  readonly comparison: Comparison;
  /** What is listed beside what the claims take; left out: nothing. */
  readonly beside?: readonly Resource[];
  /** For all questions of one look together. */
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  /** Judged with, beside what is read. */
  readonly held?: HeldFolder | undefined;
  /** Asked for the commits that it is about. */
  readonly git?: Repository | undefined;
}

/** What was seen of the target last. */
export interface Subject {
  readonly ref: ObjectRef;
  readonly uid: string | null;
  readonly generation: number | null;
  readonly resourceVersion: string | null;
}

export interface Look extends Collected {
  /** null: the target was not observed. */
  readonly subject: Subject | null;
  /** The target as it was read last, and the lists around it. */
  readonly target: JsonObject | null;
  readonly lists: readonly ReadList[];
  /** What it names beyond those. */
  readonly followed: readonly FollowedReading[];
  /** The replies that were asked for, in between. */
  readonly answers: readonly Reply[];
  readonly exchanges: readonly Exchange[];
  /** Why the target was not read. `no-such-kind`: the server serves nothing of that name. */
  readonly unread: FailureReason | "no-such-kind" | null;
}

export interface LiveSource extends EvidenceSource {
  collect(): Promise<Look>;
}

/** The target changes with every step of a rollout: so often are the lists read to catch it holding still. */
const MOST_READS = 3;

export const liveEvidence = (options: LiveOptions): LiveSource => ({
  collect: async () =>
    withGit(await withHeld(await new Looking(options).look(), options.held), options.question, options.git),
});

/** What was read around the target. */
interface Beside {
  readonly lists: readonly ReadList[];
  readonly followed: readonly FollowedReading[];
}

const NOTHING_BESIDE: Beside = { lists: [], followed: [] };

/** What tells who could answer by a path. */
const STANDS_BEHIND: ReadonlySet<string> = new Set(["Pod", "Service", "EndpointSlice"]);

/** One look. */
class Looking {
  readonly #options: LiveOptions;
  readonly #from: Instant;
  readonly #deadlineMs: number;
  readonly #exchanges: Exchange[] = [];
  #answers: readonly Reply[] = [];

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#from = options.clock.now();
    this.#deadlineMs = options.clock.monotonicMs() + options.timeoutMs;
  }

  async look(): Promise<Look> {
    const { question } = this.#options;
    const found = await this.#round((round) => round.find(question.kind));
    if (found.kind === "unknown") return this.#nameless(found.sentence, "failed", "no-such-kind");
    if (found.kind !== "found") return this.#nameless(found.sentence, found.kind, found.reason);
    const ref: ObjectRef = {
      resource: found.resource,
      namespace: found.resource.namespaced ? question.namespace : null,
      name: question.name,
    };
    const limits = found.others.map(
      (other) => `${qualified(other)} has that name too; say it so if that one is meant`,
    );
    const opening = await this.#get(ref);
    if (opening.kind !== "observed") return this.#unseen(ref, opening, limits);
    const reads = this.#reads(found.resource);
    const follows =
      (kindOf(found.resource)?.follows !== undefined && question.claims?.includes("absent") !== true) ||
      question.expected.bystanders !== null ||
      question.expected.application !== null;
    if (reads.length === 0 && !follows) return this.#seen(ref, opening, NOTHING_BESIDE, limits);
    return this.#around(ref, opening, reads, limits);
  }

  #reads(resource: ObjectRef["resource"]): ReturnType<typeof readsFor> {
    const { question, comparison, beside: more = [] } = this.#options;
    const reads = [...new Set([...readsFor(resource, question), ...more])];
    const revisions = comparison.needsRevisions && reads.length > 0 ? revisionsOf(resource) : undefined;
    return revisions === undefined || reads.includes(revisions) ? reads : [...reads, revisions];
  }

  /** The lists between two readings of the target, until those are the same. */
  async #around(
    ref: ObjectRef,
    opening: Extract<ObjectReading, { kind: "observed" }>,
    reads: ReturnType<typeof readsFor>,
    limits: readonly string[],
  ): Promise<Look> {
    let before = opening;
    const others = await this.#sampleOthers(ref.namespace);
    this.#answers = [...(await this.#sample(ref, opening.object, reads)), ...others];
    for (let times = 1; ; times += 1) {
      const lists = await this.#round((round) => this.#lists(round, reads, ref.namespace));
      const beside = { lists, followed: await this.#follow(ref, before, lists) };
      const after = await this.#get(ref);
      if (after.kind !== "observed") return this.#unseen(ref, after, limits);
      const same = after.uid === before.uid && after.resourceVersion === before.resourceVersion;
      if (same) return this.#seen(ref, after, beside, limits);
      if (times === MOST_READS || this.#leftMs() <= 0) {
        const why = changedWhole(before, after);
        if (why !== null) return this.#unseen(ref, torn(ref, why, after), limits);
        return this.#seen(ref, after, beside, [
          ...limits,
          `it changed while it was read (resourceVersion ${shown(before.resourceVersion)}, then ${shown(after.resourceVersion)}), ${times} ${times === 1 ? "time" : "times"}: the lists are of a moment before its status`,
        ]);
      }
      // V3: what was answered before this change says nothing of it.
      if (changedWhole(before, after) !== null)
        this.#answers = [...(await this.#sample(ref, after.object, reads)), ...others];
      before = after;
    }
  }

  /** Replies, between the lists that say who stood behind the path before and those that the verdict rests on. */
  async #sample(
    ref: ObjectRef,
    target: JsonObject,
    reads: ReturnType<typeof readsFor>,
  ): Promise<readonly Reply[]> {
    const { response } = this.#options.question.expected;
    if (response === null) return [];
    const { clock, prober, stop } = this.#options;
    const behind = reads.filter(({ kind }) => STANDS_BEHIND.has(kind));
    const before = await this.#round((round) => this.#lists(round, behind, ref.namespace));
    const of = (kind: string): readonly JsonObject[] =>
      before.flatMap(({ resource, reading }) =>
        resource.kind === kind && reading.kind === "observed" ? reading.items : [],
      );
    const around = aroundOf(response, {
      namespace: ref.namespace,
      target,
      isService: ref.resource.kind === "Service" && ref.resource.group === "",
      services: of("Service"),
      slices: of("EndpointSlice"),
      pods: of("Pod"),
    });
    // The rest is for the lists that the verdict rests on.
    const untilMs = clock.monotonicMs() + this.#leftMs() / 2;
    return this.#round((round) => sampleAnswers({ round, prober, clock, response, untilMs, stop }, around));
  }

  /** Of the bystanders that somebody named to be asked. */
  #sampleOthers(namespace: string | null): Promise<readonly Reply[]> {
    const { clock, prober, stop, question } = this.#options;
    const replies = question.expected.bystanders?.replies ?? [];
    const untilMs = clock.monotonicMs() + this.#leftMs() / 3;
    return bystanderAnswers(
      { round: (ask) => this.#round(ask), clock, prober, untilMs, stop },
      replies,
      namespace,
    );
  }

  async #lists(
    round: Round,
    reads: ReturnType<typeof readsFor>,
    namespace: string | null,
  ): Promise<readonly ReadList[]> {
    const lists = await Promise.all(
      reads.map(({ group, plural }) => listNamed(round, dotted(plural, group), namespace)),
    );
    // What was asked in vain to find a resource is no reading of it.
    for (const { resource, reading } of lists)
      if (resource.kind !== "") this.#exchanges.push(...reading.exchanges);
    return lists;
  }

  /** What the target names beyond its lists. */
  async #follow(
    ref: ObjectRef,
    target: Extract<ObjectReading, { kind: "observed" }>,
    lists: readonly ReadList[],
  ): Promise<readonly FollowedReading[]> {
    const seen = seenIn(
      ref.resource,
      target.object,
      sourceOf(target.exchanges, target.resourceVersion, ref.resource),
    );
    const { expected } = this.#options.question;
    const followed = await follow(
      (questions) => this.#round(questions),
      [seen],
      () => {
        const read = lists.map((list) => evidenceOf(list, ref.namespace));
        return {
          objects: [seen, ...read.flatMap(({ objects }) => objects)],
          asked: read.map(({ asked }) => asked),
          at: this.#from,
          limits: [],
        };
      },
      [...readsOfBystanders(expected.bystanders, seen), ...readsOfApplication(expected)],
    );
    for (const { exchanges } of followed) this.#exchanges.push(...exchanges);
    // A list of its own kind has it once more, in the words of a list; the target is what the GETs around it say.
    return followed.map((one) => ({
      ...one,
      objects: one.objects.filter((object) => !isSameObject(object, seen)),
    }));
  }

  async #get(ref: ObjectRef): Promise<ObjectReading> {
    const reading = await this.#round((round) => round.get(ref));
    this.#exchanges.push(...reading.exchanges);
    return reading;
  }

  /** Each question of a moment is asked in a round of its own; all of them end at one deadline. */
  async #round<T>(ask: (round: Round) => Promise<T>): Promise<T> {
    const { cluster, stop } = this.#options;
    const round = cluster.round({ deadlineMs: this.#leftMs(), stop });
    try {
      return await ask(round);
    } finally {
      round.end();
    }
  }

  #leftMs(): number {
    return Math.max(0, this.#deadlineMs - this.#options.clock.monotonicMs());
  }

  #seen(
    ref: ObjectRef,
    target: Extract<ObjectReading, { kind: "observed" }>,
    { lists, followed }: Beside,
    limits: readonly string[],
  ): Look {
    const { resource, namespace } = ref;
    const source = sourceOf(target.exchanges, target.resourceVersion, resource);
    const seen = seenIn(resource, target.object, source);
    const read = lists.map((list) => evidenceOf(list, namespace));
    return {
      ...this.#collected(
        { kind: dotted(resource.kind, resource.group), namespace },
        [seen, ...[...read, ...followed].flatMap(({ objects }) => objects), ...this.#answers.map(seenReply)],
        [askedFor(ref, { kind: "observed" }, source), ...[...read, ...followed].map(({ asked }) => asked)],
        limits,
      ),
      subject: {
        ref,
        uid: target.uid,
        generation: generationOf(target.object),
        resourceVersion: target.resourceVersion,
      },
      target: target.object,
      lists,
      followed,
      answers: this.#answers,
      exchanges: this.#exchanges,
      unread: null,
    };
  }

  #unseen(
    ref: ObjectRef,
    reading: Exclude<ObjectReading, { kind: "observed" }>,
    limits: readonly string[],
  ): Look {
    const { resource, namespace } = ref;
    // Whose reading it was is said by who judges it.
    const answer: Answer =
      reading.kind === "absent" ? reading : { kind: reading.kind, why: clauseOf(reading.sentence) };
    const asked = askedFor(ref, answer, sourceOf(reading.exchanges, null, resource));
    return {
      ...this.#collected({ kind: qualified(resource), namespace }, [], [asked], limits),
      ...this.#nothing(),
      unread: reading.kind === "absent" ? null : reading.reason,
    };
  }

  /** Which resource is meant could not be told. */
  #nameless(why: string, kind: ReadFailure["kind"], unread: NonNullable<Look["unread"]>): Look {
    const { question } = this.#options;
    const [resource = "", ...group] = question.kind.toLowerCase().split(".");
    const asked: Asked = {
      group: group.join("."),
      resource,
      namespaces: "all",
      name: question.name,
      answer: { kind, why },
      source: { evidence: "GET /apis", pointer: "" },
    };
    return { ...this.#collected(null, [], [asked], []), ...this.#nothing(), unread };
  }

  #nothing(): Pick<Look, "subject" | "target" | "lists" | "followed" | "answers" | "exchanges"> {
    return { subject: null, target: null, lists: [], followed: [], answers: [], exchanges: this.#exchanges };
  }

  #collected(
    meant: Collected["meant"],
    objects: readonly Seen[],
    asked: readonly Asked[],
    limits: readonly string[],
  ): Collected {
    const { cluster, clock } = this.#options;
    const to = clock.now();
    const moment = momentOf(cluster, this.#exchanges);
    return {
      evidence: {
        objects,
        asked,
        at: moment.at === null ? to : moment.at,
        limits: [...moment.limits, ...limits],
      },
      from: this.#from,
      to,
      meant,
      server: cluster.facts.server,
    };
  }
}

const isSameObject = (one: Seen, other: Seen): boolean =>
  one.group === other.group &&
  one.kind === other.kind &&
  one.namespace === other.namespace &&
  one.name === other.name;

/** Why two readings of it are not of one object in one state; null: only its status went on. */
const changedWhole = (
  before: Extract<ObjectReading, { kind: "observed" }>,
  after: Extract<ObjectReading, { kind: "observed" }>,
): string | null => {
  if (before.uid !== after.uid)
    return `it was deleted and made again while it was read (UID ${shown(before.uid)}, then ${shown(after.uid)})`;
  const [was, is] = [generationOf(before.object), generationOf(after.object)];
  return was === is
    ? null
    : `its spec was changed while it was read (generation ${was}, then ${is}); look again`;
};

const torn = (
  ref: ObjectRef,
  why: string,
  { exchanges }: { readonly exchanges: readonly Exchange[] },
): ReadFailure => ({
  kind: "failed",
  reason: "inconsistent",
  sentence: `${qualified(ref.resource)} "${ref.name}" could not be read: ${why}`,
  missing: null,
  exchanges,
});
