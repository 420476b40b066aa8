/** The live view that the guide shows is the one that is drawn of that state. */
import { expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import { plainStyle } from "../../src/faces/cli/output/style.ts";
import { treeProgress } from "../../src/faces/cli/progress/tree.ts";
import { Collection } from "../../src/judge/collection.ts";
import { heldUp } from "../../src/judge/held-up.ts";
import { NO_COMPARISON } from "../../src/runtime/comparison.ts";
import { lookedAt } from "../../src/runtime/looked.ts";
import { reportIn } from "../../src/runtime/verify.ts";
import { Screen } from "../faces/screen.ts";
import { READ_AT, worldFiles } from "../support/kubernetes/deployment.ts";
import { about, evidenceOf } from "../support/kubernetes/evidence.ts";
import { begun } from "../support/kubernetes/rollouts.ts";
import { readPage } from "./literate.ts";

const COLUMNS = 120;

it("docs/guide/verify.md", async () => {
  const evidence = evidenceOf(worldFiles(begun), READ_AT);
  const collection = new Collection(evidence);
  const question = about("deployment/web");
  const { at } = evidence;
  const collected = { evidence, from: at, to: at, meant: null, server: null };
  const report = reportIn(collection, collected, question, NO_COMPARISON);
  let nowMs = 0;
  let tick = (): void => {};
  const screen = new Screen(COLUMNS, 30);
  const written: Promise<void>[] = [];
  const progress = treeProgress({
    sink: {
      write: (text) => void written.push(screen.write(text)),
      ready: async () => {},
      isTTY: true,
      columns: COLUMNS,
      rows: 30,
    },
    clock: { now: () => instant(nowMs), monotonicMs: () => nowMs, id: "", sleep: async () => {} },
    style: plainStyle,
    ticker: (_, draw) => {
      tick = draw;
      return () => {};
    },
  });
  const look = (windowLeftMs: number) =>
    lookedAt(report, heldUp(collection, evidence, question), { at, windowLeftMs, serverAt: at });
  progress.report(look(300_000));
  nowMs = 42_000;
  const text = "capacity: proven: 2 of 2 wanted Pods are available";
  progress.report({ kind: "finding", of: "capacity", finding: "proven", text });
  progress.report(look(258_000));
  nowMs = 45_000;
  tick();
  await Promise.all(written);
  const drawn = screen.lines.join("\n");
  progress.stop();
  expect(drawn).toContain("503");
  expect(await readPage("docs/guide/verify.md")).toContain(`\`\`\`text\n${drawn}\n\`\`\`\n`);
});
