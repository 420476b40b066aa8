/** W1 at run time: single use, one mint, and no copy that works. What the compiler refuses is in test/types. */
import { describe, expect, it } from "vitest";
import { CALL_BY, testIntent } from "../../test/support/intents.ts";
import { CommittedIntent, claimMint } from "./committed-intent.ts";
import { NotSent } from "./not-sent.ts";

describe("W1: a committed intent", () => {
  it("is opened once, and says so", async () => {
    const intent = testIntent("create");
    expect(intent.opened).toBe(false);
    expect(await intent.open()).toMatchObject({ action: "create", step: "web", callBy: CALL_BY });
    expect(intent.opened).toBe(true);
    await expect(intent.open()).rejects.toThrow(/already used for a call; a second one is never sent/);
  });

  it("of two that open at the same moment, one gets the call", async () => {
    const intent = testIntent("create");
    const both = await Promise.allSettled([intent.open(), intent.open()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("N2 N5: a closed fence hands out no call, and the intent is used up all the same", async () => {
    const intent = testIntent("destroy", {}, async () => {
      throw new NotSent("the call-by has passed");
    });
    await expect(intent.open()).rejects.toMatchObject({ code: "ASFOUND_NOT_SENT" });
    await expect(intent.open()).rejects.toThrow(/already used/);
  });

  it("no copy can be opened: by structuredClone, by prototype, by spread, by a proxy", async () => {
    const intent = testIntent("create");
    const open = CommittedIntent.prototype.open;
    const copies: readonly object[] = [
      structuredClone(intent),
      Object.create(intent) as object,
      Object.create(CommittedIntent.prototype) as object,
      { ...intent },
      new Proxy(intent, {}),
    ];
    for (const copy of copies) await expect(async () => open.call(copy as never)).rejects.toThrow(TypeError);
    expect(intent.opened).toBe(false);
  });

  it("only one module gets the mint: here the test's own, in production the ledger's", () =>
    expect(() => claimMint()).toThrow(/minted in runtime\/ledger.ts only/));

  it("cannot be constructed around the mint without a call: its facts are all it shows", () =>
    expect(Object.keys(testIntent("update")).sort()).toEqual(["action", "id", "step"]));
});
