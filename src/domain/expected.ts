import type { Bystanders } from "./bystander.ts";
import type { ExpectedConfig } from "./config.ts";
import type { ExpectedCommit } from "./expected-commit.ts";
import type { ExpectedRelease } from "./expected-release.ts";
import type { Instant } from "./ids.ts";
import type { Replacing } from "./replacing.ts";
import type { ResponseExpectation } from "./response.ts";

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
