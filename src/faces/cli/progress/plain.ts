/**
 * One line an event, with the time since the beginning: for logs, pipes and CI. Repeated looks and waits are said once,
 * and what is silent for long is named again, so that a log shows what it is that takes its time.
 */
import type { ProgressEvent } from "../../../ports/reporter.ts";
import { printable } from "../../../wire/redact/printable.ts";
import type { Style } from "../output/style.ts";
import { statusTone } from "../output/style.ts";
import { PROGRESS } from "../texts/progress.ts";
import { AtWork } from "./at-work.ts";
import type { Drawing, Progress } from "./progress.ts";
import { elapsed, sentence } from "./sentence.ts";

/** Silence for this long is broken. */
const SILENCE_MS = 10_000;
/** No more than this many steps are named then. */
const NAMED = 5;

export const plainProgress = ({ sink, clock, style, ticker }: Drawing): Progress => {
  const beganMs = clock.monotonicMs();
  const work = new AtWork();
  const said = new Map<string, string>();
  let lastMs = beganMs;

  const line = (text: string): void => {
    lastMs = clock.monotonicMs();
    sink.write(`${style("dim", elapsed(lastMs - beganMs).padStart(6))}  ${text}\n`);
  };
  const stopTicking = ticker(1000, () => {
    const now = clock.monotonicMs();
    if (now - lastMs < SILENCE_MS || work.steps.size === 0) return;
    const steps = [...work.steps];
    for (const [step, { what, sinceMs, detail }] of steps.slice(0, NAMED)) {
      const name = step === "" ? "" : `${printable(step)}: `;
      const does =
        what === ""
          ? detail
          : `${PROGRESS.still(what, elapsed(now - sinceMs))}${detail === "" ? "" : `; ${detail}`}`;
      line(`${name}${does}`);
    }
    if (steps.length > NAMED) line(PROGRESS.more(steps.length - NAMED));
  });
  return {
    report: (event) => {
      work.take(event, clock.monotonicMs());
      // What is new in a look comes as findings.
      if (event.kind !== "looking" && event.kind !== "looked" && isNews(event, said))
        line(toned(event, style));
    },
    stop: stopTicking,
  };
};

/** A wait is reported again and again while it lasts, and a step is looked at many times: once is enough for a log. */
const isNews = (event: ProgressEvent, said: Map<string, string>): boolean => {
  if (event.kind !== "waiting" && event.kind !== "observing") {
    if ("step" in event) said.delete(String(event.step));
    return true;
  }
  const what = event.kind === "waiting" ? event.why : "observing";
  const step = String(event.step);
  if (said.get(step) === what) return false;
  said.set(step, what);
  return true;
};

const toned = (event: ProgressEvent, style: Style): string =>
  event.kind === "step" ? style(statusTone(event.status), sentence(event)) : sentence(event);
