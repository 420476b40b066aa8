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

interface Sweep {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly dog: Watchdog | null;
  /** Which fault ends it. */
  ends(fault: string): boolean;
}

/** Judges the inputs from `from` on, until one fails in a way that ends it. */
const sweep = async <Input>(campaign: Campaign<Input>, how: Sweep): Promise<Told> => {
  const as: Record<string, number> = {};
  let failed: Told["failed"] = null;
  let next = how.from;
  const end = next + how.count;
  let inputs = 0;
  const worker = async (): Promise<void> => {
    while (next < end && failed === null) {
      const number = next;
      next += 1;
      how.dog?.at(number);
      const input = campaign.make(diceOf(how.seed, number));
      const verdict = await judged(campaign, input);
      inputs += 1;
      as[verdict.as] = (as[verdict.as] ?? 0) + 1;
      if (verdict.fault !== undefined && how.ends(verdict.fault))
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
    const from = only === undefined ? 0 : Number(only);
    const told = await sweep(campaign, {
      seed: SEED,
      from,
      count: only === undefined ? count : 1,
      dog,
      ends: () => true,
    });
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

/** Controls see the same inputs in every run: a control that fails now and then controls nothing. */
const CONTROL_SEED = 20_261_129;

/** The control: the first fault of that kind which the campaign finds in a mutant; null when it finds none. */
export const caught = async <Input>(
  campaign: Campaign<Input>,
  count: number,
  says: RegExp,
): Promise<string | null> => {
  const told = await sweep(campaign, {
    seed: CONTROL_SEED,
    from: 0,
    count,
    dog: null,
    ends: (fault) => says.test(fault),
  });
  return told.failed?.fault ?? null;
};

/** Whether one input is made again; then the counts and the controls of a whole run say nothing. */
export const isReplay = only !== undefined;
