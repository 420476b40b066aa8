/** docs/comparison.md is what the recorded run gives, and the run is of the states that are written down. */
import { describe, expect, it } from "vitest";
import { pageOf, type Recorded } from "../../bench/comparison/page.ts";
import { STATES } from "../../bench/comparison/states.ts";
import { readPage } from "./literate.ts";

const recorded = async (): Promise<Recorded> =>
  JSON.parse(await readPage("bench/comparison.json")) as Recorded;

describe("the comparison", () => {
  it("is the page that its recorded run gives", async () => {
    expect(await readPage("docs/comparison.md")).toBe(pageOf(await recorded()));
  });

  it("is of every state, and asfound said of each what is true by its construction", async () => {
    const { states } = await recorded();
    expect(states.map(({ name, truth, asfound }) => [name, truth, asfound.exit])).toEqual(
      STATES.map(({ name, truth, exit }) => [name, truth, exit]),
    );
  });

  it("control: another answer gives another page", async () => {
    const run = await recorded();
    const [first, ...rest] = run.states;
    if (first === undefined) throw new Error("no state was recorded");
    const altered = {
      ...run,
      states: [{ ...first, kubectl: { exit: 7, words: "a|b", seconds: 3 } }, ...rest],
    };
    expect(pageOf(altered)).toContain("**7**, 3 s: a\\|b");
    expect(pageOf(altered)).not.toBe(pageOf(run));
  });
});
