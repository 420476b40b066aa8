/** Killed while doubt is ended: decisions, recoveries from a crash, results out of the spool, senders that outlive us. */
import { expect } from "vitest";
import { environmentOf, wordsOf } from "./cli.ts";
import { PLANTED, pass, runIt, type Scenario } from "./scenario.ts";
import {
  APPLY,
  applied,
  BOTH,
  CREATE,
  DESTROY,
  doneOnce,
  gone,
  killed,
  ONE,
  OWED,
  owedOrNot,
  there,
  write,
} from "./stacks.ts";

export const DECISIONS: readonly Scenario[] = [
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

export const RECOVERIES: readonly Scenario[] = [
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

export const SPOOLS: readonly Scenario[] = [
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

export const SENDERS: readonly Scenario[] = [
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
