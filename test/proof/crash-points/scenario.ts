/** What is done before the crash, what is being done when it comes, and what must be true when all is over. */
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import type { Action } from "../../../src/domain/step.ts";
import { PAST_CALL_BY_MS, type Place } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { asfound, type How, type Ran } from "./cli.ts";
import type { Cloud, Uses } from "./clouds.ts";

/** A call in doubt: the step's name in `status`, and the action that is uncertain. null: no call, and in doubt all the same. */
export interface Doubt {
  readonly step: string;
  readonly action: Action | null;
}

export interface Stage {
  readonly place: Place;
  readonly cloud: Cloud;
  readonly uses: Uses;
  /** How much time was let pass; for processes of their own. */
  aheadMs: number;
}

export interface Scenario {
  readonly name: string;
  readonly uses: readonly Uses[];
  readonly prepare: (stage: Stage) => Promise<void>;
  /** What is killed. */
  readonly verb: Verb;
  /** What an uncrashed run of it calls, one after the other; null: several at once, so their order is not known. */
  readonly calls: readonly { readonly step: string; readonly action: Action }[] | null;
  /** In doubt before the verb. */
  readonly doubt?: Doubt;
  /** In doubt once the verb's decision is recorded. */
  readonly decided?: Doubt;
  /** What it did cannot be observed. */
  readonly blind?: true;
  /** It looks while it cannot be told yet. */
  readonly unsettled?: true;
  /** Killed in CI, too, at the points that are the same code in all scenarios. */
  readonly alike?: true;
  /** How often it is killed at the same point. */
  readonly times?: number;
  /** How it is run; else as the real command. */
  readonly run?: (stage: Stage, how: How) => Promise<Ran>;
  /** The plain verb that must not repeat what is in doubt; else `verb`. */
  readonly again?: Verb;
  /** How a doubt ends that no look can settle. */
  readonly decide?: (stage: Stage, doubt: Doubt) => Promise<Verb | null>;
  /** What brings it to its end; else `verb`. */
  readonly resume?: Verb;
  /** When it has come to its end. */
  readonly after: (stage: Stage) => Promise<void>;
  /** Its provider's process goes on by itself until it is let go (N6). */
  readonly survives?: true;
  /** Before it is settled: what still holds the cloud up comes to its end. */
  readonly letGo?: (stage: Stage) => Promise<void>;
}

export interface Hit {
  readonly point: CrashPoint;
  readonly nth: number;
}

export const hitText = ({ point, nth }: Hit): string => `${point}:${nth}`;

export const pass = (stage: Stage): void => {
  stage.place.passTime(PAST_CALL_BY_MS);
  stage.aheadMs += PAST_CALL_BY_MS;
};

export const runIt = (stage: Stage, words: readonly string[], how: How): Promise<Ran> =>
  asfound(stage.place.folder, words, {
    ...how,
    ...(stage.aheadMs === 0 ? {} : { aheadMs: stage.aheadMs }),
  });

/** The ids of what stood there before. */
export const PLANTED = new WeakMap<Stage, string>();

/** The verb with what was not known before it was prepared. */
export const verbOf = (stage: Stage, scenario: Scenario): Verb =>
  scenario.verb.verb === "import" ? { ...scenario.verb, id: PLANTED.get(stage) ?? "none" } : scenario.verb;
