/** What must hold of the ledger and the clouds after every command, however it ended. */
import { openMemoryStore } from "../../src/adapters/store-memory/memory.ts";
import { advance } from "../../src/domain/fold.ts";
import type { StepName } from "../../src/domain/ids.ts";
import { shown } from "../../src/domain/shown.ts";
import { isAlive, type StepState } from "../../src/domain/state.ts";
import { type Came, type Command, Machine, type PlannedNode, SHOP, type Tampering } from "./machine.ts";
import { plainCommand } from "./plain.ts";
import { Broken } from "./step-invariants.ts";

const must = (law: string, holds: boolean, what: () => string): void => {
  if (!holds) throw new Broken(law, what());
};

export const runWhole = async (
  nodes: readonly PlannedNode[],
  commands: readonly Command[],
  tampering: Tampering = {},
): Promise<void> => {
  const machine = new Machine(nodes, tampering);
  for (const command of commands) {
    const came = await machine.run(command);
    machine.time.pass(1_000);
    await check(machine, nodes, command, came);
  }
  await windUp(machine, nodes);
};

/** The first process is suspended, the others go on, and it wakes at the end: who came later is not disturbed (N2, N3). */
export const runAroundSleeper = async (
  nodes: readonly PlannedNode[],
  [first, ...others]: readonly Command[],
  tampering: Tampering = {},
): Promise<"ran" | "not promised"> => {
  const machine = new Machine(nodes, tampering);
  if (first === undefined) return "not promised";
  const came = await machine.run(first);
  if (came === "frozen" && machine.asleepBetweenCheckAndCall) return "not promised";
  machine.time.pass(200_000);
  for (const command of others) {
    const other = await machine.run(command);
    machine.time.pass(1_000);
    await check(machine, nodes, command, other);
  }
  if (came === "frozen") {
    await machine.wake();
    await check(machine, nodes, first, "died");
  }
  must(
    "N5",
    machine.sent.every(({ lateMs }) => lateMs <= 0),
    () => `sent after its call-by: ${JSON.stringify(machine.sent)}`,
  );
  await windUp(machine, nodes);
  return "ran";
};

/** When nothing goes wrong any more, everything is settled, and everything can be removed. */
export const windUp = async (machine: Machine, nodes: readonly PlannedNode[]): Promise<void> => {
  machine.time.pass(600_000);
  let last: Came = "died";
  for (const verb of ["reconcile", "destroy", "reconcile", "destroy"] as const) {
    const command = plainCommand(verb, { allowDestroy: true });
    last = await machine.run(command);
    await check(machine, nodes, command, last);
  }
  const states = await statesOf(machine);
  for (const { step, output } of machine.told) {
    const state = states.get(step);
    const kept =
      state !== undefined && (output in state.outputs || state.previous.some((p) => output in p.outputs));
    must("W4", kept, () => `${output} of ${step} was told, and is not known any more`);
  }
  const left = [...states.values()].filter((s) => isAlive(s)).map(brief);
  must(
    "op-04",
    typeof last !== "string" && last.exit === 0,
    () =>
      `a destroy without any fault ends with ${JSON.stringify(typeof last === "string" ? last : exitAndWhy(last))}: ${left}`,
  );
};

const exitAndWhy = (came: Exclude<Came, string>) =>
  came.kind === "refused" ? [came.exit, came.why] : [came.exit, came.summary, [...came.endings]];

const statesOf = (machine: Machine): Promise<ReadonlyMap<StepName, StepState>> =>
  openMemoryStore(machine.disk).steps(SHOP);

const brief = (s: StepState): string =>
  `${s.step} ${s.status} id=${s.identity?.id ?? "-"} open=[${s.open.map((o) => `${o.action}:${o.outcome}`)}] (${s.reason})`;

export const check = async (
  machine: Machine,
  nodes: readonly PlannedNode[],
  command: Command,
  came: Came,
): Promise<void> => {
  const states = await statesOf(machine);
  await ledgerIsItsJournal(machine, states);
  atMostOneAndNoneLost(machine, nodes, states);
  const now = machine.time.now();
  must("P2", machine.hasty.length === 0, () => machine.hasty.join("; "));
  for (const { name } of nodes) {
    const state = states.get(name);
    confirmedByProof(machine, state, command, came);
    const there = machine.cloud(name).alive(now);
    const seen = () => seenOf(machine, name, state);
    // Nobody lives who could be at work.
    if (state?.status === "complete" && shown(state, states, null).status === "complete") {
      must("promise 1", there.length === 1 && state.provenBy?.kind === "observation", seen);
      must("identity", state.identity === null || there[0]?.id === state.identity.id, seen);
    }
  }
  if (typeof came === "string" || came.exit !== 0 || came.kind === "refused") return;
  exitZero(machine, nodes, states, command);
};

/** Complete only by a proof after its last call; and what a process found, and lived to write down, is what stands. */
const confirmedByProof = (
  machine: Machine,
  state: StepState | undefined,
  command: Command,
  came: Came,
): void => {
  if (state?.policy.confirm === undefined) return;
  const last = machine.lastJudged(state.step, command);
  const says = () => `${brief(state)}: it was found ${last}`;
  if (state.status === "complete") must("confirm", machine.isConfirmed(state.step), says);
  // A disk that is full takes no record of it.
  if (typeof came === "string" || came.kind === "refused" || command.fullAt !== null) return;
  if (last === null || !isAlive(state)) return;
  must("confirm", state.confirmed?.finding === last, says);
};

const seenOf = (machine: Machine, name: StepName, state: StepState | undefined): string => {
  const may = machine.cloud(name).expected(machine.time.now());
  return `${may.map((t) => t.id)} of ${name}: ${state === undefined ? "no row" : brief(state)}`;
};

/** At any moment, whoever is at work. */
export const atMostOneAndNoneLost = (
  machine: Machine,
  nodes: readonly PlannedNode[],
  states: ReadonlyMap<StepName, StepState>,
): void => {
  const now = machine.time.now();
  for (const { name } of nodes) {
    const state = states.get(name);
    const may = machine.cloud(name).expected(now);
    const seen = () => seenOf(machine, name, state);
    must("at most one", may.length <= 1, seen);
    if (may.length > 0) {
      must("no lost object", state !== undefined && isAlive(state), seen);
      must("promise 4", state?.status !== "destroyed" && state?.status !== "pending", seen);
    }
  }
};

/** Exit 0 is a promise of its own. */
const exitZero = (
  machine: Machine,
  nodes: readonly PlannedNode[],
  states: ReadonlyMap<StepName, StepState>,
  command: Command,
): void => {
  const now = machine.time.now();
  const inFile = nodes.slice(0, Math.max(1, nodes.length - command.leftOut));
  if (command.verb === "apply")
    for (const { name, tellsDeclared } of inFile) {
      const [thing] = machine.cloud(name).alive(now);
      const is = thing === undefined ? "nothing" : thing.body;
      // Where a provider does not tell, present is enough after `unknown` (DESIGN §6), and is said as a limit.
      const isFine = is === `v${command.version}` || (thing !== undefined && !tellsDeclared);
      must("exit 0", isFine, () => `apply ended with 0, and ${name} is ${is}`);
      const state = states.get(name);
      const isProven = state?.policy.confirm === undefined || state.confirmed?.finding === "proven";
      must("exit 0", isProven, () => `apply ended with 0, and ${name} is not confirmed`);
    }
  if (command.verb === "destroy")
    for (const { name } of nodes)
      must(
        "exit 0",
        machine.cloud(name).expected(now).length === 0,
        () => `destroy ended with 0, and ${name} is there`,
      );
  for (const state of states.values())
    must("exit 0", state.open.length === 0, () => `it ended with 0, and ${brief(state)}`);
};

/** Nothing has to be believed but the journal: its fold is what the rows say. */
const ledgerIsItsJournal = async (
  machine: Machine,
  states: ReadonlyMap<StepName, StepState>,
): Promise<void> => {
  const folded = new Map<StepName, StepState>();
  for await (const { record } of openMemoryStore(machine.disk).records({ stack: SHOP }))
    folded.set(record.step, advance(folded.get(record.step), record));
  must("journal", folded.size === states.size, () => "the rows are not those of the journal");
  for (const [name, state] of states)
    must(
      "journal",
      sorted(state) === sorted(folded.get(name)),
      () => `${name}: the row is not the fold of its records`,
    );
};

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
