/**
 * What tests on a real cluster need of it beside namespaces of their own, and which of that it lacks. A testbed has all of
 * it; the cluster that `ASFOUND_E2E_KUBECONFIG` names has what its owner says, and what can be reached from here.
 */
import type { TestContext } from "vitest";
import { notRunWithout } from "./not-run.ts";

export type Need =
  /** Pods of the test app (testbed/images/app). */
  | "images"
  /** Addresses of Pods and Services, directly. */
  | "network"
  /** The testbed's own parts: its registry is pushed to, its node is known, its API server is killed. */
  | "testbed";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The kubeconfig of somebody's own cluster; null where the tests run in a testbed. */
export const ownKubeconfig = (environment: Environment): string | null =>
  environment["ASFOUND_E2E_KUBECONFIG"] || null;

/** Why there is no cluster at all, as `npm run test:e2e` or the set-up found; null when there is one. */
export const lackOfCluster = (environment: Environment): string | null => {
  const lacking = environment["ASFOUND_E2E_LACKS"] || null;
  if (lacking !== null || ownKubeconfig(environment) !== null || environment["KUBECONFIG"] !== undefined)
    return lacking;
  return "there is no cluster: `npm run test:e2e` starts one";
};

const LACKING: Readonly<Record<Need, (environment: Environment) => string | null>> = {
  images: (environment) =>
    environment["ASFOUND_E2E_REGISTRY"]
      ? null
      : "it runs Pods of the test app, and ASFOUND_E2E_REGISTRY names no registry that has the app's images for the cluster of ASFOUND_E2E_KUBECONFIG",
  network: (environment) => environment["ASFOUND_E2E_OUT_OF_REACH"] || null,
  testbed: () =>
    "it handles the testbed's own registry, node or control plane, and the cluster of ASFOUND_E2E_KUBECONFIG is somebody's own",
};

/** Of a cluster that is there: the first of these needs that it does not meet, as a clause. */
export const unmet = (environment: Environment, needs: readonly Need[]): string | null => {
  if (ownKubeconfig(environment) === null) return null;
  for (const need of needs) {
    const lacking = LACKING[need](environment);
    if (lacking !== null) return lacking;
  }
  return null;
};

/**
 * With CI set, no cluster is a failure. What a person's own cluster does not have is told as not run there too: what CI
 * demands is run in a testbed, and `.ci/run` hands no other cluster on.
 */
export const notRunUnmet = (context: TestContext, environment: Environment, needs: readonly Need[]): void => {
  notRunWithout(context, lackOfCluster(environment));
  const lacking = unmet(environment, needs);
  if (lacking !== null) context.skip(`not run: ${lacking}`);
};
