/** Whether the cluster is there, and has what a test needs. */
import type { TestContext } from "vitest";
import { lackOfCluster, type Need, notRunUnmet, unmet } from "../support/cluster-needs.ts";

/** Why there is no cluster; null when there is one. */
export const LACK: string | null = lackOfCluster(process.env);

/** Whether there is a cluster that has all of this: for what is made before the tests. */
export const has = (...needs: readonly Need[]): boolean =>
  LACK === null && unmet(process.env, needs) === null;

/** For `beforeEach`: none of the file's tests runs where that is lacking. */
export const needing =
  (...needs: readonly Need[]) =>
  (context: TestContext): void =>
    notRunUnmet(context, process.env, needs);
