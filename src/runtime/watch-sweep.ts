/**
 * verify -l, -A with --watch: sweeps again after a while, until all are proven, one is refuted (with --fail-fast), or the
 * window is over (V4). Each sweep stands for itself. The first UID that is seen of a name is the one that is verified (V3);
 * what comes later is judged too, and what went is said.
 */
import type { Judgement } from "../domain/finding.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type SweepOptions, type Swept, sweptLive } from "./collect-sweep.ts";
import type { Comparison } from "./comparison.ts";
import { nameOf, subjectOf, sweptAt } from "./looked.ts";
import { keyOf, sweepOf, type VerdictList } from "./sweep.ts";
import { cannotChange, type Watching } from "./watch.ts";

/** `last`: told of the sweep that the verdict is about, and of the UIDs that were seen first. */
export const watchSweep = async (
  options: SweepOptions,
  watching: Watching,
  comparison: Comparison,
  reporter: Reporter,
  last: (look: Swept, pins: ReadonlyMap<string, string>) => void = () => undefined,
): Promise<VerdictList> => {
  const { clock, stop, question } = options;
  const untilMs = clock.monotonicMs() + watching.windowMs;
  const pins = new Map<string, string>();
  const story = new Story(reporter);
  let from: VerdictList["window"]["from"] | null = null;
  for (;;) {
    const beganMs = clock.monotonicMs();
    reporter.report({ kind: "looking", subject: subjectOf(question) });
    const swept = await sweptLive(options);
    const look = swept.evidence;
    from ??= look.collected.from;
    for (const seen of look.collected.evidence.objects)
      if (seen.uid !== null && !pins.has(keyOf(seen))) pins.set(keyOf(seen), seen.uid);
    const list = sweepOf(look, question, comparison, pins);
    story.tell(list);
    const ended = clock.monotonicMs() >= untilMs;
    reporter.report(sweptAt(list, look.collected.to, Math.max(0, untilMs - clock.monotonicMs())));
    if (ended || stop.aborted || isFinal(list, watching)) {
      last(swept, pins);
      return {
        ...list,
        window: { from, to: look.collected.to, ended },
        trust: { ...list.trust, limits: [...list.trust.limits, ...story.gone()] },
      };
    }
    const nowMs = clock.monotonicMs();
    // At most half of the time is spent on asking.
    const pauseMs = Math.max(watching.everyMs, nowMs - beganMs);
    await clock.sleep(Math.max(0, Math.min(pauseMs, untilMs - nowMs)), stop);
  }
};

const isFinal = ({ verdict, items, unread }: VerdictList, { failFast }: Watching): boolean =>
  verdict === "proven" ||
  (failFast && verdict === "refuted") ||
  (items.length > 0 &&
    unread.length === 0 &&
    items.every((item) => item.verdict === "proven" || cannotChange(item)));

/** What is new of the targets, one line each. */
class Story {
  readonly #reporter: Reporter;
  readonly #said = new Map<string, string>();
  #last = "";
  #there: ReadonlySet<string> = new Set();

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  tell({ items, statement, verdict }: VerdictList): void {
    this.#there = new Set(items.map(nameOf));
    for (const item of items) {
      const before = this.#said.get(nameOf(item));
      this.#said.set(nameOf(item), item.verdict);
      // What is proven from the start is not waited for.
      if (before === item.verdict || (before === undefined && item.verdict === "proven")) continue;
      const of = nameOf(item);
      this.#tell(of, item.verdict, `${of}: ${item.verdict}: ${item.statement}`);
    }
    if (statement !== this.#last) this.#tell(null, verdict, statement);
    this.#last = statement;
  }

  /** Targets that were there and are not any more: a Pod that was replaced, or something that was deleted. */
  gone(): readonly string[] {
    const gone = [...this.#said.keys()].filter((name) => !this.#there.has(name));
    const MOST = 10;
    const more = gone.length <= MOST ? [] : [`${gone.length - MOST} more were there and are not any more`];
    return [
      ...gone.slice(0, MOST).map((name) => `${name} was there while it was watched, and is not any more`),
      ...more,
    ];
  }

  #tell(of: string | null, finding: Judgement, text: string): void {
    this.#reporter.report({ kind: "finding", of, finding, text });
  }
}
