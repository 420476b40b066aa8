import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerId, stackId, stackName } from "../domain/ids.ts";
import { formatLock, type Lock, parseLock, withoutPassword } from "./lock.ts";
import { formatFault } from "./manifest/fault.ts";

const lock: Lock = {
  stack: { name: stackName("größe"), id: stackId("st_01890a5d-ac96-774b-bcce-b302099a8057"), file: null },
  ledger: { id: ledgerId("lg_01890a5d-ac96-774b-bcce-b302099a8058"), location: ".asfound/ledger.db" },
  others: [],
};

const said = async (text: string): Promise<string[]> => {
  const parsed = await parseLock(text, "asfound.lock");
  return "faults" in parsed ? parsed.faults.map(formatFault) : [];
};

describe("the lock", () => {
  it("is read back as it was written, from YAML and from JSON", async () => {
    expect(await parseLock(formatLock(lock), "x")).toEqual({ lock });
    const json = { apiVersion: "asfound.dev/v1alpha1", kind: "Lock", ...lock };
    expect(await parseLock(JSON.stringify(json), "x")).toEqual({ lock });
    expect(formatLock(lock)).toBe(formatLock(structuredClone(lock)));
  });

  it("E5: holds no password, wherever a URL may have one", () => {
    const url =
      "postgres://me:hunter22@db.example:5432/led?sslmode=require&password=hunter22&sslpassword=hunter22";
    expect(withoutPassword(url)).toBe("postgres://me@db.example:5432/led?sslmode=require");
    expect(formatLock({ ...lock, ledger: { ...lock.ledger, location: url } })).not.toContain("hunter22");
    expect(withoutPassword("./a:b@c")).toBe("./a:b@c");
  });

  it("says what is broken, and at which line", async () => {
    const good = formatLock(lock);
    expect(await said(good.replace("st_0", "st_x"))).toEqual([
      "asfound.lock:6:3: stack.id: must be a stack's id (st_…); restore the lock from Git",
    ]);
    expect(await said(good.replace(/ {2}location.*\n/, ""))).toEqual([
      "asfound.lock:7:1: ledger.location: is missing; restore the lock from Git",
    ]);
    expect(await said(good.replace("v1alpha1", "v2"))).toHaveLength(1);
    expect(await said(`<<<<<<< HEAD\n${good}=======\n${good}>>>>>>> theirs\n`)).toEqual([
      expect.stringContaining("conflict marks of a Git merge"),
    ]);
    for (const nothing of ["", "[]", "null", "a: [", "\u0000"])
      expect((await said(nothing)).length).toBeGreaterThan(0);
  });

  it("no text makes it throw, and cutting a lock short never gives another lock", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => (await said(text)).length > 0),
    );
    const whole = formatLock(lock);
    for (let length = 0; length < whole.length - 2; length += 1) {
      const parsed = await parseLock(whole.slice(0, length), "x");
      expect("faults" in parsed || parsed.lock.ledger.location !== lock.ledger.location).toBe(true);
    }
  });
});
