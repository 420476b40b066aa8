/**
 * verify --watch: looks again when the target or a Pod of it changes, or after a while, until the claims that count are
 * proven, an end is reached that no waiting changes, or the window is over. Each look stands for itself: a watch only says when to look (V6),
 * and a window that ended is its own thing, no failure of the rollout (V4).
 *
 * The first UID that is seen is the one that is verified: another object of the same name is never taken for it (V3).
 */
import { formatDuration } from "../domain/duration.ts";
import type { Finding } from "../domain/finding.ts";
import type { Question } from "../domain/question.ts";
import { Collection } from "../judge/collection.ts";
import { heldUp } from "../judge/held-up.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type LiveOptions, type Look, liveEvidence, type Subject } from "./collect.ts";
import { lookedAt } from "./looked.ts";
import { untilNextLook } from "./next-look.ts";
import { meantBy, reportIn, type VerdictReport } from "./verify.ts";

export interface Watching {
  readonly windowMs: number;
  /** Look again at the latest after this long. */
  readonly everyMs: number;
  /** End at the first refuted claim. */
  readonly failFast: boolean;
}

/** What no waiting changes (DESIGN §7); a UID that is gone never comes back. */
const FINAL: ReadonlySet<string> = new Set(["progress-deadline-exceeded", "job-failed", "object-replaced"]);
/** What no server can change. */
const OURS: ReadonlySet<Look["unread"]> = new Set(["no-such-kind", "invalid-name", "credentials"]);

/**
 * A rollout changes its object many times a second: so much time is between two looks, and as much as a look took where that
 * is more, so that at most half of the time is spent on asking a large or busy server.
 */
const REST_MS = 250;

/** `last`: told of the look that the verdict is about, and of the question that it answers: with the UID that was seen first. */
export const watchVerdict = async (
  options: LiveOptions,
  watching: Watching,
  reporter: Reporter,
  last: (look: Look, question: Question) => void = () => undefined,
): Promise<VerdictReport> => {
  const { clock, stop } = options;
  const untilMs = clock.monotonicMs() + watching.windowMs;
  const news = new News(reporter);
  const story = new Story(reporter);
  let { question } = options;
  let from: VerdictReport["window"]["from"] | null = null;
  for (;;) {
    const beganMs = clock.monotonicMs();
    reporter.report({ kind: "looking", subject: `${question.kind}/${question.name}` });
    const look = await liveEvidence({ ...options, question }).collect();
    from ??= look.from;
    const { uid } = question.expected;
    if (uid === null && look.subject !== null && look.subject.uid !== null)
      question = { ...question, expected: { ...question.expected, uid: look.subject.uid } };
    const collection = new Collection(look.evidence);
    const report = reportIn(collection, look, question, options.comparison);
    story.tell(look);
    news.tell(report);
    const ended = clock.monotonicMs() >= untilMs;
    reporter.report(
      lookedAt(report, heldUp(collection, look.evidence, meantBy(question, look)), {
        at: look.to,
        windowLeftMs: Math.max(0, untilMs - clock.monotonicMs()),
        serverAt: look.evidence.at,
      }),
    );
    if (ended || stop.aborted || isFinal(report, look, watching)) {
      last(look, question);
      return {
        ...report,
        window: { from, to: look.to, ended },
        trust: { ...report.trust, limits: [...report.trust.limits, ...story.limits] },
      };
    }
    const nowMs = clock.monotonicMs();
    await untilNextLook(options, look, {
      waitMs: Math.max(0, Math.min(watching.everyMs, untilMs - nowMs)),
      restMs: Math.max(REST_MS, nowMs - beganMs),
    });
  }
};

const isFinal = (report: VerdictReport, look: Look, { failFast }: Watching): boolean =>
  report.verdict === "proven" ||
  (failFast && report.verdict === "refuted") ||
  cannotChange(report) ||
  OURS.has(look.unread);

/** Whether no waiting makes anything else of it. */
export const cannotChange = ({ findings }: VerdictReport): boolean =>
  findings.some(({ finding, reason }) => finding !== "progressing" && FINAL.has(reason));

/** What is waited for, one line a claim, and only what is new of it. */
class News {
  readonly #reporter: Reporter;
  readonly #said = new Map<string, string>();

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  tell({ findings }: VerdictReport): void {
    for (const one of findings) {
      const before = this.#said.get(one.claim);
      const now = `${one.finding} ${one.reason} ${withoutAges(one.sentence)}`;
      // What is proven from the start is not waited for.
      if (before === now || (before === undefined && one.finding === "proven")) continue;
      this.#said.set(one.claim, now);
      const { claim: of, finding } = one;
      this.#reporter.report({ kind: "finding", of, finding, text: line(one) });
    }
  }
}

const line = ({ claim, finding, sentence }: Finding): string => `${claim}: ${finding}: ${sentence}`;

/** An age that has grown, or an event that came once more, is no news. */
const withoutAges = (sentence: string): string =>
  sentence.replace(/\b(?:\d+[dhms])+\b|\b(?:once|\d+ times)\b/g, "");

/** What happened to the target, and to the way to it, while it was watched. */
class Story {
  readonly limits: string[] = [];
  readonly #reporter: Reporter;
  #last: Subject | null = null;
  #silent: { readonly sinceMs: number } | null = null;

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  tell(look: Look): void {
    this.#way(look);
    const { subject } = look;
    if (subject === null) return;
    const before = this.#last;
    this.#last = subject;
    if (before === null) return;
    if (before.uid !== subject.uid)
      this.#say(
        `it was deleted and made again while it was watched: its UID was ${before.uid}, and is ${subject.uid}`,
      );
    else if (before.generation !== subject.generation)
      this.#say(
        `its spec was changed while it was watched: generation ${before.generation}, then ${subject.generation}; the verdict is about the latter`,
      );
  }

  /** From the first look without an answer to the next with one. */
  #way({ unread, from, to }: Look): void {
    if (unread !== null) {
      this.#silent ??= { sinceMs: from };
      return;
    }
    if (this.#silent === null) return;
    const { sinceMs } = this.#silent;
    this.#silent = null;
    this.#say(
      `the target could not be read for ${formatDuration(Math.max(1_000, Math.floor((to - sinceMs) / 1_000) * 1_000))} while it was watched; what happened then was not seen`,
    );
  }

  #say(text: string): void {
    this.limits.push(text);
    this.#reporter.report({ kind: "note", text });
  }
}
