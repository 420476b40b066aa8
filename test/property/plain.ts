/** A step and a command in which nothing goes wrong: what a test changes is what it is about. */
import { stepName } from "../../src/domain/ids.ts";
import type { Command, PlannedNode } from "./machine.ts";

export const plainNode = (name: string, more: Partial<PlannedNode> = {}): PlannedNode => ({
  name: stepName(name),
  needs: [],
  partOf: null,
  retry: "once",
  update: true,
  onChange: null,
  tellsDeclared: true,
  ...more,
});

export const plainCommand = (verb: Command["verb"], more: Partial<Command> = {}): Command => ({
  verb,
  version: 1,
  leftOut: 0,
  allowDestroy: false,
  waits: true,
  fates: [],
  looks: [],
  diesAt: null,
  fullAt: null,
  ...more,
});
