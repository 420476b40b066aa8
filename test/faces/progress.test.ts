/** Progress while an operation runs, with a clock and a ticker that the test moves. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant, operationId, stepName } from "../../src/domain/ids.ts";
import type { Sink } from "../../src/faces/cli/context.ts";
import { plainStyle } from "../../src/faces/cli/output/style.ts";
import { displayWidth } from "../../src/faces/cli/output/width.ts";
import { jsonProgress } from "../../src/faces/cli/progress/json.ts";
import { plainProgress } from "../../src/faces/cli/progress/plain.ts";
import type { Ticker } from "../../src/faces/cli/progress/progress.ts";
import { treeProgress } from "../../src/faces/cli/progress/tree.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Looked, ProgressEvent } from "../../src/ports/reporter.ts";
import { Screen } from "./screen.ts";

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

/** What a terminal shows after `text`. */
const screen = async (text: string, columns = 60, rows = 10): Promise<Shown> => {
  const shown = new Screen(columns, rows);
  await shown.write(text);
  return { lines: shown.lines, cursorHidden: shown.cursorHidden };
};

interface Shown {
  readonly lines: readonly string[];
  readonly cursorHidden: boolean;
}

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
  it("a provider's tab breaks no line", async () => {
    const { drawing, pass, written } = scene(40);
    const progress = treeProgress(drawing);
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    progress.report({ kind: "progress", step: web, text: "a\tb\tc\td\te\tf\tg\th" });
    pass(1000);
    expect((await screen(written(), 40)).lines).toEqual(["\\ web     1s  creating; a b c d e f g h"]);
    progress.stop();
  });

  it("shows what is at work below what is done, and leaves the terminal as it was", async () => {
    const { drawing, pass, written, ticking } = scene();
    const progress = treeProgress(drawing);
    progress.report({ kind: "operation-began", operation: OP, verb: "apply", steps: 2 });
    progress.report({ kind: "calling", step: db, action: "create", attempt: 1 });
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    pass(3000);
    expect(await screen(written())).toEqual({
      lines: ["    0s  apply op_1 over 2 steps", "\\ db      3s  creating", "\\ web     3s  creating"],
      cursorHidden: true,
    });
    progress.report({ kind: "step", step: db, status: "complete", why: "observed" });
    progress.report({ kind: "waiting", step: web, why: "for settle", untilMs: 20_000 });
    pass(1000);
    expect((await screen(written())).lines).toEqual([
      "    0s  apply op_1 over 2 steps",
      "    3s  db: complete (observed)",
      "| web     4s  creating; waits for settle, 20s at the most",
    ]);
    progress.stop();
    expect(await screen(written())).toEqual({
      lines: ["    0s  apply op_1 over 2 steps", "    3s  db: complete (observed)"],
      cursorHidden: false,
    });
    expect(ticking()).toBe(false);
  });

  it("a stack larger than the terminal: as many as there is room for, and how many more", async () => {
    const { drawing, pass, written } = scene(60, 6);
    const progress = treeProgress(drawing);
    for (let at = 0; at < 1000; at += 1)
      progress.report({ kind: "calling", step: stepName(`step-${at}`), action: "create", attempt: 1 });
    pass(100);
    const { lines } = await screen(written(), 60, 6);
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe("  and 997 more at work");
    progress.stop();
  });

  it("a process that exits in the middle shows the cursor again", async () => {
    const { drawing, pass, written } = scene();
    const before = process.listeners("exit");
    const progress = treeProgress(drawing);
    const [restore] = process.listeners("exit").filter((listener) => !before.includes(listener));
    progress.report({ kind: "calling", step: web, action: "create", attempt: 1 });
    pass(100);
    expect((await screen(written())).cursorHidden).toBe(true);
    restore?.(0);
    expect((await screen(written())).cursorHidden).toBe(false);
    progress.stop();
  });
});

describe("what is watched", () => {
  const looked = (more: Partial<Looked> = {}): Looked => ({
    kind: "looked",
    subject: "Deployment shop/web",
    verdict: "progressing",
    statement: "1 new replica runs v2 and its readiness answers 503; 2 replicas of v1 serve.",
    at: instant(Date.parse("2026-11-30T03:11:40Z")),
    windowLeftMs: 300_000,
    deadlineLeftMs: null,
    waits: [
      { what: "rollout-complete", finding: "progressing", why: "1 of 2 wanted Pods is of the new template" },
      { what: "Pod web-1", finding: "progressing", why: "is not ready since 2m: its readiness answers 503" },
    ],
    more: 0,
    ...more,
  });
  /** A tree on a real emulator. */
  const on = (columns: number, rows: number) => {
    const screen = new Screen(columns, rows);
    const size = { columns, rows };
    const made = scene();
    let seen = 0;
    const sink: Sink = {
      ...made.drawing.sink,
      get columns() {
        return size.columns;
      },
      get rows() {
        return size.rows;
      },
    };
    const progress = treeProgress({ ...made.drawing, sink });
    const shown = async (): Promise<readonly string[]> => {
      const text = made.written().slice(seen);
      seen = made.written().length;
      await screen.write(text);
      return screen.lines;
    };
    const resize = async (to: number): Promise<void> => {
      await shown();
      size.columns = to;
      screen.resize(to, rows);
    };
    return { ...made, progress, screen, shown, resize };
  };

  it("one line for each thing that is waited for, with its time, below the age of the reading", async () => {
    const { progress, pass, shown } = on(100, 24);
    progress.report(looked());
    pass(3_000);
    expect(await shown()).toEqual([
      "\\ Deployment shop/web: progressing; read at 03:11:40Z, 3s ago; 4m57s of the window left",
      "  1 new replica runs v2 and its readiness answers 503; 2 replicas of v1 serve.",
      "  rollout-complete     3s  progressing  1 of 2 wanted Pods is of the new template",
      "  Pod web-1            3s  progressing  is not ready since 2m: its readiness answers 503",
    ]);
    progress.report(
      looked({
        windowLeftMs: 290_000,
        deadlineLeftMs: 60_000,
        waits: [{ what: "Pod web-1", finding: "refuted", why: "crashes again and again" }],
      }),
    );
    pass(1_000);
    expect(await shown()).toEqual([
      "| Deployment shop/web: progressing; read at 03:11:40Z, 1s ago; 4m49s of the window left; its own",
      "  deadline in 59s",
      "  1 new replica runs v2 and its readiness answers 503; 2 replicas of v1 serve.",
      "  Pod web-1     4s  refuted  crashes again and again",
    ]);
    progress.stop();
  });

  it("what is proven scrolls up once, what is not stays below, and nothing is left when it stops", async () => {
    const { progress, pass, shown, screen } = on(100, 24);
    progress.report({
      kind: "finding",
      of: "capacity",
      finding: "progressing",
      text: "capacity: progressing: 1 of 2",
    });
    progress.report(looked());
    pass(1_000);
    progress.report({ kind: "finding", of: "capacity", finding: "proven", text: "capacity: proven: 2 of 2" });
    progress.report({ kind: "note", text: "its spec was changed while it was watched" });
    pass(1_000);
    expect((await shown()).slice(0, 3)).toEqual([
      "    1s  capacity: proven: 2 of 2",
      "    1s  its spec was changed while it was watched",
      "| Deployment shop/web: progressing; read at 03:11:40Z, 2s ago; 4m58s of the window left",
    ]);
    expect(screen.cursorHidden).toBe(true);
    progress.report(looked({ verdict: "proven", waits: [] }));
    pass(100);
    progress.stop();
    expect(await shown()).toEqual([
      "    1s  capacity: proven: 2 of 2",
      "    1s  its spec was changed while it was watched",
    ]);
    expect(screen.cursorHidden).toBe(false);
  });

  it("a look that takes long is told, and what the one before showed stays what it showed", async () => {
    const { progress, pass, shown } = on(130, 24);
    progress.report({ kind: "looking", subject: "deployment/web" });
    pass(2_000);
    expect(await shown()).toEqual(["\\ deployment/web: asking the cluster for 2s"]);
    progress.report(looked());
    pass(5_000);
    progress.report({ kind: "looking", subject: "deployment/web" });
    pass(900);
    expect((await shown())[0]).toBe(
      "/ Deployment shop/web: progressing; read at 03:11:40Z, 5s ago; 4m54s of the window left",
    );
    pass(9_100);
    const [head, ...rest] = await shown();
    expect(head).toBe(
      "- Deployment shop/web: progressing; read at 03:11:40Z, 15s ago; asking again for 10s; 4m45s of the window left",
    );
    expect(rest.join("\n")).toContain("is not ready since 2m: its readiness answers 503");
    progress.stop();
  });

  it("more than there is room for: the worst, and how many more, those that were only counted too", async () => {
    const { progress, pass, shown } = on(100, 8);
    const waits = Array.from({ length: 20 }, (_, at) => ({
      what: `Deployment shop/web-${at}`,
      finding: "progressing" as const,
      why: "1 new replica is not ready",
    }));
    progress.report(looked({ statement: "0 of 40 targets are proven; 40 progressing.", waits, more: 20 }));
    pass(100);
    const lines = await shown();
    expect(lines).toHaveLength(6);
    expect(lines.at(-2)).toContain("Deployment shop/web-2 ");
    expect(lines.at(-1)).toBe("  and 37 more");
    progress.stop();
  });

  it.each([10, 20, 40, 60, 79, 120])(
    "%i columns: no line is broken, with wide characters neither",
    async (columns) => {
      const { progress, pass, shown, written } = on(columns, 24);
      progress.report(
        looked({
          subject: "Deployment 店/網頁",
          statement:
            "1 new replica runs 版本二 and cannot pull the image 網頁:版本二; 2 replicas of v1 serve.",
          waits: [
            {
              what: "Pod 網頁-1",
              finding: "refuted",
              why: "cannot pull the image 網頁:版本二: 錯誤錯誤錯誤",
            },
          ],
        }),
      );
      for (let turn = 0; turn < 5; turn += 1) pass(1_000);
      const lines = await shown();
      expect(lines[0]).toContain("| Deplo".slice(2, 7));
      expect(lines.length).toBeLessThanOrEqual(6);
      for (const line of lines) expect(displayWidth(line)).toBeLessThan(Math.max(columns, 11));
      expect(written()).not.toContain("\t");
      progress.stop();
      expect(await shown()).toEqual([]);
    },
  );

  it.each([
    [100, 40],
    [40, 100],
    [80, 25],
    [100, 20],
  ])(
    "from %i columns to %i: what was drawn is taken away whole, and what stays stays",
    async (before, after) => {
      const { progress, pass, shown, resize } = on(before, 24);
      progress.report({ kind: "note", text: "its spec was changed" });
      progress.report(looked());
      pass(1_000);
      await resize(after);
      pass(1_000);
      const lines = await shown();
      expect(lines[0]).toBe("    0s  its spec was changed");
      expect(lines.filter((line) => line.includes("Depl"))).toHaveLength(1);
      progress.stop();
      expect(await shown()).toEqual(["    0s  its spec was changed"]);
    },
  );

  it("control: lines that are taken for as many rows as before are left behind by a narrower terminal", async () => {
    const screen = new Screen(100, 24);
    await screen.write(`${"x".repeat(90)}\n`);
    screen.resize(40, 24);
    await screen.write("\x1b[1A\r\x1b[0J");
    expect(screen.lines).toEqual(["x".repeat(80)]);
  });

  it("plain says what is new and no more; quiet says nothing; JSON has the time of the reading", () => {
    const plain = scene();
    const progress = plainProgress(plain.drawing);
    progress.report(looked());
    progress.report({
      kind: "finding",
      of: "capacity",
      finding: "progressing",
      text: "capacity: progressing: 1 of 2",
    });
    for (let second = 0; second < 60; second += 1) plain.pass(1_000);
    progress.report(looked());
    progress.stop();
    expect(plain.written()).toBe("    0s  capacity: progressing: 1 of 2\n");
    const json = scene();
    jsonProgress(json.drawing.sink, json.drawing.clock).report(looked({ more: 7 }));
    expect(JSON.parse(String(json.written().trimEnd().split("\n")[1]))).toMatchObject({
      kind: "looked",
      at: "2026-11-30T03:11:40.000Z",
      more: 7,
      waits: [{ what: "rollout-complete" }, { what: "Pod web-1" }],
    });
  });

  it("property: no text of a cluster moves the cursor, begins a line of its own, or breaks one", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\t", "\x1b[2J", "a\nb: proven", "\r\x1b[1A", "\u202egnp", "機械".repeat(40)),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (subject, what, why) => {
        const { progress, pass, shown } = on(50, 7);
        progress.report(looked({ subject, statement: "", waits: [{ what, finding: "refuted", why }] }));
        pass(100);
        pass(100);
        const lines = await shown();
        expect(lines).toHaveLength(2);
        expect(lines[0]?.startsWith("| ")).toBe(true);
        progress.stop();
        expect(await shown()).toEqual([]);
      }),
      { numRuns: 200 },
    );
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
