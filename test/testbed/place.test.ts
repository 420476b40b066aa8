import { describe, expect, it } from "vitest";
import { placeOf } from "../../testbed/place.ts";

describe("a testbed's place", () => {
  it("is named by the flag, else by the environment, else main", () => {
    expect(placeOf("a", { ASFOUND_TESTBED_NAME: "b" }).name).toBe("a");
    expect(placeOf(undefined, { ASFOUND_TESTBED_NAME: "b" }).name).toBe("b");
    expect(placeOf(undefined, {}).name).toBe("main");
  });

  it.each(["", "A", "a/b", "..", "-a", "a-", "1a", "a".repeat(25), "a b", "a\n"])(
    "is not named %j: the name becomes a folder and a cgroup",
    (name) => expect(() => placeOf(name, {})).toThrow(/is no name for a testbed/),
  );

  it("is under the XDG folders, or under the home", () => {
    const { state, cache } = placeOf("a", { XDG_STATE_HOME: "/s", XDG_CACHE_HOME: "/c", HOME: "/h" });
    expect([state, cache]).toEqual(["/s/asfound-testbed/a", "/c/asfound-testbed"]);
    expect(placeOf("a", { HOME: "/h" }).state).toBe("/h/.local/state/asfound-testbed/a");
  });

  it("is not under /run, which a testbed covers with its own", () => {
    expect(() => placeOf("a", { XDG_STATE_HOME: "/run/user/0" })).toThrow(/set XDG_STATE_HOME/);
    expect(placeOf("a", { XDG_STATE_HOME: "/runner" }).state).toBe("/runner/asfound-testbed/a");
  });
});
