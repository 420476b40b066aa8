/**
 * What a verdict that is kept as evidence was asked, whole: with it and the kept readings the verdict can be judged again
 * (E2). Whatever it takes from a file is in it by content: files change, and evidence does not.
 */
import type { Instant } from "./ids.ts";
import type { Question, SweepQuestion } from "./question.ts";

/** An object that a watch saw first under a name; another one of that name is not taken for it (V3). */
export interface Pinned {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string;
}

export type WhatWasAsked =
  | { readonly kind: "one"; readonly question: Question }
  | {
      readonly kind: "sweep";
      readonly question: SweepQuestion;
      /** Kinds that nobody could tell the resource of, each a sentence. */
      readonly nameless: readonly string[];
      /** Those alone whose UID is another one now. */
      readonly pins: readonly Pinned[];
    };

export interface EvidenceQuestion {
  readonly asked: WhatWasAsked;
  /** The time that was judged: ages count from it (V2). */
  readonly at: Instant;
  /** Saved files, as they were named; null: a live cluster was asked. */
  readonly from: string | null;
  /** What limits the readings as a whole and does not stand in them, each a sentence. */
  readonly limits: readonly string[];
  /** Saved files that could not keep their names; whoever reads them reads them by the old ones. */
  readonly renamed: readonly { readonly kept: string; readonly was: string }[];
  /** E5: what was taken out of saved files and of this question. Of a cluster's objects `snapshot.json` tells it. */
  readonly removed: readonly { readonly file: string; readonly pointer: string }[];
}
