/**
 * A loop without end would hold up this process's own timers too, so a second thread watches: when the same input is
 * under way for two minutes, it says which one and ends the process.
 */
import { Worker } from "node:worker_threads";

export interface Watchdog {
  /** That input is under way now. */
  at(input: number): void;
  stop(): Promise<void>;
}

const PATIENCE_MS = 120_000;

const WATCH = `
const { workerData, parentPort } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const seen = new Int32Array(workerData.shared);
let last = -1;
let since = Date.now();
const timer = setInterval(() => {
  const now = Atomics.load(seen, 0);
  if (now !== last) { last = now; since = Date.now(); return; }
  if (Date.now() - since < workerData.patienceMs) return;
  writeSync(2, "fuzz: hangs: " + workerData.name + ", input " + now + "\\n");
  process.kill(process.pid, "SIGKILL");
}, Math.min(1_000, workerData.patienceMs / 4));
parentPort.once("message", () => clearInterval(timer));
`;

/** Resolves when the second thread runs: it could not begin beside a loop without end. */
export const startWatchdog = async (name: string, patienceMs: number = PATIENCE_MS): Promise<Watchdog> => {
  const shared = new SharedArrayBuffer(4);
  const seen = new Int32Array(shared);
  const worker = new Worker(WATCH, { eval: true, execArgv: [], workerData: { shared, name, patienceMs } });
  await new Promise((resolve, reject) => worker.once("online", resolve).once("error", reject));
  return {
    at: (input) => void Atomics.store(seen, 0, input),
    stop: async () => {
      worker.postMessage("stop");
      await worker.terminate();
    },
  };
};
