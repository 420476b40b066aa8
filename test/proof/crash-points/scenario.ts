/** What is done before the crash, what is being done when it comes, and what must be true when all is over. */
import { expect } from "vitest";
import type { CrashPoint } from "../../../src/domain/crash-point.ts";
import type { Action } from "../../../src/domain/step.ts";
import { PAST_CALL_BY_MS, type Place, stackText } from "../../scenarios/place.ts";
import type { Verb } from "../../scenarios/verbs.ts";
import { asfound, environmentOf, type How, type Ran, wordsOf } from "./cli.ts";
import type { Cloud, StepText, Uses } from "./clouds.ts";

/** A call in doubt: the step's name in `status`, and the action that is uncertain. null: no call, and in doubt all the same. */
export interface Doubt {
  readonly step: string;
  readonly action: Action | null;
}

export interface Stage {
  readonly place: Place;
  readonly cloud: Cloud;
  readonly uses: Uses;
  /** How much time was let pass; for processes of their own. */
  aheadMs: number;
}

export interface Scenario {
  readonly name: string;
  readonly uses: readonly Uses[];
  readonly prepare: (stage: Stage) => Promise<void>;
  /** What is killed. */
  readonly verb: Verb;
  /** What an uncrashed run of it calls, one after the other; null: several at once, so their order is not known. */
  readonly calls: readonly { readonly step: string; readonly action: Action }[] | null;
  /** In doubt before the verb. */
  readonly doubt?: Doubt;
  /** In doubt once the verb's decision is recorded. */
  readonly decided?: Doubt;
  /** What it did cannot be observed. */
  readonly blind?: true;
  /** It looks while it cannot be told yet. */
  readonly unsettled?: true;
  /** Killed in CI, too, at the points that are the same code in all scenarios. */
  readonly alike?: true;
  /** How often it is killed at the same point. */
  readonly times?: number;
  /** How it is run; else as the real command. */
  readonly run?: (stage: Stage, how: How) => Promise<Ran>;
  /** The plain verb that must not repeat what is in doubt; else `verb`. */
  readonly again?: Verb;
  /** How a doubt ends that no look can settle. */
  readonly decide?: (stage: Stage, doubt: Doubt) => Promise<Verb | null>;
  /** What brings it to its end; else `verb`. */
  readonly resume?: Verb;
  /** When it has come to its end. */
  readonly after: (stage: Stage) => Promise<void>;
  /** Its provider's process goes on by itself until it is let go (N6). */
  readonly survives?: true;
  /** Before it is settled: what still holds the cloud up comes to its end. */
  readonly letGo?: (stage: Stage) => Promise<void>;
}

export interface Hit {
  readonly point: CrashPoint;
  readonly nth: number;
}

export const hitText = ({ point, nth }: Hit): string => `${point}:${nth}`;

export const pass = (stage: Stage): void => {
  stage.place.passTime(PAST_CALL_BY_MS);
  stage.aheadMs += PAST_CALL_BY_MS;
};

export const runIt = (stage: Stage, words: readonly string[], how: How): Promise<Ran> =>
  asfound(stage.place.folder, words, {
    ...how,
    ...(stage.aheadMs === 0 ? {} : { aheadMs: stage.aheadMs }),
  });

// ---- stacks ----------------------------------------------------------------------------------------------------

type Steps = Readonly<Record<string, StepText>>;

const write = (stage: Stage, steps: Steps): Promise<void> =>
  stage.place.writeStack(
    stackText(Object.entries(steps).map(([name, text]) => stage.cloud.step(name, text))),
  );

const applied = async (stage: Stage, steps: Steps): Promise<void> => {
  await write(stage, steps);
  expect((await stage.place.apply()).exit, "the apply before").toBe(0);
};

/** Killed once already, where its call has come to the provider, or where nothing was sent. */
const killed = async (stage: Stage, verb: Verb, sent: "sent" | "not sent"): Promise<void> => {
  const point = sent === "not sent" ? "fence-passed" : stage.uses === "exec" ? "exec-fed" : "http-replied";
  const ran = await runIt(stage, wordsOf(verb), { crashAt: point });
  expect(ran.signal, `the crash before, at ${point}: ${ran.err}`).toBe("SIGKILL");
  await stage.cloud.quiet();
};

const APPLY: Verb = { verb: "apply" };
const DESTROY: Verb = { verb: "destroy" };
const CREATE = { step: "machine", action: "create" } as const;
const OWED = { step: "machine", action: "owed" } as const;
const ONE: Steps = { machine: {} };
const FAMILY: Steps = { net: {}, guest: { within: "net" } };
const FOUR: Steps = { a: {}, b: {}, c: {}, d: {} };
const BOTH = ["exec", "http"] as const;

const statusOf = async (stage: Stage, step: string): Promise<string> => (await stage.place.step(step)).status;

/** All of these are complete, and each is there once. */
const there =
  (...steps: readonly string[]) =>
  async (stage: Stage): Promise<void> => {
    for (const step of steps) expect(await statusOf(stage, step), step).toBe("complete");
    expect((await stage.cloud.alive()).map((one) => one.step).sort()).toEqual([...steps].sort());
  };

const gone =
  (...steps: readonly string[]) =>
  async (stage: Stage): Promise<void> => {
    for (const step of steps) expect(await statusOf(stage, step), step).toBe("destroyed");
    expect((await stage.cloud.alive()).filter(({ step }) => steps.includes(step))).toEqual([]);
  };

const doneOnce = async (stage: Stage, step: string): Promise<boolean> =>
  (await stage.cloud.changes()).some((change) => change.what === "done" && change.step === step);

/** Nothing observes whether what is owed was done: a person looks, and says so. */
const owedOrNot = async (stage: Stage, { step, action }: Doubt): Promise<Verb | null> =>
  action === "owed"
    ? { verb: "resolve", step, as: "present", owed: (await doneOnce(stage, step)) ? "done" : "again" }
    : null;

// ---- what is killed --------------------------------------------------------------------------------------------

const CALLS: readonly Scenario[] = [
  {
    name: "create",
    alike: true,
    uses: BOTH,
    prepare: (stage) => write(stage, ONE),
    verb: APPLY,
    calls: [CREATE],
    after: there("machine"),
  },
  {
    name: "update",
    uses: BOTH,
    prepare: async (stage) => {
      await applied(stage, ONE);
      await write(stage, { machine: { size: "2" } });
    },
    verb: APPLY,
    calls: [{ step: "machine", action: "update" }],
    after: there("machine"),
  },
  {
    name: "replace",
    uses: BOTH,
    prepare: async (stage) => {
      await applied(stage, ONE);
      await write(stage, { machine: { size: "2", lines: ["onChange: replace"] } });
    },
    verb: { verb: "apply", options: { allowDestroy: true } },
    calls: [{ step: "machine", action: "destroy" }, CREATE],
    after: async (stage) => {
      await there("machine")(stage);
      expect((await stage.cloud.changes()).map(({ what }) => what)).toEqual(["made", "gone", "made"]);
    },
  },
  {
    name: "destroy",
    alike: true,
    uses: BOTH,
    prepare: (stage) => applied(stage, ONE),
    verb: DESTROY,
    calls: [{ step: "machine", action: "destroy" }],
    after: gone("machine"),
  },
  {
    name: "compensate",
    uses: BOTH,
    prepare: (stage) => applied(stage, { machine: { compensated: true } }),
    verb: { verb: "compensate", steps: ["machine"] },
    calls: [{ step: "machine~compensate", action: "compensate" }],
    blind: true,
    decide: async (stage, { step }) => ({
      verb: "resolve",
      step,
      as: (await doneOnce(stage, step)) ? "present" : "absent",
    }),
    after: async (stage) => {
      expect(await statusOf(stage, "machine~compensate")).toBe("complete");
      expect((await stage.cloud.changes()).filter(({ what }) => what === "done")).toHaveLength(1);
    },
  },
  {
    name: "owed",
    uses: BOTH,
    prepare: async (stage) => {
      await write(stage, { machine: { owing: true } });
      await stage.place.fault("create", "machine", "owes restart");
    },
    verb: APPLY,
    calls: [CREATE, OWED],
    decide: owedOrNot,
    after: async (stage) => {
      await there("machine")(stage);
      expect((await stage.place.step("machine")).owes).toEqual([]);
      expect((await stage.cloud.changes()).filter(({ what }) => what === "done").length).toBeLessThanOrEqual(
        1,
      );
    },
  },
  {
    name: "create of several at once",
    uses: BOTH,
    prepare: (stage) => write(stage, FOUR),
    verb: APPLY,
    calls: null,
    after: there("a", "b", "c", "d"),
  },
  {
    name: "destroy of several at once",
    uses: BOTH,
    prepare: (stage) => applied(stage, FOUR),
    verb: DESTROY,
    calls: null,
    after: gone("a", "b", "c", "d"),
  },
];

const FAMILIES: readonly Scenario[] = [
  {
    name: "create of a container and what it contains",
    uses: BOTH,
    prepare: (stage) => write(stage, FAMILY),
    verb: APPLY,
    calls: [
      { step: "net", action: "create" },
      { step: "guest", action: "create" },
    ],
    after: there("net", "guest"),
  },
  {
    name: "destroy of a container with what it contains",
    uses: BOTH,
    prepare: (stage) => applied(stage, FAMILY),
    verb: DESTROY,
    calls: [{ step: "net", action: "destroy" }],
    after: async (stage) => {
      await gone("net", "guest")(stage);
      expect(
        (await stage.cloud.calls()).filter(({ action }) => action === "destroy").map(({ step }) => step),
      ).toEqual(["net"]);
    },
  },
  {
    name: "destroy of a container that nothing observes, with what it contains",
    uses: BOTH,
    prepare: (stage) => applied(stage, { ...FAMILY, net: { blind: true } }),
    verb: DESTROY,
    calls: [{ step: "net", action: "destroy" }],
    blind: true,
    decide: async (stage, { step }) => ({
      verb: "resolve",
      step,
      as: (await stage.cloud.alive()).some((one) => one.step === step) ? "present" : "absent",
    }),
    after: gone("net", "guest"),
  },
  {
    name: "destroy of what is contained, alone",
    uses: BOTH,
    prepare: (stage) => applied(stage, FAMILY),
    verb: { verb: "destroy", only: ["guest"] },
    calls: [{ step: "guest", action: "destroy" }],
    after: async (stage) => {
      await gone("guest")(stage);
      await there("net")(stage);
    },
  },
];

const DECISIONS: readonly Scenario[] = [
  {
    name: "import",
    alike: true,
    uses: BOTH,
    prepare: async (stage) => {
      await write(stage, ONE);
      PLANTED.set(stage, await stage.cloud.plant("machine"));
    },
    // The id is known once it is planted: `verbOf` fills it in.
    verb: { verb: "import", step: "machine", id: "PLANTED" },
    calls: [],
    decided: { step: "machine", action: null },
    resume: APPLY,
    after: async (stage) => {
      await there("machine")(stage);
      expect((await stage.place.step("machine")).identity?.id).toBe(PLANTED.get(stage));
      const own = (await stage.cloud.calls()).filter(({ key }) => key !== "none" && key !== null);
      expect(own, "nothing is called to adopt a thing").toEqual([]);
    },
  },
  ...(["present", "absent"] as const).map(
    (as): Scenario => ({
      name: `resolve as ${as}`,
      uses: BOTH,
      prepare: async (stage) => {
        await write(stage, ONE);
        await killed(stage, APPLY, as === "present" ? "sent" : "not sent");
      },
      verb: { verb: "resolve", step: "machine", as },
      calls: [],
      doubt: CREATE,
      resume: APPLY,
      after: there("machine"),
    }),
  ),
];

const PLANTED = new WeakMap<Stage, string>();

/** The verb with what was not known before it was prepared. */
export const verbOf = (stage: Stage, scenario: Scenario): Verb =>
  scenario.verb.verb === "import" ? { ...scenario.verb, id: PLANTED.get(stage) ?? "none" } : scenario.verb;

const RECOVERIES: readonly Scenario[] = [
  {
    name: "apply after a crash whose effect is there",
    alike: true,
    uses: BOTH,
    prepare: async (stage) => {
      await write(stage, ONE);
      await killed(stage, APPLY, "sent");
    },
    verb: APPLY,
    calls: [],
    doubt: CREATE,
    times: 2,
    after: there("machine"),
  },
  {
    name: "reconcile after a crash that sent nothing",
    uses: BOTH,
    prepare: async (stage) => {
      await write(stage, ONE);
      await killed(stage, APPLY, "not sent");
      pass(stage);
    },
    verb: { verb: "reconcile" },
    calls: [],
    doubt: CREATE,
    times: 2,
    again: APPLY,
    resume: APPLY,
    after: there("machine"),
  },
  {
    name: "destroy after a crash whose effect is there",
    uses: BOTH,
    prepare: async (stage) => {
      await write(stage, ONE);
      await killed(stage, APPLY, "sent");
    },
    verb: DESTROY,
    calls: [{ step: "machine", action: "destroy" }],
    doubt: CREATE,
    times: 2,
    after: gone("machine"),
  },
  {
    name: "reconcile after a crash in a destroy that did nothing",
    uses: BOTH,
    prepare: async (stage) => {
      await applied(stage, ONE);
      await killed(stage, DESTROY, "not sent");
      pass(stage);
    },
    verb: { verb: "reconcile" },
    calls: [],
    doubt: { step: "machine", action: "destroy" },
    times: 2,
    again: DESTROY,
    resume: DESTROY,
    after: gone("machine"),
  },
];

const SPOOLS: readonly Scenario[] = [
  {
    name: "a result that the ledger cannot take",
    uses: ["exec"],
    prepare: (stage) => write(stage, ONE),
    verb: APPLY,
    // What is broken is put between the runtime and its store, so this one runs over compose.
    run: async (stage, how) => {
      const { exit, signal, output } = await stage.place.run(
        { verb: "apply" },
        {
          environment: environmentOf(how),
          strike: { signal: "EIO", when: "before", at: "identity" },
        },
      );
      return { exit, signal, out: "", err: output };
    },
    calls: [CREATE],
    after: async (stage) => {
      await there("machine")(stage);
      expect((await stage.place.step("machine")).outputs).toMatchObject({ seen: "machine-1" });
    },
  },
  {
    name: "apply after a result that the ledger could not take",
    alike: true,
    uses: ["exec"],
    prepare: async (stage) => {
      await write(stage, ONE);
      // Only the outcome tells what is owed, so nothing else can bring it back.
      await stage.place.fault("create", "machine", "owes restart");
      const ran = await stage.place.run(
        { verb: "apply" },
        { strike: { signal: "EIO", when: "before", at: "outcome" } },
      );
      expect(ran.exit, "the apply before").toBe(21);
    },
    verb: APPLY,
    calls: [OWED],
    doubt: CREATE,
    times: 2,
    decide: owedOrNot,
    after: async (stage) => {
      await there("machine")(stage);
      expect(await doneOnce(stage, "machine"), "what was owed is done").toBe(true);
    },
  },
];

const SENDERS: readonly Scenario[] = [
  {
    name: "an answer that comes late",
    uses: ["exec"],
    prepare: async (stage) => {
      await write(stage, { machine: { settle: "30s" } });
      await stage.place.fault("observe", "machine", "times 2 hidden");
    },
    verb: APPLY,
    calls: [CREATE],
    // Longer than `settle` the old picture is not shown.
    letGo: (stage) => stage.place.fault("observe", "machine", ""),
    after: there("machine"),
  },
  ...(["--no-wait", "--end-survivor"] as const).map(
    (flag): Scenario => ({
      name: `reconcile ${flag} while the provider's process lives on`,
      uses: ["exec"],
      prepare: async (stage) => {
        await write(stage, ONE);
        await stage.place.fault("create", "machine", "hold");
        const ran = await runIt(stage, wordsOf(APPLY), { crashAt: "exec-fed" });
        expect(ran.signal, "the crash before").toBe("SIGKILL");
        await stage.place.held("create", "machine");
        pass(stage);
      },
      verb: { verb: "reconcile", wait: flag !== "--no-wait", endSurvivors: flag === "--end-survivor" },
      calls: [],
      doubt: CREATE,
      ...(flag === "--no-wait" ? { unsettled: true as const } : {}),
      again: APPLY,
      resume: APPLY,
      survives: true,
      letGo: (stage) => stage.place.release("create", "machine"),
      after: there("machine"),
    }),
  ),
];

export const SCENARIOS = [...CALLS, ...FAMILIES, ...DECISIONS, ...RECOVERIES, ...SPOOLS, ...SENDERS];
