/**
 * A live picture on a terminal: what is done scrolls up as ordinary lines, what is at work is redrawn in place below.
 * Redrawn at most ten times a second, at most as many lines as the terminal has, and always cleared and the cursor shown
 * again when it stops or the process exits.
 */
import type { ProgressEvent } from "../../../ports/reporter.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { oneLine } from "../output/one-line.ts";
import { findingTone, statusTone, type Tone } from "../output/style.ts";
import { displayWidth, fitted } from "../output/width.ts";
import { PROGRESS } from "../texts/progress.ts";
import { AtWork } from "./at-work.ts";
import type { Drawing, Progress } from "./progress.ts";
import { elapsed, sentence } from "./sentence.ts";
import { Watched } from "./watched.ts";

const FRAME_MS = 100;
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
/** A line that a terminal takes for wider than we do stays one row. */
const UNBROKEN = "\x1b[?7l";
const BROKEN = "\x1b[?7h";
const CLEAR_BELOW = "\x1b[0J";
const up = (lines: number): string => (lines === 0 ? "\r" : `\x1b[${lines}A\r`);
/** More than this says less. */
const MOST_LINES = 12;
const MARKS = ["-", "\\", "|", "/"] as const;

export const treeProgress = ({ sink, clock, style, ticker }: Drawing): Progress => {
  const beganMs = clock.monotonicMs();
  const work = new AtWork();
  const watched = new Watched();
  const done: string[] = [];
  let drawn: readonly string[] = [];
  let turn = 0;
  let hidden = false;

  const columns = (): number => Math.max(10, (sink.columns ?? 80) - 1);

  const live = (): readonly string[] => {
    const now = clock.monotonicMs();
    const room = Math.max(1, Math.min(MOST_LINES, (sink.rows ?? 24) - 2));
    const seen = watched.lines(now, markAt(turn), { lines: room, columns: columns() }, style);
    return seen.length > 0 ? seen : steps(now, room);
  };

  const steps = (now: number, room: number): readonly string[] => {
    const all = [...work.steps];
    const shown = all.length > room ? all.slice(0, room - 1) : all;
    const name = Math.min(32, Math.max(0, ...shown.map(([step]) => displayWidth(printable(step)))));
    const lines = shown.map(([step, { what, sinceMs, detail }]) => {
      const label = fitted(printable(step), name);
      const padding = " ".repeat(name - displayWidth(label));
      const doing = [what, detail].filter((text) => text !== "").join("; ");
      return `${markAt(turn)} ${label}${padding}  ${elapsed(now - sinceMs).padStart(5)}  ${doing}`;
    });
    if (all.length > shown.length) lines.push(`  ${PROGRESS.more(all.length - shown.length)}`);
    return lines.map((line) => fitted(oneLine(line), columns()));
  };

  const draw = (last: boolean): void => {
    if (last && drawn.length === 0 && done.length === 0 && !hidden) return;
    const lines = last ? [] : live();
    if (!last && lines.length === 0 && drawn.length === 0 && done.length === 0) return;
    const before = hidden ? "" : HIDE;
    hidden = !last;
    sink.write(
      before +
        up(rowsOf(drawn, sink.columns)) +
        CLEAR_BELOW +
        done.map((line) => `${line}\n`).join("") +
        (lines.length === 0 ? "" : UNBROKEN + lines.map((line) => `${line}\n`).join("") + BROKEN) +
        (last ? SHOW : ""),
    );
    done.length = 0;
    drawn = lines;
  };

  const stopTicking = ticker(FRAME_MS, () => {
    turn += 1;
    draw(false);
  });
  const onExit = (): void => {
    if (hidden) sink.write(SHOW);
  };
  process.once("exit", onExit);

  return {
    report: (event) => {
      work.take(event, clock.monotonicMs());
      watched.take(event, clock.monotonicMs());
      const text = lasting(event);
      if (text === null) return;
      done.push(
        `${style("dim", elapsed(clock.monotonicMs() - beganMs).padStart(6))}  ${style(toneOf(event), text)}`,
      );
    },
    stop: () => {
      stopTicking();
      process.off("exit", onExit);
      draw(true);
    },
  };
};

const markAt = (turn: number): string => MARKS[turn % MARKS.length] ?? MARKS[0];

/**
 * How many rows of the terminal the lines take now: one that was made narrower has broken those that do not fit any more,
 * as terminals do that keep what scrolled by.
 */
const rowsOf = (lines: readonly string[], columns: number | null): number =>
  lines.reduce(
    (rows, line) => rows + Math.max(1, Math.ceil(displayWidth(uncoloured(line)) / (columns ?? 80))),
    0,
  );

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that `style` adds
const uncoloured = (line: string): string => line.replaceAll(/\x1b\[\d+m/g, "");

const toneOf = (event: ProgressEvent): Tone => {
  if (event.kind === "step") return statusTone(event.status);
  return event.kind === "finding" ? findingTone(event.finding) : "plain";
};

/** What stays on the screen; the rest is only shown while it lasts. */
const lasting = (event: ProgressEvent): string | null => {
  switch (event.kind) {
    case "step":
    case "note":
    case "operation-began":
      return sentence(event);
    // What is not proven yet stands below, with its latest reason.
    case "finding":
      return event.finding === "proven" && event.of !== null ? sentence(event) : null;
    default:
      return null;
  }
};
