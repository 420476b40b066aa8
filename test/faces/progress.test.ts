/** Progress while an operation runs, with a clock and a ticker that the test moves. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant, operationId, stepName } from "../../src/domain/ids.ts";
import type { Sink } from "../../src/faces/cli/context.ts";
import { plainStyle } from "../../src/faces/cli/output/style.ts";
import { jsonProgress } from "../../src/faces/cli/progress/json.ts";
import { plainProgress } from "../../src/faces/cli/progress/plain.ts";
import type { Ticker } from "../../src/faces/cli/progress/progress.ts";
import { treeProgress } from "../../src/faces/cli/progress/tree.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ProgressEvent } from "../../src/ports/reporter.ts";

const OP = operationId("op_1");
const web = stepName("web");
const db = stepName("db");

const scene = (columns = 60, rows = 10) => {
  let nowMs = 0;
  let text = "";
  const ticks = new Set<() => void>();
  const clock: Clock = { now: () => instant(nowMs), monotonicMs: () => nowMs, id: "", sleep: async () => {} };
  const sink: Sink = {
    write: (more) => {
      text += more;
    },
    ready: async () => {},
    isTTY: true,
    columns,
    rows,
  };
  const ticker: Ticker = (_, tick) => {
    ticks.add(tick);
    return () => ticks.delete(tick);
  };
  return {
    drawing: { sink, clock, style: plainStyle, ticker },
    pass: (ms: number) => {
      nowMs += ms;
      for (const tick of ticks) tick();
    },
    written: () => text,
    ticking: () => ticks.size > 0,
  };
};

/** What a terminal shows after `text`: enough of one for what the tree writes. */
const screen = (text: string): { lines: readonly string[]; cursorHidden: boolean } => {
  let lines = [""];
  let row = 0;
  let hidden = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys
  for (const [part] of text.matchAll(/\x1b\[\??(\d*)[A-Za-z]|\n|\r|[^\x1b\n\r]+/g)) {
    if (part === "\n") {
      row += 1;
      lines[row] ??= "";
    } else if (part === "\r") continue;
    else if (part === "\x1b[?25l") hidden = true;
    else if (part === "\x1b[?25h") hidden = false;
    else if (part === "\x1b[0J") lines = [...lines.slice(0, row), ""];
    else if (part.endsWith("A")) row -= Number(part.slice(2, -1));
    else lines[row] = part;
  }
  return { lines: lines.filter((line) => line !== ""), cursorHidden: hidden };
};

describe("plain", () => {
  it("one line an event, with the time since the beginning", () => {
    const { drawing, pass, written } = scene();
    const progress = plainProgress(drawing);
    progress.report({ kind: "operation-began", operation: OP, verb: "apply", steps: 2 });
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    pass(2500);
    progress.report({ kind: "progress", step: web, text: "half way" });
    progress.report({ kind: "step", step: web, status: "complete", why: "observed" });
    progress.report({ kind: "operation-ended", operation: OP, summary: "1 of 2 steps are complete" });
    progress.stop();
    expect(written()).toBe(
      "    0s  apply op_1 over 2 steps\n    0s  web: creating\n    2s  web: half way\n    2s  web: complete (observed)\n    2s  1 of 2 steps are complete\n",
    );
  });

  it("says a wait once, and breaks a long silence with what it is that takes its time", () => {
    const { drawing, pass, written, ticking } = scene();
    const progress = plainProgress(drawing);
    progress.report({ kind: "calling", step: web, action: "create", attempt: 2 });
    const waiting: ProgressEvent = { kind: "waiting", step: web, why: "for settle", untilMs: 30_000 };
    for (let second = 0; second < 10; second += 1) {
      pass(1000);
      progress.report(waiting);
    }
    pass(1000);
    expect(written()).toBe(
      "    0s  web: creating (attempt 2)\n    1s  web: waits for settle, 30s at the most\n   11s  web: still creating, for 11s; waits for settle, 30s at the most\n",
    );
    progress.stop();
    expect(ticking()).toBe(false);
  });
});

describe("tree", () => {
  it("shows what is at work below what is done, and leaves the terminal as it was", () => {
    const { drawing, pass, written, ticking } = scene();
    const progress = treeProgress(drawing);
    progress.report({ kind: "operation-began", operation: OP, verb: "apply", steps: 2 });
    progress.report({ kind: "calling", step: db, action: "create", attempt: 1 });
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    pass(3000);
    expect(screen(written())).toEqual({
      lines: ["    0s  apply op_1 over 2 steps", "\\ db      3s  creating", "\\ web     3s  creating"],
      cursorHidden: true,
    });
    progress.report({ kind: "step", step: db, status: "complete", why: "observed" });
    progress.report({ kind: "waiting", step: web, why: "for settle", untilMs: 20_000 });
    pass(1000);
    expect(screen(written()).lines).toEqual([
      "    0s  apply op_1 over 2 steps",
      "    3s  db: complete (observed)",
      "| web     4s  creating; waits for settle, 20s at the most",
    ]);
    progress.stop();
    expect(screen(written())).toEqual({
      lines: ["    0s  apply op_1 over 2 steps", "    3s  db: complete (observed)"],
      cursorHidden: false,
    });
    expect(ticking()).toBe(false);
  });

  it("a stack larger than the terminal: as many as there is room for, and how many more", () => {
    const { drawing, pass, written } = scene(60, 6);
    const progress = treeProgress(drawing);
    for (let at = 0; at < 1000; at += 1)
      progress.report({ kind: "calling", step: stepName(`step-${at}`), action: "create", attempt: 1 });
    pass(100);
    const { lines } = screen(written());
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe("  and 997 more at work");
    progress.stop();
  });

  it("a process that exits in the middle shows the cursor again", () => {
    const { drawing, pass, written } = scene();
    const before = process.listeners("exit");
    const progress = treeProgress(drawing);
    const [restore] = process.listeners("exit").filter((listener) => !before.includes(listener));
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    pass(100);
    expect(screen(written()).cursorHidden).toBe(true);
    restore?.(0);
    expect(screen(written()).cursorHidden).toBe(false);
    progress.stop();
  });
});

it("json: one event a line, the first names the stream", () => {
  const { drawing, pass, written } = scene();
  const progress = jsonProgress(drawing.sink, drawing.clock);
  pass(1500);
  progress.report({ kind: "step", step: web, status: "error", why: "a\nb" });
  const lines = written()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { apiVersion: "asfound.dev/v1alpha1", kind: "ProgressStream", version: 1 },
    { elapsedMs: 1500, kind: "step", step: "web", status: "error", why: "a\nb" },
  ]);
});

it("property: nothing that a provider prints can move the cursor, or begin a line of its own", () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\x1b[2J", "a\nb: complete", "\r\x1b[1A"),
  );
  fc.assert(
    fc.property(text, text, (step, said) => {
      const { drawing, written } = scene();
      const progress = plainProgress(drawing);
      progress.report({ kind: "progress", step: stepName(step), text: said });
      progress.report({ kind: "waiting", step: stepName(step), why: said, untilMs: null });
      progress.report({ kind: "step", step: stepName(step), status: "error", why: said });
      progress.report({ kind: "note", text: said });
      progress.stop();
      expect(written().split("\n")).toHaveLength(5);
      expect(written()).not.toMatch(unsafe);
    }),
  );
});
