/** Every system call of an operation on the ledger's files, and each of them made to fail in a run of its own. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cloudStep, makePlace, type Place, stackText } from "../../scenarios/place.ts";
import { endsClean, faultsOf, REQUEST } from "./judge.ts";
import { type Ran, type Thread, traced } from "./strace.ts";

export const STEPS = ["a", "b"] as const;

/** Two steps in a row, so that there is a call left that must not be sent. */
const stack = (size: string): string =>
  stackText([
    cloudStep("a", { lines: ["settle: 100ms"], with: [`inputs: { size: "${size}" }`] }),
    cloudStep("b", { lines: ["settle: 100ms", "needs: [a]"], with: [`inputs: { size: "${size}" }`] }),
  ]);

export interface Operation {
  readonly name: string;
  readonly words: readonly string[];
  prepare(place: Place): Promise<void>;
}

const applied = async (place: Place): Promise<void> => {
  await place.writeStack(stack("1"));
  const done = await place.apply();
  if (done.exit !== 0) throw new Error(`the stack could not be prepared: ${JSON.stringify(done)}`);
  // What is judged is what the operation under test sends.
  await rm(join(place.cloud, "log"));
};

const HOW = ["--yes", "--progress", "json"] as const;

export const FIRST_APPLY: Operation = {
  name: "a first apply",
  words: ["apply", ...HOW],
  prepare: (place) => place.writeStack(stack("1")),
};

export const UPDATE: Operation = {
  name: "an apply over what is there",
  words: ["apply", ...HOW],
  prepare: async (place) => {
    await applied(place);
    await place.writeStack(stack("2"));
  },
};

export const DESTROY: Operation = { name: "a destroy", words: ["destroy", ...HOW], prepare: applied };

/** The n-th call of that name on that thread. */
export interface Target {
  readonly thread: Thread;
  readonly call: string;
  readonly n: number;
  /** The file it is about, without what is drawn anew in each run. */
  readonly file: string;
  /** Which of the calls of that name on that file it is, from 1. */
  readonly nth: number;
}

const fileOf = (place: Place, path: string): string =>
  path
    .slice(place.folder.length)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replace(/[^/]*\.slot$/, "….slot");

export const inPlace = async <T>(operation: Operation, use: (place: Place) => Promise<T>): Promise<T> => {
  const place = await makePlace();
  try {
    await operation.prepare(place);
    return await use(place);
  } finally {
    await place.end();
  }
};

/** All calls on files of the project's folder, the ledger, its log and index, its key, lock and spool among them. */
export const targetsOf = async (operation: Operation): Promise<readonly Target[]> => {
  // What is loaded for the first time is cached, and makes calls that later runs do not make.
  await inPlace(operation, (place) => traced(place, operation.words, { thread: "main" }));
  const found = (thread: Thread) =>
    inPlace(operation, async (place) => {
      const ran = await traced(place, operation.words, { thread });
      if (ran.exit !== 0) throw new Error(`without any fault it exits with ${ran.exit}: ${ran.err}`);
      return counted(place, ran).map((target) => ({ ...target, thread }));
    });
  return [...(await found("main")), ...(await found("pool"))];
};

/** Which sync on the main thread is the last one before anything is sent: that of the first intent. */
export const syncBeforeFirstCall = (operation: Operation): Promise<number> =>
  inPlace(operation, async (place) => {
    const { calls } = await traced(place, operation.words, { thread: "main" });
    const sent = calls.findIndex((call) => call.name === "write" && REQUEST.test(call.args));
    return calls.slice(0, sent).filter((call) => call.name === "fsync").length;
  });

export interface Fault {
  readonly calls: readonly string[];
  readonly error: string;
  /** What the operation may exit with. */
  readonly exits: readonly number[];
  /** Modules that break asfound, for a control. */
  readonly broken?: readonly string[];
}

/** The calls on our files, with their numbers. */
const counted = (
  place: Place,
  { calls }: Ran,
): readonly (Omit<Target, "thread"> & { isStruck: boolean })[] => {
  const seen = new Map<string, number>();
  const count = (what: string): number => {
    const n = (seen.get(what) ?? 0) + 1;
    seen.set(what, n);
    return n;
  };
  return calls.flatMap(({ name, path, isStruck }) => {
    const n = count(name);
    const isOurs = path !== null && (path === place.folder || path.startsWith(`${place.folder}/`));
    if (!isOurs) return [];
    const file = fileOf(place, path);
    return [{ call: name, n, file, nth: count(`${name} ${file}`), isStruck }];
  });
};

/**
 * How many calls of a name come before one may differ a little from run to run (a wake-up of the event loop is a
 * `write`), so one that was missed is tried again: every other time where the run before had it, else beside.
 */
const TRIES = 24;
const BESIDE: readonly number[] = [0, -1, 0, 1, 0, -2, 0, 2, 0, -3, 0, 3];

/** One sentence for each thing that does not hold, with the call it goes with. */
export const strike = async (
  operation: Operation,
  target: Target,
  fault: Fault,
): Promise<readonly string[]> => {
  const { thread, call, file, nth } = target;
  let { n } = target;
  const missed: string[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const when = Math.max(1, n + (BESIDE[tried % BESIDE.length] ?? 0));
    const found = await inPlace(operation, async (place) => {
      const inject = [`${call}:error=${fault.error}:when=${when}`];
      const ran = await traced(place, operation.words, { thread, inject, broken: fault.broken ?? [] });
      const ours = counted(place, ran).find(
        (each) => each.call === call && each.file === file && each.nth === nth,
      );
      if (ours?.isStruck === true && ran.calls.filter((each) => each.isStruck).length === 1)
        return [...(await faultsOf(place, ran, fault.exits)), ...(await endsClean(place, STEPS))];
      missed.push(`${when} (it was ${ours?.n ?? "not come to"})`);
      n = ours?.n ?? n;
      return null;
    });
    if (found !== null) return found.map((sentence) => `${thread} ${call} ${n} of ${file}: ${sentence}`);
  }
  return [`${thread} ${call} of ${file}, the ${nth}. of its kind, was never struck: ${missed.join(", ")}`];
};

const LANES = 2;

/** One after another in two lanes; the machine that this runs on has two cores. */
export const inLanes = async <T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<readonly R[]> => {
  const waiting = [...items];
  const results: R[] = [];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await run(item));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
};
