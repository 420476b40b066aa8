/**
 * What a watch waits for, as lines that are drawn anew: the target with the age of its reading, its statement, and one line
 * for each thing that is waited for. Everything but the counting of seconds is of the last reading, and says so.
 */
import { iso } from "../../../domain/ids.ts";
import type { Looked, ProgressEvent, Wait } from "../../../ports/reporter.ts";
import { oneLine } from "../output/one-line.ts";
import { findingTone, type Style } from "../output/style.ts";
import { displayWidth, fitted, wrapped } from "../output/width.ts";
import { PROGRESS } from "../texts/progress.ts";
import { elapsed } from "./sentence.ts";

export interface Room {
  readonly lines: number;
  readonly columns: number;
}

/** A statement is no longer than this. */
const MOST_STATEMENT = 3;
const WIDEST_NAME = 40;

export class Watched {
  /** Since when a look is under way. */
  #looking: { readonly subject: string; readonly sinceMs: number } | null = null;
  #looked: { readonly event: Looked; readonly atMs: number } | null = null;
  /** Since when each has been waited for. */
  readonly #since = new Map<string, number>();

  take(event: ProgressEvent, nowMs: number): void {
    if (event.kind === "looking") this.#looking = { subject: event.subject, sinceMs: nowMs };
    if (event.kind !== "looked") return;
    this.#looking = null;
    this.#looked = { event, atMs: nowMs };
    const there = new Set(event.waits.map(({ what }) => what));
    for (const what of this.#since.keys()) if (!there.has(what)) this.#since.delete(what);
    for (const what of there) if (!this.#since.has(what)) this.#since.set(what, nowMs);
  }

  /** Empty: nothing is watched, or nothing is waited for any more. */
  lines(nowMs: number, mark: string, room: Room, style: Style): readonly string[] {
    const askedMs = this.#looking === null ? 0 : nowMs - this.#looking.sinceMs;
    if (this.#looked !== null) {
      const { event, atMs } = this.#looked;
      if (event.verdict === "proven") return [];
      const head = headOf(event, { agoMs: nowMs - atMs, askedMs }, room);
      const statement = statementOf(event, { ...room, lines: room.lines - head.length });
      const left = { ...room, lines: room.lines - head.length - statement.length };
      return [...marked(head, mark), ...statement, ...this.#waits(event, nowMs, left, style)];
    }
    if (this.#looking === null) return [];
    const asking = `${oneLine(this.#looking.subject)}: ${PROGRESS.askingFor(elapsed(askedMs))}`;
    return marked([fitted(asking, room.columns - INDENT)], mark);
  }

  #waits({ waits, more }: Looked, nowMs: number, { lines, columns }: Room, style: Style): readonly string[] {
    const all = waits.length + more;
    const shown = all > lines ? waits.slice(0, Math.max(0, lines - 1)) : waits;
    const widest = Math.max(0, ...shown.map(({ what }) => displayWidth(oneLine(what))));
    const width = Math.min(WIDEST_NAME, Math.floor(columns / 3), widest);
    const rest = all - shown.length;
    return [
      ...shown.map((wait) => this.#wait(wait, nowMs, { width, columns }, style)),
      ...(rest > 0 && lines > 0 ? [`  ${PROGRESS.andMore(rest)}`] : []),
    ];
  }

  #wait(
    { what, finding, why }: Wait,
    nowMs: number,
    { width, columns }: { readonly width: number; readonly columns: number },
    style: Style,
  ): string {
    const name = fitted(oneLine(what), width);
    const since = this.#since.get(what);
    const padding = " ".repeat(Math.max(0, width - displayWidth(name)));
    const lead = `  ${name}${padding}  ${elapsed(since === undefined ? 0 : nowMs - since).padStart(5)}  `;
    const rest = columns - displayWidth(lead) - finding.length - 2;
    // Too narrow for a reason: what there is room for, without colours that could be cut.
    if (rest < 1) return fitted(`${lead}${finding}`, columns);
    return `${lead}${style(findingTone(finding), finding)}  ${fitted(oneLine(why), rest)}`;
  }
}

/** Before each line but the first, which has a mark there. */
const INDENT = 2;

const marked = (lines: readonly string[], mark: string): readonly string[] =>
  lines.map((line, at) => `${at === 0 ? mark : " "} ${line}`);

/** An answer usually takes less; what takes longer is told. */
const SLOW_MS = 1_000;
/** With fewer lines than this the times are cut rather than what is waited for. */
const ROOMY = 6;

/** `askedMs`: how long the next look has been under way; 0: it is not. */
const headOf = (
  { subject, verdict, at, windowLeftMs, deadlineLeftMs }: Looked,
  { agoMs, askedMs }: { readonly agoMs: number; readonly askedMs: number },
  { lines, columns }: Room,
): readonly string[] => {
  const left = (ms: number): string => elapsed(ms - agoMs);
  const parts = [
    `${oneLine(subject)}: ${verdict}`,
    PROGRESS.asRead(iso(at).slice(11, 19), elapsed(agoMs)),
    ...(askedMs < SLOW_MS ? [] : [PROGRESS.askingAgain(elapsed(askedMs))]),
    PROGRESS.windowLeft(left(windowLeftMs)),
    ...(deadlineLeftMs === null ? [] : [PROGRESS.deadlineLeft(left(deadlineLeftMs))]),
  ];
  return wrapped(parts.join("; "), columns - INDENT, lines < ROOMY ? 1 : 2);
};

/** As many lines as there is room for beside at least one that is waited for. */
const statementOf = ({ statement }: Looked, { lines, columns }: Room): readonly string[] => {
  const most = Math.max(0, Math.min(MOST_STATEMENT, lines - 1));
  if (most === 0) return [];
  return wrapped(oneLine(statement), columns - INDENT, most).map((line) => `  ${line}`);
};
