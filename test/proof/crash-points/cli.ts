/** The real command line in a process of its own: told where to die, how far its clock runs ahead, and what is broken in it. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CRASH_VARIABLE } from "../../../src/adapters/system/crash-at.ts";
import { CRASH_POINTS, type CrashPoint } from "../../../src/domain/crash-point.ts";
import type { Verb } from "../../scenarios/verbs.ts";

const ASFOUND = fileURLToPath(new URL("../../../bin/asfound", import.meta.url));
const PRELOAD = new URL("../../fixtures/crash-points/preload.ts", import.meta.url);

/** One place of the source, written otherwise. */
export interface Mutant {
  /** The end of its path. */
  readonly file: string;
  /** Stands there once. */
  readonly from: string;
  readonly to: string;
}

export interface How {
  /** `POINT:NTH`, or `trace`. */
  readonly crashAt?: string;
  readonly aheadMs?: number;
  /** Several places, where one alone is made up for by another. */
  readonly mutant?: Mutant | readonly Mutant[];
}

export interface Ran {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export const environmentOf = (how: How): Record<string, string> => ({
  CI: "",
  [CRASH_VARIABLE]: how.crashAt ?? "",
  NODE_OPTIONS: how.aheadMs === undefined && how.mutant === undefined ? "" : `--import=${PRELOAD.href}`,
  ASFOUND_TEST_AHEAD_MS: String(how.aheadMs ?? 0),
  ASFOUND_TEST_MUTANT: JSON.stringify(how.mutant === undefined ? [] : [how.mutant].flat()),
});

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export const asfound = (cwd: string, words: readonly string[], how: How = {}): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(ASFOUND, words, {
      cwd,
      env: { ...process.env, ...environmentOf(how) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let out = "";
    let err = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.stderr.on("data", (bytes) => {
      err += bytes;
    });
    child.once("error", reject);
    // Not `close`: a provider's process may hold the pipes after asfound has died.
    child.once("exit", (exit, signal) => {
      running.delete(child);
      setImmediate(() => resolve({ exit, signal, out, err }));
    });
  });

const WORKING = ["--yes", "--progress", "quiet"];

export const RESUME: readonly string[] = ["resume", ...WORKING];

/** A verb of the scenarios as it is typed. */
export const wordsOf = (verb: Verb): readonly string[] => {
  switch (verb.verb) {
    case "apply":
      return ["apply", ...(verb.options?.allowDestroy === true ? ["--allow-destroy"] : []), ...WORKING];
    case "destroy":
      return ["destroy", ...(verb.only ?? []), ...WORKING];
    case "reconcile":
      return [
        "reconcile",
        ...(verb.wait === false ? ["--no-wait"] : []),
        ...(verb.endSurvivors === true ? ["--end-survivor"] : []),
        ...WORKING,
      ];
    case "compensate":
      return ["compensate", ...verb.steps, ...WORKING];
    case "resolve":
      return ["resolve", verb.step, "--as", verb.as, "--reason", "somebody looked", ...WORKING];
    case "import":
      return ["import", verb.step, "--id", verb.id, "--reason", "it was there before", ...WORKING];
    default:
      throw new Error(`these tests never run ${verb.verb} by itself`);
  }
};

const isPoint = (name: string): name is CrashPoint => Object.hasOwn(CRASH_POINTS, name);

/** The points that a traced run passed, in order. */
export const passedIn = (err: string): readonly CrashPoint[] =>
  err.split("\n").flatMap((line) => {
    const [variable, name = ""] = line.split(" ");
    return variable === CRASH_VARIABLE && isPoint(name) ? [name] : [];
  });
