/** What a claim is judged over: the target, what is expected of it, all the evidence, and what was found so far. */
import type { Bystanders } from "../domain/bystander.ts";
import type { ClaimName } from "../domain/claim.ts";
import type { ExpectedConfig } from "../domain/config.ts";
import type { Seen } from "../domain/evidence.ts";
import type { ExpectedCommit } from "../domain/expected-commit.ts";
import type { ExpectedRelease } from "../domain/expected-release.ts";
import type { Instant } from "../domain/ids.ts";
import type { Replacing } from "../domain/replacing.ts";
import type { ResponseExpectation } from "../domain/response.ts";
import type { Collection } from "./collection.ts";
import type { Found } from "./inquiry.ts";
import type { Field } from "./read.ts";

/** What is expected beyond what the objects themselves declare. */
export interface Expected {
  /** Pins the incarnation. */
  readonly uid: string | null;
  /** null: what spec says. A zero has to be said here to be expected (V5). */
  readonly replicas: number | null;
  /** The digest (`sha256:…`) that has to run, by container; empty: none is expected. */
  readonly images: ReadonlyMap<string, string>;
  /** Containers that something adds to every Pod (a service mesh's sidecar), so that they are no surplus. */
  readonly injected: readonly string[];
  /** What ConfigMaps have to hold, by name; empty: what they hold now. */
  readonly config: ReadonlyMap<string, ExpectedConfig>;
  /** The reply that has to come; null: none is asked for. */
  readonly response: ResponseExpectation | null;
  /** Who is to be as before; null: nobody is named. */
  readonly bystanders: Bystanders | null;
  /** Pods that were removed, for `pod-replaced`; null: none is named. */
  readonly replaced: Replacing | null;
  /** What has to be declared and synced; null: none is named. */
  readonly commit: ExpectedCommit | null;
  /** The Application that brings the target about; null: none is named. */
  readonly application: { readonly namespace: string; readonly name: string } | null;
  /** The recorded release that it has to be; null: none is named. */
  readonly release: ExpectedRelease | null;
  /** The change that is verified: its generation, or the time of its write; null: the one that is there. */
  readonly since: { readonly generation: number } | { readonly at: Instant } | null;
}

/** Beyond what the objects declare. */
export const NOTHING_EXPECTED: Expected = {
  uid: null,
  replicas: null,
  images: new Map(),
  injected: [],
  config: new Map(),
  response: null,
  bystanders: null,
  replaced: null,
  commit: null,
  application: null,
  release: null,
  since: null,
};

export interface Case {
  readonly target: Seen;
  readonly expected: Expected;
  readonly collection: Collection;
  readonly at: Instant;
  /** The claims of this target that were judged before this one. */
  readonly before: ReadonlyMap<ClaimName, Found>;
  /** Where its kind says which generation its status speaks of; left out: status.observedGeneration. */
  readonly observed?: Field<number> | undefined;
}

/** Judges one claim. Pure. */
export type Rule = (given: Case) => Found;
