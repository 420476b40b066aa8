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
  #looked: { readonly event: Looked; readonly atMs: number } | null = null;
  /** Since when each has been waited for. */
  readonly #since = new Map<string, number>();

  take(event: ProgressEvent, nowMs: number): void {
    if (event.kind !== "looked") return;
    this.#looked = { event, atMs: nowMs };
    const there = new Set(event.waits.map(({ what }) => what));
    for (const what of this.#since.keys()) if (!there.has(what)) this.#since.delete(what);
    for (const what of there) if (!this.#since.has(what)) this.#since.set(what, nowMs);
  }

  /** Empty: nothing is watched, or nothing is waited for any more. */
  lines(nowMs: number, mark: string, room: Room, style: Style): readonly string[] {
    if (this.#looked === null || this.#looked.event.verdict === "proven") return [];
    const { event, atMs } = this.#looked;
    const head = this.#head(event, nowMs - atMs, mark, room.columns);
    const statement = statementLines(event, room);
    const left = Math.max(0, room.lines - 1 - statement.length);
    const all = event.waits.length + event.more;
    const shown = all > left ? event.waits.slice(0, Math.max(0, left - 1)) : event.waits;
    const rest = all - shown.length;
    const width = Math.min(
      WIDEST_NAME,
      Math.floor(room.columns / 3),
      Math.max(0, ...shown.map(({ what }) => displayWidth(oneLine(what)))),
    );
    return [
      head,
      ...statement,
      ...shown.map((wait) => this.#wait(wait, nowMs, { width, columns: room.columns }, style)),
      ...(rest > 0 && left > 0 ? [`  ${PROGRESS.andMore(rest)}`] : []),
    ];
  }

  #head(
    { subject, verdict, at, windowLeftMs, deadlineLeftMs }: Looked,
    agoMs: number,
    mark: string,
    columns: number,
  ): string {
    const left = (ms: number): string => elapsed(ms - agoMs);
    const parts = [
      `${oneLine(subject)}: ${verdict}`,
      PROGRESS.asRead(iso(at).slice(11, 19), elapsed(agoMs)),
      PROGRESS.windowLeft(left(windowLeftMs)),
      ...(deadlineLeftMs === null ? [] : [PROGRESS.deadlineLeft(left(deadlineLeftMs))]),
    ];
    return fitted(`${mark} ${parts.join("; ")}`, columns);
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

/** As many lines as there is room for beside at least one that is waited for. */
const statementLines = ({ statement }: Looked, { lines, columns }: Room): readonly string[] => {
  const most = Math.max(0, Math.min(MOST_STATEMENT, lines - 2));
  if (most === 0) return [];
  return wrapped(oneLine(statement), columns - 2, most).map((line) => `  ${line}`);
};
