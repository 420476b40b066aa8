/**
 * Many inputs against one judgement. An input fails when it is judged wrong, when the code under test throws what it
 * does not document, or when it does not come back (`watchdog.ts`). The seed is printed, and an input that failed is
 * made again alone:
 *
 *     ASFOUND_SEED=… ASFOUND_INPUT=… npx vitest run --config vitest.proof.config.ts test/proof/fuzz/FILE
 */
import { type Dice, diceOf } from "./dice.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

/** `as` names the kind of answer, so that a run in which one kind never came shows; `fault`: what is wrong, one sentence. */
export interface Verdict {
  readonly as: string;
  readonly fault?: string | undefined;
}

export interface Campaign<Input> {
  readonly name: string;
  make(dice: Dice): Input;
  judge(input: Input): Verdict | Promise<Verdict>;
  /** The input for a person. */
  show(input: Input): string;
  /** Inputs under way at the same time; 1 where they are judged in this process without waiting. */
  readonly together?: number;
}

export interface Told {
  readonly inputs: number;
  /** How often each kind of answer came. */
  readonly as: Readonly<Record<string, number>>;
  /** The first input that was judged wrong. */
  readonly failed: { readonly input: number; readonly fault: string; readonly shown: string } | null;
}

const isSoak = process.env["ASFOUND_SOAK"] === "1";
export const SEED = Number(process.env["ASFOUND_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const only = process.env["ASFOUND_INPUT"];

/** How many inputs of a campaign this run takes. */
export const runs = (counts: { readonly ci: number; readonly soak: number }): number =>
  isSoak ? counts.soak : counts.ci;

const judged = async <Input>(campaign: Campaign<Input>, input: Input): Promise<Verdict> => {
  try {
    return await campaign.judge(input);
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { as: "threw", fault: `it threw what it does not document: ${said}` };
  }
};

/** Judges inputs `from` up to `from + count - 1`, until one fails. */
const sweep = async <Input>(
  campaign: Campaign<Input>,
  count: number,
  dog: Watchdog | null,
): Promise<Told> => {
  const as: Record<string, number> = {};
  let failed: Told["failed"] = null;
  let next = only === undefined ? 0 : Number(only);
  const end = only === undefined ? count : next + 1;
  let inputs = 0;
  const worker = async (): Promise<void> => {
    while (next < end && failed === null) {
      const number = next;
      next += 1;
      dog?.at(number);
      const input = campaign.make(diceOf(SEED, number));
      const verdict = await judged(campaign, input);
      inputs += 1;
      as[verdict.as] = (as[verdict.as] ?? 0) + 1;
      if (verdict.fault !== undefined)
        failed ??= { input: number, fault: verdict.fault, shown: campaign.show(input) };
    }
  };
  await Promise.all(Array.from({ length: campaign.together ?? 1 }, worker));
  return { inputs, as, failed };
};

/** Throws with all that is needed to see the failure again; else tells what came, and prints it. */
export const holds = async <Input>(campaign: Campaign<Input>, count: number): Promise<Told> => {
  const dog = await startWatchdog(`${campaign.name}, seed ${SEED}`);
  try {
    const told = await sweep(campaign, count, dog);
    const kinds = Object.entries(told.as).map(([kind, times]) => `${kind} ${times}`);
    console.log(
      `fuzz: ${campaign.name}: seed ${SEED}: ${told.inputs} inputs: ${kinds.toSorted().join(", ")}`,
    );
    if (told.failed !== null)
      throw new Error(
        `${campaign.name}: ${told.failed.fault}\nASFOUND_SEED=${SEED} ASFOUND_INPUT=${told.failed.input} makes it again:\n${told.failed.shown}`,
      );
    return told;
  } finally {
    await dog.stop();
  }
};

/** The control: what the same campaign says of a mutant within so many inputs; null when it was not caught. */
export const caught = async <Input>(campaign: Campaign<Input>, count: number): Promise<string | null> =>
  only === undefined ? ((await sweep(campaign, count, null)).failed?.fault ?? null) : null;

/** Whether one input is made again; then the counts and the controls of a whole run say nothing. */
export const isReplay = only !== undefined;
