/**
 * One verb in a process of its own, so that it can be killed, stopped and signalled. Its only argument is a `Job` as
 * JSON. Progress goes to stderr as JSON lines, the result to stdout as one; the exit code is the verb's.
 */
import { writeSync } from "node:fs";
import { armSignals, openProject, systemClock, type Where } from "../../src/compose.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { StoreFault } from "../../src/ports/store.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { statusOf } from "../../src/runtime/status.ts";
import { type Ahead, ahead, type Kind, tapped } from "./tap.ts";
import { CREATES, perform, type Verb } from "./verbs.ts";

export interface Job {
  readonly where: Omit<Where, "vars" | "environment" | "needsFile">;
  readonly environment: Readonly<Record<string, string>>;
  readonly verb: Verb | { readonly verb: "status" };
  readonly ahead: Ahead;
  readonly graceMs: number;
  /** What the process does to itself, and when: at the nth commit, or at the first that holds a record of that kind. */
  readonly strike: {
    /** `EIO`: the store cannot take it, each time. */
    readonly signal: "SIGKILL" | "SIGSTOP" | "EIO";
    readonly when: "before" | "after";
    readonly at: Kind | number;
  } | null;
  /** A control: every provider is broken by `MUTANTS[name]` of that module, on its way to the runtime. */
  readonly mutant: { readonly module: string; readonly name: string } | null;
}

/** Synchronous: what was told is there even if this process is killed right after. */
const tell = (fd: number, value: unknown): void => {
  const bytes = Buffer.from(`${JSON.stringify(value, (_, v) => (v instanceof Map ? [...v] : v))}\n`);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
};

const main = async (job: Job): Promise<number> => {
  const { verb, strike } = job;
  const signals = armSignals({
    onDrain: (signal) => tell(2, { kind: "drain", signal }),
    graceMs: job.graceMs,
    clock: systemClock,
  });
  const where: Where = {
    ...job.where,
    vars: new Map(),
    environment: { ...process.env, CI: "", ...job.environment },
    needsFile: verb.verb === "apply",
  };
  const access = verb.verb === "status" ? "read" : CREATES.has(verb.verb) ? "create" : "write";
  const project = await openProject(where, access, {
    reporter: { report: (event) => tell(2, event) },
    interrupt: signals,
  });
  if (project.kind !== "project") {
    tell(1, project);
    return project.kind === "refused" ? project.exit : 2;
  }
  const hit = (kinds: readonly Kind[], nth: number): boolean =>
    strike !== null && (typeof strike.at === "number" ? nth === strike.at : kinds.includes(strike.at));
  let struck = false;
  const act = (kinds: readonly Kind[], nth: number, when: "before" | "after"): void => {
    if (strike === null || strike.when !== when || !hit(kinds, nth)) return;
    if (strike.signal === "EIO") throw new StoreFault("not-durable", "the disk says EIO");
    if (struck) return;
    struck = true;
    tell(2, { kind: "strike", at: kinds, nth });
    process.kill(process.pid, strike.signal);
  };
  const mutate = await mutantOf(job);
  const described = new Map(
    [...project.described].map(([step, known]) => [step, { ...known, provider: mutate(known.provider) }]),
  );
  const runtime: Runtime = {
    ...project.runtime,
    provider: async (name) => {
      const provider = await project.runtime.provider(name);
      return provider === undefined ? undefined : mutate(provider);
    },
    clock: ahead(systemClock, () => job.ahead),
    store: tapped(project.runtime.store, {
      before: (kinds, nth) => act(kinds, nth, "before"),
      after: async (kinds, nth) => {
        act(kinds, nth, "after");
        // Everybody must see the stop before the next line runs.
        if (struck) await systemClock.sleep(50);
      },
    }),
  };
  try {
    if (verb.verb === "status") {
      const report = await statusOf(runtime, project.stackName);
      tell(1, report ?? null);
      return report?.exit ?? 0;
    }
    const done = await perform({ ...project, described, runtime }, verb);
    tell(1, done);
    return done.exit;
  } finally {
    await project.close();
    signals.disarm();
  }
};

const mutantOf = async ({ mutant }: Job): Promise<(provider: Provider) => Provider> => {
  if (mutant === null) return (provider) => provider;
  const { MUTANTS } = (await import(mutant.module)) as { MUTANTS: Record<string, (p: Provider) => Provider> };
  const mutate = MUTANTS[mutant.name];
  if (mutate === undefined) throw new Error(`there is no mutant ${mutant.name}`);
  return mutate;
};

process.exitCode = await main(JSON.parse(process.argv[2] ?? "") as Job);
