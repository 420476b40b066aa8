/** Controls of the fuzzing itself: what fails, throws or never ends in it is seen, named by its seed, and made again. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Campaign, caught, holds, isReplay, SEED } from "./campaign.ts";
import { type Dice, diceOf } from "./dice.ts";

const numbers = (judge: Campaign<number>["judge"]): Campaign<number> => ({
  name: "numbers",
  make: (dice: Dice) => dice.below(1_000),
  judge,
  show: String,
});

describe.skipIf(isReplay)("a campaign", () => {
  it("names the seed and the input of what fails, and that input is made again alone", async () => {
    const wrong = numbers((number) => ({
      as: "number",
      fault: number > 990 ? `${number} is too large` : undefined,
    }));
    const said = await holds(wrong, 10_000).then(String, (error: Error) => error.message);
    const [, input, shown] =
      new RegExp(`ASFOUND_SEED=${SEED} ASFOUND_INPUT=(\\d+) makes it again:\\n(\\d+)$`).exec(said) ?? [];
    expect(said).toContain(`numbers: ${shown} is too large`);
    expect(diceOf(SEED, Number(input)).below(1_000)).toBe(Number(shown));
  });

  it("counts what is thrown as wrong, and what holds as right", async () => {
    const throws = numbers(() => {
      throw new RangeError("out of range");
    });
    expect(await caught(throws, 1, /./)).toMatch(/threw what it does not document: RangeError: out of range/);
    expect(
      await caught(
        numbers(() => ({ as: "number" })),
        100,
        /./,
      ),
    ).toBeNull();
  });

  it("gives other inputs for another seed, and the same for the same", () => {
    const made = (seed: number): string =>
      Array.from({ length: 50 }, (_, at) => diceOf(seed, at).below(1_000)).join();
    expect(made(1)).toBe(made(1));
    expect(made(1)).not.toBe(made(2));
    expect(new Set(made(1).split(",")).size).toBeGreaterThan(40);
  });

  it("ends a process that hangs in an input, and says in which", () => {
    const watchdog = fileURLToPath(new URL("watchdog.ts", import.meta.url));
    const program = `import { startWatchdog } from ${JSON.stringify(watchdog)};
      const dog = await startWatchdog("a loop, seed 7", 400);
      dog.at(42);
      for (;;);`;
    const ended = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(ended.signal).toBe("SIGKILL");
    expect(ended.stderr).toContain("fuzz: hangs: a loop, seed 7, input 42");
  });
});
