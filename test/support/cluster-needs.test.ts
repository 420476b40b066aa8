import { afterEach, describe, expect, it, type TestContext, vi } from "vitest";
import { type Environment, lackOfCluster, type Need, notRunUnmet } from "./cluster-needs.ts";

afterEach(() => vi.unstubAllEnvs());

/** What a test with these needs is skipped with; null: it runs. */
const skippedWith = (environment: Environment, ...needs: readonly Need[]): unknown => {
  const skipped: unknown[] = [];
  const context = { skip: (reason: unknown) => skipped.push(reason) } as unknown as TestContext;
  notRunUnmet(context, environment, needs);
  return skipped[0] ?? null;
};

const TESTBED: Environment = { KUBECONFIG: "/of/a/testbed" };
const OWN: Environment = { ASFOUND_E2E_KUBECONFIG: "/of/somebody" };
const ALL = ["images", "network", "testbed"] as const;

describe.each(["", "true"])("with CI=%j", (ci) => {
  it("a testbed has all that is needed", () => {
    vi.stubEnv("CI", ci);
    for (const need of ALL) expect(skippedWith(TESTBED, need)).toBeNull();
  });

  it("somebody's own cluster has what its owner says, and never a testbed's parts; each lack is told", () => {
    vi.stubEnv("CI", ci);
    expect(skippedWith(OWN)).toBeNull();
    expect(skippedWith(OWN, "images")).toMatch(/^not run: .*ASFOUND_E2E_REGISTRY/);
    expect(skippedWith({ ...OWN, ASFOUND_E2E_REGISTRY: "registry.example/asfound" }, "images")).toBeNull();
    expect(skippedWith(OWN, "network")).toBeNull();
    expect(skippedWith({ ...OWN, ASFOUND_E2E_OUT_OF_REACH: "no way there" }, "network")).toBe(
      "not run: no way there",
    );
    expect(skippedWith({ ...OWN, ASFOUND_E2E_REGISTRY: "r" }, ...ALL)).toMatch(
      /^not run: .*the testbed's own/,
    );
  });
});

describe("no cluster", () => {
  it("is told as not run, and is a failure with CI set, even where another was to be asked", () => {
    vi.stubEnv("CI", "");
    expect(skippedWith({})).toMatch(/^not run: there is no cluster/);
    const gone = { ...OWN, ASFOUND_E2E_LACKS: "it does not answer" };
    expect(skippedWith(gone)).toBe("not run: it does not answer");
    vi.stubEnv("CI", "true");
    expect(() => skippedWith({})).toThrow(/with CI set that is a failure/);
    expect(() => skippedWith(gone)).toThrow(/with CI set that is a failure/);
  });

  it("is not what an empty variable names", () => {
    expect(lackOfCluster({ ASFOUND_E2E_KUBECONFIG: "" })).toMatch(/^there is no cluster/);
    expect(lackOfCluster({ ...TESTBED, ASFOUND_E2E_LACKS: "" })).toBeNull();
  });
});
