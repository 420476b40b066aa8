/** The kit's controls: for each check a provider, or a tool, that breaks it; and what did not run counts for nothing. */
import { describe, expect, it } from "vitest";
import { absent, done, notRead, present, type RetryClass, refused } from "../../../src/provider.ts";
import { conformance, conformanceText, providerChecks } from "../../../src/testing.ts";
import { type Mutate, rackSubject } from "./rack.ts";

interface Bad {
  readonly what: string;
  /** The class that the tool keeps. */
  readonly tool?: RetryClass;
  readonly mutate?: Mutate;
  readonly says: RegExp;
}

/** What the tool threw is made into that. */
const makes =
  (
    method: "create" | "update" | "destroy",
    how: string,
    into: Awaited<ReturnType<NonNullable<ReturnType<Mutate>["update"]>>>,
  ): Mutate =>
  (whole) => ({
    ...whole,
    [method]: async (intent: never, io: never) => {
      const outcome = await whole[method]?.(intent, io);
      const said = outcome !== undefined && "reason" in outcome ? outcome.reason : "";
      return said.includes(how) ? into : outcome;
    },
  });

/** What observe answers is made into something else. */
const sees =
  (
    change: (reading: Awaited<ReturnType<NonNullable<ReturnType<Mutate>["observe"]>>>) => typeof reading,
  ): Mutate =>
  (whole) => ({
    ...whole,
    observe: async (question, io) => change((await whole.observe?.(question, io)) ?? absent),
  });

/** By the check's name. */
const BAD: Readonly<Record<string, Bad>> = {
  "describe is pure and finds the inputs valid (W5)": {
    what: "describe remembers",
    mutate: (whole) => {
      let asked = 0;
      return { ...whole, check: () => (asked++ % 2 === 0 ? [] : [{ path: [], message: "not again" }]) };
    },
    says: /two answers/,
  },
  "create opens its intent, makes one thing, and observe sees it": {
    what: "create never opens its intent",
    mutate: (whole) => ({ ...whole, create: async () => done({ id: "thing-1" }) }),
    says: /did not open its intent/,
  },
  "a second apply of the same inputs changes nothing": {
    what: "observe finds it changed at every second look",
    mutate: (whole) => {
      let looks = 0;
      return {
        ...whole,
        observe: async (question, io) => {
          const reading = (await whole.observe?.(question, io)) ?? absent;
          looks += 1;
          return looks % 2 === 0 && reading.kind === "observed"
            ? present({ id: reading.id, asDeclared: false })
            : reading;
        },
      };
    },
    says: /called the provider to change something|left the step/,
  },
  "a thing whose create had no reply is found by its key (R1)": {
    what: "observe finds by id only",
    mutate: (whole) => ({
      ...whole,
      observe: async (question, io) =>
        question.identity === null ? absent : ((await whole.observe?.(question, io)) ?? absent),
    }),
    says: /find the thing by its key/,
  },
  "a create that never arrived is made up for once (R5)": {
    what: "observe sees what is not there",
    mutate: sees((reading) => (reading.kind === "absent" ? present({ asDeclared: true }) : reading)),
    says: /one thing was wanted, and 0 exist/,
  },
  "what cannot be read is not called complete (R2)": {
    what: "nothing is observed",
    mutate: ({ observe: _, ...whole }) => whole,
    says: /counts as complete although nothing could be read/,
  },
  "an update keeps the identity": {
    what: "update makes another thing",
    mutate: (whole, rack) => ({
      ...whole,
      update: async (intent) => {
        const { identity, key, inputs } = await intent.open();
        await rack.remove(identity?.id ?? "");
        return done({ id: await rack.create(key, String(inputs["name"]), String(inputs["label"])) });
      },
    }),
    says: /left the step|changed the identity/,
  },
  "destroy removes it, and observe says that it is absent (D3)": {
    what: "destroy says that it is gone, and it is not",
    mutate: (whole) => {
      let isGone = false;
      return {
        ...whole,
        destroy: async (intent) => {
          await intent.open();
          isGone = true;
          return done();
        },
        observe: async (question, io) =>
          isGone ? absent : ((await whole.observe?.(question, io)) ?? absent),
      };
    },
    says: /what is called destroyed still exists/,
  },
  "a destroy without a reply is settled by looking": {
    what: "observe never says that something is absent",
    mutate: sees((reading) => (reading.kind === "absent" ? notRead("404") : reading)),
    says: /a destroy without a reply left|left the step/,
  },
  "observe never throws, even when told to stop": {
    what: "observe throws when it is told to stop",
    mutate: (whole) => ({
      ...whole,
      observe: async (question, io) => {
        if (io.stop.aborted) throw new Error("aborted");
        return (await whole.observe?.(question, io)) ?? absent;
      },
    }),
    says: /observe threw/,
  },
  "a create whose answer is lost is in doubt, not done and not refused (W3)": {
    what: "a lost answer is a refusal",
    mutate: makes("create", "lost", refused("nothing came back")),
    says: /answered with refused, and it had an effect/,
  },
  "a destroy whose answer is lost is not refused, and absence settles it (D3)": {
    what: "a destroy's lost answer is a refusal",
    mutate: makes("destroy", "lost", refused("nothing came back")),
    says: /answered with refused, and it had an effect/,
  },
  "a create that fails after its effect is not refused, and what it left can be destroyed (op-20)": {
    what: "an error is a refusal",
    mutate: makes("create", "broken", refused("500")),
    says: /answered with refused, and it had an effect/,
  },
  "an update that fails after its effect is not refused (op-12)": {
    what: "an update's error is a refusal",
    mutate: makes("update", "broken", refused("500")),
    says: /answered with refused, and it had an effect/,
  },
  "a create that the tool turns down is not done (op-18)": {
    what: "a refusal is done",
    mutate: makes("create", "refused", done()),
    says: /turned down was answered with done/,
  },
  "a create that takes effect later is found when it comes (N5)": {
    what: "what is not there yet was done",
    mutate: makes("create", "lost", done()),
    says: /answered with done, and nobody said so/,
  },
  "a create that is never answered ends by its deadline, in doubt (op-02)": {
    what: "create knows no deadline",
    mutate: (whole) => ({
      ...whole,
      create: (intent, io) => whole.create(intent, { ...io, deadlineMs: 3_600_000 }),
    }),
    says: /only when it was told to stop|had not come back/,
  },
  "a denied read is no absence and no presence (op-03)": {
    what: "who may not look sees nothing",
    mutate: sees((reading) => (reading.kind === "denied" ? absent : reading)),
    says: /denied was taken for the answer absent/,
  },
  "a broken read is no absence and no presence (R2)": {
    what: "a failed list is an empty one",
    mutate: sees((reading) => (reading.kind === "failed" ? absent : reading)),
    says: /broken was taken for the answer absent/,
  },
  "of two things with one mark none is chosen (R4)": {
    what: "the first of several is ours",
    mutate: sees((reading) =>
      reading.kind === "ambiguous" ? present({ id: reading.ids[0] ?? null }) : reading,
    ),
    says: /observe says observed/,
  },
  "once: what another ledger made is not taken for ours (op-17)": {
    what: "whatever is there is ours",
    mutate: (whole, rack) => ({
      ...whole,
      observe: async (question, io) => {
        const [first] = rack.things;
        const own = (await whole.observe?.(question, io)) ?? absent;
        return own.kind === "absent" && first !== undefined
          ? present({ id: first[0], asDeclared: true })
          : own;
      },
    }),
    says: /was taken for what our lost create had made/,
  },
  "named: a create sent again makes no second thing of that name": {
    what: "the tool takes a name twice",
    tool: "once",
    says: /there are 2 things/,
  },
  "named: what has the name already is seen before the create, and left alone": {
    what: "observe looks for keys, not for the name",
    tool: "keyed",
    says: /observe says that nothing is/,
  },
  "keyed: the same create with the same key, sent again, makes no second thing (op-01)": {
    what: "the tool ignores the key",
    tool: "once",
    says: /there are 2 things/,
  },
  "keyed: what another ledger made is not taken for ours (op-17)": {
    what: "observe looks for the name, not for keys",
    tool: "named",
    says: /was taken for what our lost create had made/,
  },
  "idempotent: the same create, sent again, makes no second thing": {
    what: "every create makes a thing",
    tool: "once",
    says: /there are 2 things/,
  },
  "idempotent: a create over what is there leaves one thing, as declared": {
    what: "create knows its own key only",
    tool: "keyed",
    says: /there are 2 things/,
  },
};

/** The class that a check belongs to; those of every class are looked at as `once`. */
const classOf = (name: string): RetryClass =>
  (/^(named|keyed|idempotent):/.exec(name)?.[1] ?? "once") as RetryClass;

describe("each check is broken by a provider that is bad in just that way", () => {
  it.concurrent.for(Object.entries(BAD))("%s", async ([name, { tool = "once", mutate, says }]) => {
    const check = providerChecks(rackSubject(tool, mutate), classOf(name)).find((one) => one.name === name);
    await expect(check?.run() ?? Promise.resolve("there is no such check")).rejects.toThrow(says);
  });

  it("every check has one, and no other is named", async () => {
    const report = await conformance(rackSubject("once"));
    expect(report.checks.map(({ name }) => name).toSorted()).toEqual(Object.keys(BAD).toSorted());
  });
});

describe("what is declared and what is shown", () => {
  it("a class that is declared and not kept is named with the check that breaks it", async () => {
    const report = await conformance(rackSubject("once", (whole) => ({ ...whole, retry: "keyed" })));
    expect(report).toMatchObject({
      declares: "keyed",
      highest: "once",
      classes: { keyed: { result: "broken" } },
    });
    expect(report.classes.keyed.because).toEqual([
      "keyed: the same create with the same key, sent again, makes no second thing (op-01)",
    ]);
    expect(conformanceText(report)).toMatch(/rack: it may declare retry: once; it declares keyed$/);
  });

  it("without a switch nothing is broken, and no class is shown", async () => {
    const report = await conformance(rackSubject("keyed", undefined, ["reads", "twin"]));
    expect(report.highest).toBeNull();
    expect(report.classes.keyed.result).toBe("not-shown");
    expect(report.classes.keyed.because).toHaveLength(3);
    expect(conformanceText(report)).toMatch(/not-run .*: the subject has no switch twin/);
    const checks = providerChecks(rackSubject("keyed", undefined, ["twin"]), "keyed");
    await expect(checks.find(({ name }) => name.includes("two things"))?.run()).rejects.toThrow(
      /not run: .* twin/,
    );
  });
});
