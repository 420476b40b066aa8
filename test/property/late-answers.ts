/** Runs over a provider that does not end at its deadline, and answers when its call was given up (W4, N3). */
import fc from "fast-check";
import { callFate, command, nodes } from "./arbitrary-runs.ts";
import { type CallFate, type Command, Machine, type Tampering } from "./machine.ts";
import { check, windUp } from "./whole-run.ts";

/** A call is given up 140 s after it began: its deadline of 120 s, and twice 10 s. */
const LATE_MS = [145_000, 175_000];

/** What it did shows from its end on at the latest, so it did that at once and shows it. */
const slowFate: fc.Arbitrary<CallFate> = fc
  .tuple(
    callFate,
    fc.constantFrom<CallFate["effect"]>("now", "never"),
    fc.constantFrom(500, 100_000, ...LATE_MS),
  )
  .map(([fate, effect, callMs]) => ({ ...fate, effect, callMs }));

const slowCommand: fc.Arbitrary<Command> = fc
  .tuple(command, fc.array(slowFate, { maxLength: 5 }))
  .map(([chosen, fates]) => ({ ...chosen, fates, looks: [], diesAt: null }));

/** Each process lives on after its operation, until its calls are answered; what it was told then must be known too. */
export const lateAnswers = (tampering: Tampering = {}) =>
  fc.asyncProperty(
    nodes,
    fc.array(slowCommand, { minLength: 1, maxLength: 4, size: "max" }),
    async (stack, script) => {
      const machine = new Machine(stack, tampering);
      const lives = [];
      for (const command of script) {
        const { life, work } = machine.begin(command);
        lives.push(life);
        await machine.time.run(work);
        // Its exit code says what it knew: an earlier process may be told something the moment after.
        await check(machine, stack, command, "died");
      }
      do await machine.time.quiet();
      while (machine.time.skip());
      for (const life of lives) machine.told.push(...life.told);
      await windUp(machine, stack);
    },
  );
