/**
 * ASFOUND_CRASH_AT, for the proof alone: `POINT` or `POINT:NTH` kills this process with SIGKILL where it passes that
 * point for the nth time; `trace` kills nothing, and writes the name of each point that is passed to stderr.
 */
import { writeSync } from "node:fs";
import { CRASH_POINTS, type CrashPoint, type Reached, unreached } from "../../domain/crash-point.ts";

export const CRASH_VARIABLE = "ASFOUND_CRASH_AT";

export const crashAt = (text: string | undefined): Reached | { readonly fault: string } => {
  if (text === undefined || text === "") return unreached;
  if (text === "trace") return (point) => void writeSync(2, `${CRASH_VARIABLE} ${point}\n`);
  const [, name = "", nth = "1"] = /^([^:]*)(?::([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (!isPoint(name))
    return {
      fault: `${CRASH_VARIABLE} must be POINT, POINT:NTH or trace, where POINT is one of ${Object.keys(CRASH_POINTS).join(", ")}`,
    };
  let left = Number(nth);
  return (point) => {
    if (point !== name) return;
    left -= 1;
    // A KILL that a process sends to itself is there before the next line runs.
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
};

const isPoint = (name: string): name is CrashPoint => Object.hasOwn(CRASH_POINTS, name);
