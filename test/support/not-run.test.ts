import { afterEach, describe, expect, it, type TestContext, vi } from "vitest";
import { notRunWithout } from "./not-run.ts";

afterEach(() => vi.unstubAllEnvs());

/** A test's context that only notes what it was skipped with. */
const noting = (): { readonly context: TestContext; readonly skipped: unknown[] } => {
  const skipped: unknown[] = [];
  return { skipped, context: { skip: (reason: unknown) => skipped.push(reason) } as unknown as TestContext };
};

describe("what cannot run here", () => {
  it("is told as not run, with the reason; and runs where nothing is lacking", () => {
    vi.stubEnv("CI", "");
    const { context, skipped } = noting();
    notRunWithout(context, null);
    expect(skipped).toEqual([]);
    notRunWithout(context, "there is no loop device");
    expect(skipped).toEqual(["not run: there is no loop device"]);
  });

  it("fails with CI set", () => {
    vi.stubEnv("CI", "true");
    const { context, skipped } = noting();
    notRunWithout(context, null);
    expect(() => notRunWithout(context, "there is no loop device")).toThrow(
      /^not run: there is no loop device;/,
    );
    expect(skipped).toEqual([]);
  });
});
