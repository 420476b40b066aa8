/**
 * What a verdict that is kept as evidence was asked, whole: with it and the kept readings the verdict can be judged again
 * (E2). Whatever it takes from a file is in it by content: files change, and evidence does not.
 */
import type { Bystanders } from "./bystander.ts";
import type { ClaimName } from "./claim.ts";
import type { ExpectedConfig } from "./config.ts";
import type { CustomRule } from "./custom-rule.ts";
import type { ExpectedCommit } from "./expected-commit.ts";
import type { ExpectedRelease } from "./expected-release.ts";
import type { Instant } from "./ids.ts";
import type { LabelSelector } from "./label-selector.ts";
import type { Replacing } from "./replacing.ts";
import type { ResponseExpectation } from "./response.ts";

/** What counts of what is judged, and by which rules beside asfound's own. */
interface Judging {
  /** null: what the kind requires, and what is expected. */
  readonly claims: readonly ClaimName[] | null;
  /** Left out: asfound's own alone. */
  readonly rules?: readonly CustomRule[];
  /** Left out: all that can be judged. */
  readonly only?: readonly ClaimName[];
  /** Left out: Secrets were not asked for. */
  readonly secrets?: boolean;
}

export interface AskedExpectation {
  readonly uid: string | null;
  readonly replicas: number | null;
  readonly images: ReadonlyMap<string, string>;
  readonly injected: readonly string[];
  readonly config: ReadonlyMap<string, ExpectedConfig>;
  readonly response: ResponseExpectation | null;
  readonly bystanders: Bystanders | null;
  readonly replaced: Replacing | null;
  readonly commit: ExpectedCommit | null;
  readonly application: { readonly namespace: string; readonly name: string } | null;
  readonly release: ExpectedRelease | null;
  readonly since: { readonly generation: number } | { readonly at: Instant } | null;
}

export interface AskedOne extends Judging {
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly expected: AskedExpectation;
}

export interface AskedMany extends Judging {
  /** null: all workload kinds. */
  readonly kinds: readonly string[] | null;
  /** null: all namespaces. */
  readonly namespace: string | null;
  readonly selector: LabelSelector | null;
}

/** An object that a watch saw first under a name; another one of that name is not taken for it (V3). */
export interface Pinned {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string;
}

export type WhatWasAsked =
  | { readonly kind: "one"; readonly question: AskedOne }
  | {
      readonly kind: "sweep";
      readonly question: AskedMany;
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
