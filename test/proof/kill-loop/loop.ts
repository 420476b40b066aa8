/**
 * The loop: a plan carried out by up to four processes at a time over one ledger, with everything killed that the plan
 * kills; then all of it wound up without kills, and judged. A stack's operations keep their order, since all of them are
 * one lane's; two processes work on one stack only where the plan says so.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctor, systemClock } from "../../../src/compose.ts";
import type { StepState } from "../../../src/domain/state.ts";
import type { Done } from "../../../src/runtime/operation.ts";
import type { Refused } from "../../../src/runtime/runtime.ts";
import type { Job } from "../../scenarios/driver.ts";
import { makePlace, PAST_CALL_BY_MS, type Place } from "../../scenarios/place.ts";
import { type RemoteCloud, spawnCloud } from "../../support/cloud.ts";
import { doubled, lost, unsent } from "./checks.ts";
import { alive, type Evidence, execEvidence, httpEvidence, together } from "./evidence.ts";
import { type Kill, type PlannedOperation, planOf, type Run, verbOf } from "./plan.ts";
import { LATEST_MS, type StackShape, stackFile } from "./stack.ts";
import { endOfProviders, endProviders } from "./survivors.ts";

export interface LoopOptions {
  readonly seed: number;
  readonly operations: number;
  readonly stacks: readonly StackShape[];
  /** Controls. */
  readonly mutant?: string;
  readonly cloudIs?: string;
}

export interface Judged {
  readonly findings: readonly string[];
  /** What happened how often: a loop in which nothing was killed proves nothing. */
  readonly counts: ReadonlyMap<string, number>;
  /** Of each stack with a finding: its clouds' logs and its journal. */
  readonly stories: readonly string[];
}

const LANES = 4;
const DOWN_FOR_LINES = 4;
const COMPILE_CACHE = "NODE_COMPILE_CACHE";
const MUTANTS = new URL("mutants.ts", import.meta.url).href;
/** Every exit that is a sentence about the world, and not about a fault in asfound. */
const EXITS: ReadonlySet<number | null> = new Set([0, 10, 20, 21, 23, 30]);

interface Stack {
  readonly shape: StackShape;
  readonly place: Place;
  readonly killed: Set<string>;
}

export const runLoop = async (options: LoopOptions): Promise<Judged> => {
  const root = mkdtempSync(join(tmpdir(), "loop-"));
  const loop = new Loop(options, root);
  // Hundreds of processes of the same program: compiled once.
  const before = process.env[COMPILE_CACHE];
  process.env[COMPILE_CACHE] = join(root, "compiled");
  try {
    return await loop.run();
  } finally {
    if (before === undefined) delete process.env[COMPILE_CACHE];
    else process.env[COMPILE_CACHE] = before;
    await loop.end();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
};

class Loop {
  readonly #options: LoopOptions;
  readonly #root: string;
  readonly #counts = new Map<string, number>();
  readonly #findings: string[] = [];
  readonly #stories: string[] = [];
  readonly #stacks: Stack[] = [];
  #cloud: RemoteCloud | null = null;
  #downs = 0;

  constructor(options: LoopOptions, root: string) {
    this.#options = options;
    this.#root = root;
  }

  async run(): Promise<Judged> {
    const { seed, operations, stacks } = this.#options;
    const plan = planOf(
      seed,
      operations,
      stacks.map(({ name }) => name),
    );
    const once = stacks
      .filter(({ http }) => http === "once")
      .map(({ name }) => [name, { keys: "ignore" as const }]);
    this.#cloud = await spawnCloud({ faults: plan.httpFaults, kinds: Object.fromEntries(once) });
    for (const shape of stacks) {
      const place = await makePlace(this.#root);
      if (this.#options.cloudIs !== undefined) await place.cloudIs(this.#options.cloudIs);
      this.#stacks.push({ shape, place, killed: new Set() });
    }
    await lanes(
      (lane) => plan.operations.filter(({ stack }) => stack % LANES === lane),
      (planned) => this.#carryOut(planned),
    );
    await this.#cloud.setFaults([]);
    const touched = [...new Set(plan.operations.map(({ stack }) => stack))];
    await lanes(
      (lane) => touched.filter((stack) => stack % LANES === lane),
      (stack) => this.#judge(this.#stacks[stack] as Stack),
    );
    await this.#checkLedger();
    return { findings: this.#findings, counts: this.#counts, stories: this.#stories };
  }

  async end(): Promise<void> {
    await this.#cloud?.end();
    for (const { place } of this.#stacks) await place.end();
    await endProviders(this.#root);
  }

  #count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  get cloud(): RemoteCloud {
    if (this.#cloud === null) throw new Error("the cloud was not started");
    return this.#cloud;
  }

  // ---- one operation -----------------------------------------------------------------------------------------------

  async #carryOut(planned: PlannedOperation): Promise<void> {
    const stack = this.#stacks[planned.stack] as Stack;
    const { place, shape } = stack;
    const where = { ledger: join(this.#root, "ledger.db"), cloudUrl: this.cloud.url };
    await place.writeStack(stackFile(shape, where, planned.version));
    if (planned.execFault !== null)
      writeFileSync(join(place.cloud, "faults", planned.execFault.call), `${planned.execFault.what}\n`);
    if (planned.timePasses) {
      await this.#quiet(shape.name);
      place.passTime(PAST_CALL_BY_MS);
    }
    const runs = [this.#run(stack, planned, planned.cloudDownAt)];
    if (planned.rival !== null) runs.push(this.#run(stack, planned.rival, null));
    await Promise.all(runs);
    if (planned.execFault !== null)
      rmSync(join(place.cloud, "faults", planned.execFault.call), { force: true });
    this.#count("operations");
  }

  async #run(stack: Stack, run: Run, cloudDownAt: number | null): Promise<void> {
    const { mutant } = this.#options;
    const child = stack.place.start(verbOf(run), {
      strike: strikeOf(run.kill),
      mutant: mutant === undefined ? null : { module: MUTANTS, name: mutant },
    });
    let said = 0;
    let down: Promise<void> | null = null;
    let back: Promise<void> | null = null;
    child.process.stderr?.on("data", (chunk: Buffer) => {
      for (const byte of chunk) {
        if (byte !== 10) continue;
        said += 1;
        if (run.kill?.by === "line" && run.kill.nth === said) child.process.kill("SIGKILL");
        if (cloudDownAt === said) down = this.#cloudGoesDown();
        if (down !== null && said === (cloudDownAt ?? 0) + DOWN_FOR_LINES) back = this.#cloudComesBack(down);
      }
    });
    const ended = await child.ended;
    if (down !== null) await (back ?? this.#cloudComesBack(down));
    this.#count(`${run.verb} ${ended.signal ?? `exit ${ended.exit}`}`);
    if (ended.signal === null) {
      if (!EXITS.has(ended.exit))
        this.#findings.push(`broken: ${run.verb} of ${stack.shape.name}: ${ended.output}`);
      return;
    }
    this.#count("asfound killed");
    for (const event of child.events)
      if (event.kind === "operation-began") stack.killed.add(String(event["operation"]));
  }

  async #cloudGoesDown(): Promise<void> {
    this.#count("cloud down");
    this.#downs += 1;
    await this.cloud.refuse();
  }

  /** The last of those who took it down brings it back. */
  async #cloudComesBack(down: Promise<void>): Promise<void> {
    await down;
    this.#downs -= 1;
    if (this.#downs === 0) await this.cloud.accept();
  }

  /** Nothing that the HTTP cloud was asked for is still to come. Its timers run before it answers a question. */
  async #quiet(kind: string): Promise<void> {
    for (;;) {
      const log = await this.cloud.log();
      const last = log.findLast((entry) => entry.kind === kind);
      const left = last === undefined ? 0 : last.at + LATEST_MS - systemClock.now();
      if (left <= 0) return;
      await systemClock.sleep(left + 1);
    }
  }

  // ---- the end -------------------------------------------------------------------------------------------------------

  async #judge(stack: Stack): Promise<void> {
    const { place, shape } = stack;
    const found: string[] = [];
    await endOfProviders(place.cloud);
    await this.#quiet(shape.name);
    place.passTime(PAST_CALL_BY_MS);
    if (await isKnown(place)) {
      found.push(...lost(await this.#evidence(stack), await ledgerOf(stack)));
      found.push(...(await this.#windUp(stack)));
      const evidence = await this.#evidence(stack);
      const ledger = await ledgerOf(stack);
      found.push(...doubled(evidence), ...unsent(evidence, ledger.records), ...lost(evidence, ledger));
      for (const fault of evidence.faults) this.#count(fault);
      this.#count("objects made", evidence.happened.filter(({ kind }) => kind === "created").length);
      this.#count("calls", evidence.sent.length);
    } else if ((await this.#evidence(stack)).sent.length > 0)
      found.push("lost: the ledger does not know the stack");
    const unique = [...new Set(found)];
    if (unique.length === 0) return;
    this.#findings.push(
      ...unique.map((finding) => `${finding} [${shape.name}: exec ${shape.exec}, http ${shape.http}]`),
    );
    this.#stories.push(await this.#storyOf(stack));
  }

  /** Both sides of a stack with a finding, line by line. */
  async #storyOf({ place, shape }: Stack): Promise<string> {
    const http = (await this.cloud.log()).filter(({ kind }) => kind === shape.name);
    const records = (await isKnown(place)) ? await place.records() : [];
    const lines = [
      ...(await place.log()),
      ...http.map((entry) => JSON.stringify(entry)),
      ...records.map(({ record }) => JSON.stringify(record)),
    ];
    return `${shape.name}\n${lines.join("\n")}`;
  }

  /** Reconcile, apply, destroy, without kills: each must end clean. */
  async #windUp({ place, shape }: Stack): Promise<readonly string[]> {
    await place.writeStack(
      stackFile(shape, { ledger: join(this.#root, "ledger.db"), cloudUrl: this.cloud.url }, 1),
    );
    const findings: string[] = [];
    await place.reconcile();
    const steps: readonly (readonly [string, () => Promise<Done | Refused>])[] = [
      ["apply", () => place.apply()],
      ["reconcile", () => place.reconcile()],
      ["destroy", () => place.destroy()],
    ];
    for (const [verb, run] of steps) {
      const ended = await run();
      if (ended.exit !== 0) findings.push(`stuck: ${verb} ended with ${ended.exit}: ${whyOf(ended)}`);
    }
    for (const [id, step] of alive((await this.#evidence({ place, shape })).happened))
      findings.push(`stuck: ${id} of ${step} is left after the destroy`);
    return findings;
  }

  async #evidence({ place, shape }: Pick<Stack, "place" | "shape">): Promise<Evidence> {
    return together([execEvidence(await place.log()), httpEvidence(await this.cloud.log(), shape.name)]);
  }

  async #checkLedger(): Promise<void> {
    const first = this.#stacks[0];
    if (first === undefined) return;
    const checked = await doctor(
      first.place.where({ ledger: join(this.#root, "ledger.db"), needsFile: false }),
    );
    const wrong =
      checked.kind === "checked" ? checked.checks.filter(({ finding }) => finding === "wrong") : [checked];
    this.#findings.push(...wrong.map((check) => `broken: ${JSON.stringify(check)}`));
  }
}

const lanes = async <T>(
  of: (lane: number) => readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> => {
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (const one of of(lane)) await work(one);
    }),
  );
};

const strikeOf = (kill: Kill | null): Job["strike"] =>
  kill?.by === "commit" ? { signal: "SIGKILL", when: kill.when, at: kill.nth } : null;

const whyOf = (ended: Done | Refused): string =>
  ended.kind === "refused" ? ended.why : `${ended.summary} ${JSON.stringify([...ended.endings])}`;

const isKnown = async (place: Place): Promise<boolean> => {
  const opened = await place.tryOpen("read", { needsFile: false });
  if (opened.kind !== "project") return false;
  try {
    return (await opened.runtime.store.head(opened.stackName)) !== null;
  } finally {
    await opened.close();
  }
};

const ledgerOf = async ({ place, killed }: Stack) => {
  const opened = await place.open("read", { needsFile: false });
  try {
    const states: ReadonlyMap<string, StepState> = await opened.runtime.store.steps(opened.stackName);
    return { states, records: (await place.records()).map(({ record }) => record), killed };
  } finally {
    await opened.close();
  }
};
