/** Killed while it calls: every action, one after the other and several at once, and what is contained in another. */
import { expect } from "vitest";
import type { Scenario } from "./scenario.ts";
import {
  APPLY,
  applied,
  BOTH,
  CREATE,
  DESTROY,
  doneOnce,
  FAMILY,
  FOUR,
  gone,
  ONE,
  OWED,
  owedOrNot,
  statusOf,
  there,
  write,
} from "./stacks.ts";

export const CALLS: readonly Scenario[] = [
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

export const FAMILIES: readonly Scenario[] = [
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
