/**
 * A live picture on a terminal: what is done scrolls up as ordinary lines, what is at work is redrawn in place below.
 * Redrawn at most ten times a second, at most as many lines as the terminal has, and always cleared and the cursor shown
 * again when it stops or the process exits.
 */
import type { ProgressEvent } from "../../../ports/reporter.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { statusTone } from "../output/style.ts";
import { displayWidth, fitted } from "../output/width.ts";
import { PROGRESS } from "../texts/progress.ts";
import { AtWork } from "./at-work.ts";
import type { Drawing, Progress } from "./progress.ts";
import { elapsed, sentence } from "./sentence.ts";

const FRAME_MS = 100;
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";
const CLEAR_BELOW = "\x1b[0J";
const up = (lines: number): string => (lines === 0 ? "\r" : `\x1b[${lines}A\r`);
/** More than this says less. */
const MOST_LINES = 12;
const MARKS = ["-", "\\", "|", "/"] as const;

export const treeProgress = ({ sink, clock, style, ticker }: Drawing): Progress => {
  const beganMs = clock.monotonicMs();
  const work = new AtWork();
  const done: string[] = [];
  let drawn = 0;
  let turn = 0;
  let hidden = false;

  const live = (): readonly string[] => {
    const now = clock.monotonicMs();
    const room = Math.max(1, Math.min(MOST_LINES, (sink.rows ?? 24) - 2));
    const steps = [...work.steps];
    const shown = steps.length > room ? steps.slice(0, room - 1) : steps;
    const name = Math.min(32, Math.max(0, ...shown.map(([step]) => displayWidth(printable(step)))));
    const lines = shown.map(([step, { what, sinceMs, detail }]) => {
      const label = fitted(printable(step), name);
      const padding = " ".repeat(name - displayWidth(label));
      const doing = [what, detail].filter((text) => text !== "").join("; ");
      return `${MARKS[turn % MARKS.length]} ${label}${padding}  ${elapsed(now - sinceMs).padStart(5)}  ${doing}`;
    });
    if (steps.length > shown.length) lines.push(`  ${PROGRESS.more(steps.length - shown.length)}`);
    return lines.map((line) => fitted(line, Math.max(10, (sink.columns ?? 80) - 1)));
  };

  const draw = (last: boolean): void => {
    if (last && drawn === 0 && done.length === 0 && !hidden) return;
    const lines = last ? [] : live();
    if (!last && lines.length === 0 && drawn === 0 && done.length === 0) return;
    const before = hidden ? "" : HIDE;
    hidden = !last;
    sink.write(
      before +
        up(drawn) +
        CLEAR_BELOW +
        done.map((line) => `${line}\n`).join("") +
        lines.map((line) => `${line}\n`).join("") +
        (last ? SHOW : ""),
    );
    done.length = 0;
    drawn = lines.length;
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
      const text = lasting(event);
      if (text === null) return;
      const tone = event.kind === "step" ? statusTone(event.status) : "plain";
      done.push(`${style("dim", elapsed(clock.monotonicMs() - beganMs).padStart(6))}  ${style(tone, text)}`);
    },
    stop: () => {
      stopTicking();
      process.off("exit", onExit);
      draw(true);
    },
  };
};

/** What stays on the screen; the rest is only shown while it lasts. */
const lasting = (event: ProgressEvent): string | null => {
  switch (event.kind) {
    case "step":
    case "note":
    case "operation-began":
      return sentence(event);
    default:
      return null;
  }
};
