/** The checks that every provider passes, and the harness under them. Its classes and its controls: test/proof/kit. */
import { describe, expect, it } from "vitest";
import { harness, providerChecks, type Subject } from "../../src/testing.ts";
import { shelf } from "./shelf.ts";

const shelfSubject = async (): Promise<Subject> => {
  const { provider, things } = shelf();
  return { provider, with: { label: "a" }, changed: { label: "b" }, count: async () => things.size };
};

describe("a provider in code passes every check", () => {
  for (const check of providerChecks(shelfSubject)) it(check.name, check.run);
});

describe("the harness", () => {
  it("R2: says that a lost reply is in doubt, and shows what the provider itself had answered", async () => {
    const { provider, things } = shelf();
    const at = harness({ provider, with: { label: "a" }, step: { retry: "once" } });
    at.breakNext("create", "lose-reply");
    const lost = await at.apply();
    expect(lost).toMatchObject({
      exit: 21,
      step: { status: "unresolved", effect: "possible", identity: null },
    });
    expect(at.calls).toMatchObject([
      { action: "create", opened: true, outcome: { kind: "done", id: "thing-1" } },
    ]);
    const found = await at.reconcile();
    expect(found).toMatchObject({ exit: 0, step: { status: "complete", identity: { id: "thing-1" } } });
    expect(things.size).toBe(1);
  });

  it("refuses inputs that the provider finds at fault", async () => {
    await expect(harness({ provider: shelf().provider, with: {} }).apply()).rejects.toThrow(
      "label must be text",
    );
  });
});
