/** What may be chosen: commands to a town of processes, and two processes of which one is paused and overtaken. */
import fc from "fast-check";
import { BETWEEN_CLOCKS_MS } from "../../../src/domain/steady.ts";
import { callFate, command, nodes } from "../../property/arbitrary-runs.ts";
import type { CallFate, Command, PlannedNode, Tampering } from "../../property/machine.ts";
import { HOSTS, type Jump, Town } from "./town.ts";

export interface World {
  readonly commands: fc.Arbitrary<Command>;
  /** How wall clocks may be set. */
  readonly jumps: fc.Arbitrary<Jump>;
}

const MINUTE = 60_000;
const SIZES = [MINUTE, 90 * MINUTE, 26 * 60 * MINUTE, 365 * 24 * 60 * MINUTE];

const onAHost = (one: fc.Arbitrary<Command>): fc.Arbitrary<Command> =>
  fc
    .tuple(one, fc.constantFrom(...HOSTS))
    .map(([chosen, host]) => ({ ...chosen, host, diesAt: null, fullAt: null }));

const alike = (byMs: number): Jump => ({ hosts: HOSTS, byMs });

/** Everything goes wrong as far as a provider may, on two hosts; clocks are only set back, on both. */
export const BACKWARD: World = {
  commands: onAHost(command),
  jumps: fc.constantFrom(...SIZES.map((size) => alike(-size))),
};

/** The same, and the hosts' clocks are apart as far as asfound allows for, now this way, now that. */
export const APART: World = {
  commands: onAHost(command),
  jumps: fc
    .constantFrom(-1, -0.2, 0, 0.2, 1)
    .map((share) => ({ hosts: ["there"], toMs: share * BETWEEN_CLOCKS_MS })),
};

/** The provider's process may live for minutes after asfound; all on one host, since elsewhere it cannot be seen (N6). */
const outliving: fc.Arbitrary<CallFate> = fc
  .tuple(
    callFate,
    fc.constantFrom<CallFate["effect"]>("now", "never", "at-end", "at-end"),
    fc.constantFrom(500, 5_000, 90_000),
  )
  .map(([fate, effect, callMs]) => ({ ...fate, effect, callMs: effect === "at-end" ? callMs : fate.callMs }));

const anyway = fc.constantFrom(...SIZES, ...SIZES.map((size) => -size)).map(alike);

/** Clocks are set forward too, on one host: of two, the wall clock alone would tell how long ago something was. */
export const FORWARD: World = {
  commands: command.map((chosen) => ({ ...chosen, diesAt: null, fullAt: null })),
  jumps: anyway,
};

/**
 * The same with processes that outlive asfound; and with no old pictures then. When one that nobody saw alive came to its
 * end is not known, and N5 lets an absence be believed `settle` after the call-by (docs/reliability.md, open).
 */
export const OUTLIVING: World = {
  commands: fc
    .tuple(command, fc.array(outliving, { maxLength: 5 }))
    .map(([chosen, fates]) => ({ ...chosen, fates, looks: [], diesAt: null, fullAt: null })),
  jumps: anyway,
};

// ---- commands ----------------------------------------------------------------------------------------------------

interface Model {
  /** How many processes were begun and not ended by a command. */
  begun: number;
}
type Move = fc.AsyncCommand<Model, Town>;

const MOST_AT_ONCE = 3;

const move = (
  name: string,
  can: (model: Model) => boolean,
  act: (town: Town, model: Model) => Promise<void>,
): Move => ({
  check: can,
  run: async (model, town) => {
    await act(town, model);
    await town.checked();
  },
  toString: () => name,
});

const living = (town: Town, nth: number) => town.living[nth % Math.max(1, town.living.length)];
const anybody = (model: Model) => model.begun > 0;

const moves = (world: World): fc.Arbitrary<Move>[] => [
  world.commands.map((command) =>
    move(
      `begin ${JSON.stringify(command)}`,
      () => true,
      async (town, model) => {
        model.begun += 1;
        if (town.living.length < MOST_AT_ONCE) town.begin(command);
      },
    ),
  ),
  fc
    .integer({ min: 1, max: 40 })
    .map((count) => move(`${count} things`, anybody, (town) => town.things(count))),
  fc.nat({ max: 5 }).map((nth) =>
    move(`pause ${nth}`, anybody, async (town) => {
      const process = living(town, nth);
      if (process !== undefined) town.pause(process);
    }),
  ),
  fc.nat({ max: 5 }).map((nth) => move(`wake ${nth}`, anybody, async (town) => living(town, nth)?.wake())),
  fc.nat({ max: 5 }).map((nth) =>
    move(`kill ${nth}`, anybody, async (town) => {
      const process = living(town, nth);
      if (process !== undefined) town.kill(process);
    }),
  ),
  fc.nat({ max: 5 }).map((nth) =>
    move(`finish ${nth}`, anybody, async (town) => {
      const process = living(town, nth);
      if (process !== undefined) await town.finish(process);
    }),
  ),
  fc
    .constantFrom(1_000, 15_000, 31_000, 70_000, 330_000)
    .map((ms) => move(`${ms} ms pass`, anybody, async (town) => town.machine.time.pass(ms))),
  world.jumps.map((jump) =>
    move(`clocks are set: ${JSON.stringify(jump)}`, anybody, async (town) => town.setClocks(jump)),
  ),
];

/** Any commands to a town, in any interleaving. */
export const anyTown = (world: World, tampering: Tampering = {}) =>
  fc.asyncProperty(
    nodes,
    fc.scheduler(),
    fc.commands(moves(world), { maxCommands: 25, size: "max" }),
    async (stack, scheduler, commands) => {
      const town = new Town(stack, scheduler, tampering);
      await fc.asyncModelRun(() => ({ model: { begun: 0 }, real: town }), commands);
      await town.end();
    },
  );

// ---- one is paused and overtaken -----------------------------------------------------------------------------------

export interface Overtaking {
  readonly stack: readonly PlannedNode[];
  readonly before: Command | null;
  readonly first: Command;
  readonly second: Command;
  /** The first is paused after so many things, or when a call of its was answered and that is not recorded yet ... */
  readonly pausedAfter: number | "answered";
  /** ... and its lease and more passes ... */
  readonly pausedMs: number;
  readonly jump: Jump;
  /** ... the second does so many, then the first wakes, and both go on in any order. */
  readonly wokenAfter: number;
}

const overtaking = (world: World): fc.Arbitrary<Overtaking> =>
  fc.record({
    stack: nodes,
    before: fc.option(world.commands),
    first: world.commands,
    second: world.commands,
    pausedAfter: fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.constant("answered" as const) },
    ),
    // Inside the window in which the call may still be sent, and after it.
    pausedMs: fc.constantFrom(20_500, 25_000, 31_000, 45_000, 100_000),
    jump: fc.oneof({ weight: 2, arbitrary: fc.constant(alike(0)) }, { weight: 1, arbitrary: world.jumps }),
    wokenAfter: fc.integer({ min: 0, max: 40 }),
  });

export const overtaken = (world: World, tampering: Tampering = {}) =>
  fc.asyncProperty(overtaking(world), fc.scheduler(), async (chosen, scheduler) => {
    const town = new Town(chosen.stack, scheduler, tampering);
    if (chosen.before !== null) {
      town.begin(chosen.before);
      await town.finish(town.living[0] as NonNullable<(typeof town.living)[0]>);
      await town.checked();
    }
    town.begin(chosen.first);
    const [first] = town.living;
    if (first === undefined) return;
    const { pausedAfter } = chosen;
    if (pausedAfter === "answered")
      await town.things(200, () => first.came !== null || first.life.told.length > 0);
    else await town.things(pausedAfter, () => first.came !== null);
    town.pause(first);
    town.machine.time.pass(chosen.pausedMs);
    town.setClocks(chosen.jump);
    town.begin(chosen.second);
    await town.things(chosen.wokenAfter);
    first.wake();
    await town.end();
  });
