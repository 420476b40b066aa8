/** The sweep can fail: real commands with one line of their source changed, and points that nobody hits. */
import { describe, expect, it, onTestFinished } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../../src/domain/crash-point.ts";
import { makePlace, PAST_CALL_BY_MS, type Place, stackText } from "../../scenarios/place.ts";
import { ownTempFolder } from "../../support/own-folder.ts";
import { asfound, type Mutant, passedIn } from "./cli.ts";
import { httpCloud, shellCloud, type Uses } from "./clouds.ts";
import { KUBERNETES } from "./kubernetes.ts";
import { crash, survey } from "./life.ts";
import { unhit, WHERE } from "./points.ts";
import type { Hit, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

ownTempFolder("crash-points-controls");

const scenario = (name: string): Scenario => {
  const found = SCENARIOS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no scenario ${name}`);
  return found;
};

const story = async (
  name: string,
  hit: Hit,
  { uses = "exec", mutant }: { readonly uses?: Uses; readonly mutant?: Mutant } = {},
): Promise<void> => {
  const http = uses === "http" ? (await httpCloud()).start : () => Promise.reject(new Error("no HTTP cloud"));
  const passed = await survey(scenario(name), { uses, http });
  // Without a mutant this is the whole story by real commands alone, each in a process of its own.
  await crash(scenario(name), passed, hit, {
    uses,
    http,
    byCommand: true,
    ...(mutant === undefined ? {} : { mutant }),
  });
};

interface Control {
  readonly what: string;
  readonly mutant: Mutant;
  readonly scenario: string;
  readonly point: CrashPoint;
  readonly caught: RegExp;
}

const MUTANTS: readonly Control[] = [
  {
    what: "W1: a call is sent although its intent was not recorded",
    mutant: {
      file: "/runtime/ledger.ts",
      from: "return { records: [record], value: record };",
      to: "return { records: [], value: record };",
    },
    scenario: "create",
    point: "exec-fed",
    caught: /W1: create of machine .* was sent without a record/,
  },
  {
    what: "W3: a call without a living owner is shown as pending",
    mutant: {
      file: "/domain/shown.ts",
      from: "if (open !== undefined && open.operation === live) return { status: state.status, reason: state.reason };",
      to: 'if (open !== undefined && open.operation !== live) return { status: "pending", reason: "" };',
    },
    scenario: "create",
    point: "fence-passed",
    caught: /what is in doubt/,
  },
  {
    what: "N5: what may still happen is believed to be past at once",
    mutant: {
      file: "/domain/past.ts",
      from: "return steadyTime(Math.max(sentBy, ended, alive) + state.policy.settleMs);",
      to: "return steadyTime(0);",
    },
    scenario: "create",
    point: "fence-passed",
    caught: /create of machine is in doubt, and was sent again/,
  },
  {
    what: "R1: a reconcile forgets what it cannot settle",
    mutant: {
      file: "/domain/settle.ts",
      from: "const why = reading.reason === null",
      to: "if (asking.askedAt > 0) return settleAll(opens, () => 'superseded', id);\n  const why = reading.reason === null",
    },
    scenario: "update",
    point: "fence-passed",
    caught: /is in doubt, and was sent again|was begun while one before it/,
  },
  {
    what: "W6: the spool's slot is emptied before the ledger has its result",
    mutant: {
      file: "/runtime/begin.ts",
      from: "const taken = await session.takeOver(spooled.record);",
      to: "await clear(); runtime.reached('spool-taken-over'); const taken = await session.takeOver(spooled.record);",
    },
    scenario: "apply after a result that the ledger could not take",
    point: "spool-taken-over",
    caught: /what was owed is done/,
  },
];

const QUIET = ["--yes", "--progress", "quiet"];

describe("a broken asfound is caught", () => {
  it.each(MUTANTS)("$what", async ({ mutant, scenario: name, point, caught }) => {
    await expect(story(name, { point, nth: 1 }, { mutant })).rejects.toThrow(caught);
  });

  it.each(MUTANTS.map(({ scenario: name, point }) => [name, point] as const))(
    "control of these controls: %s, killed at %s, is sound without the change",
    async (name, point) => {
      await story(name, { point, nth: 1 });
    },
  );

  it.each([
    ["with what was recorded of it", false],
    ["control: with nothing recorded of it", true],
  ] as const)("N6: killed right after it ended a sender, %s", async (_, broken) => {
    const place = await makePlace();
    onTestFinished(() => place.end());
    const mutant = {
      file: "/runtime/reconcile.ts",
      from: "if (survivors.length > 0 && subject !== null",
      to: "if (survivors.length > 99 && subject !== null",
    };
    await place.writeStack(stackText([shellCloud(place).step("machine", { settle: "30s" })]));
    await place.fault("create", "machine", "hold");
    await asfound(place.folder, ["apply", ...QUIET], { crashAt: "exec-fed" });
    await place.held("create", "machine");
    place.passTime(2 * PAST_CALL_BY_MS);
    const died = await asfound(place.folder, ["reconcile", "--end-survivor", ...QUIET], {
      crashAt: "survivor-ended",
      aheadMs: 2 * PAST_CALL_BY_MS,
      ...(broken ? { mutant } : {}),
    });
    expect(died.signal).toBe("SIGKILL");
    // Its settle is not over: nothing may be sent, and the broken one sends.
    expect((await place.apply()).exit).toBe(broken ? 0 : 21);
    expect(await place.calls("create", "machine")).toHaveLength(broken ? 2 : 1);
  });

  it("over HTTP the whole story is sound by real commands alone", async () => {
    await story("create", { point: "http-sent", nth: 1 }, { uses: "http" });
  });
});

describe("a point that nobody hits is a defect", () => {
  it("a passing that never comes fails the story", async () => {
    await expect(story("create", { point: "exec-fed", nth: 99 })).rejects.toThrow(/exec-fed:99 was not hit/);
  });

  it("a scenario that misses one of its points names it", () => {
    const all = (Object.keys(CRASH_POINTS) as CrashPoint[]).map((point) => ({ point, nth: 1 }));
    expect(unhit("exec: create", all)).toEqual([]);
    expect(
      unhit(
        "exec: create",
        all.filter(({ point }) => point !== "exec-fed"),
      ),
    ).toEqual(["exec-fed"]);
  });

  it("each point is promised by a scenario that there is", () => {
    const names = [
      ...SCENARIOS.flatMap(({ name, uses }) => uses.map((each) => `${each}: ${name}`)),
      ...KUBERNETES.map(({ name }) => `kubernetes: ${name}`),
    ];
    for (const promised of Object.values(WHERE)) expect(names).toContain(promised);
  });
});

describe("ASFOUND_CRASH_AT", () => {
  const machine = async (): Promise<Place> => {
    const place = await makePlace();
    onTestFinished(() => place.end());
    await place.writeStack(stackText([shellCloud(place).step("machine")]));
    return place;
  };
  const apply = ["apply", ...QUIET];

  it.each(["exec-fedd", "exec-fed:0", "exec-fed:x", ":1", "toString"])(
    "%s is refused with the list, and nothing is made",
    async (crashAt) => {
      const place = await machine();
      const ran = await asfound(place.folder, apply, { crashAt });
      expect(ran).toMatchObject({ exit: 2, signal: null, out: "" });
      expect(ran.err).toMatch(
        /^asfound: ASFOUND_CRASH_AT must be POINT, POINT:NTH or trace, where POINT is one of /,
      );
      for (const point of Object.keys(CRASH_POINTS)) expect(ran.err).toContain(point);
      expect(await place.log()).toEqual([]);
    },
  );

  it("empty or absent, it does nothing; trace tells the points and kills nothing", async () => {
    const place = await machine();
    const off = await asfound(place.folder, apply);
    expect(off).toMatchObject({ exit: 0, signal: null });
    expect(passedIn(off.err)).toEqual([]);
    const traced = await asfound(place.folder, ["destroy", ...QUIET], {
      crashAt: "trace",
    });
    expect(traced).toMatchObject({ exit: 0, signal: null });
    expect(passedIn(traced.err)).toContain("removal-due");
    expect(await place.objects()).toEqual([]);
  });
});
