import { describe, expect, it } from "vitest";
import { declared, everyKind, lease, operation, state } from "../../test/contract/journal-samples.ts";
import { moment } from "../../test/support/clock.ts";
import { RECORD_KINDS } from "../domain/journal.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { encodeRecord } from "./chain.ts";
import { decodeRecord } from "./journal.ts";
import { decodeLease, decodeOperation, decodeStepState, encodeStepState } from "./ledger-rows.ts";

/** What a provider or a person put there is theirs, and has no shape. */
const FREE = new Set(["inputs", "outputs", "priorOutputs", "outputsFrom"]);

/** Every place of an object's member, as a path of keys. */
const places = (value: JsonValue): (string | number)[][] => {
  if (Array.isArray(value))
    return value.flatMap((item, index) => places(item).map((path) => [index, ...path]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    [key],
    ...(FREE.has(key) ? [] : places(member).map((path) => [key, ...path])),
  ]);
};

/** A copy with the member at `path` replaced, or left out. */
const changed = (
  value: JsonValue,
  path: readonly (string | number)[],
  to: JsonValue | undefined,
): JsonValue => {
  const copy = JSON.parse(JSON.stringify(value)) as JsonValue;
  let at = copy as Record<string | number, JsonValue>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, JsonValue>;
  const last = path.at(-1) as string;
  if (to === undefined) delete at[last];
  else at[last] = to;
  return copy;
};

const shown = (path: readonly (string | number)[]): string =>
  path.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("");

/** Each member in turn left out, and of a type that fits nowhere: the fault must name its place. */
const everyMemberCounts = (value: JsonObject, root: string, faultOf: (text: string) => string): void => {
  expect(faultOf(JSON.stringify(value))).toBe("");
  for (const path of places(value))
    for (const to of [undefined, 1.5])
      expect(faultOf(JSON.stringify(changed(value, path, to))), `${shown(path)} → ${String(to)}`).toContain(
        `${root}${shown(path)} is `,
      );
};

describe("a record that is read back", () => {
  const faultOf = (text: string): string => {
    const answer = decodeRecord(text);
    return "fault" in answer ? answer.fault : "";
  };

  it("of every kind is the one that was written", () => {
    expect(new Set(everyKind("vm").map((record) => record.kind))).toEqual(new Set(RECORD_KINDS));
    for (const record of everyKind("vm")) expect(decodeRecord(encodeRecord(record))).toEqual(record);
  });

  for (const [index, record] of everyKind("vm").entries())
    it(`needs every member, in its type, else it names it: ${index}, ${record.kind}`, () => {
      everyMemberCounts(record as unknown as JsonObject, "record", faultOf);
    });

  it("may hold members that this version does not know", () => {
    const [record] = everyKind("vm");
    expect(faultOf(JSON.stringify({ ...record, later: [1] }))).toBe("");
  });

  it("of an unknown kind, or no record at all, is a fault and not a crash", () => {
    expect(faultOf('{"kind":"rumour"}')).toMatch(/record\.kind is not one of intent, /);
    expect(faultOf('{"kind":"constructor"}')).toMatch(/record\.kind is not one of/);
    expect(faultOf('{"kind":"__proto__"}')).toMatch(/record\.kind is not one of/);
    expect(faultOf("{}")).toMatch(/record\.kind is missing/);
    for (const text of ["", "null", "[]", "3", '"intent"', "{", "[".repeat(100_000)])
      expect(faultOf(text)).not.toBe("");
  });
});

describe("what a ledger keeps beside the journal", () => {
  const open = {
    intent: "in_1",
    action: "create",
    operation: "op_1",
    attempt: 1,
    key: "asf-1",
    epoch: 1,
    at: 1,
    callBy: 2,
    target: null,
    outcome: null,
    begun: 1,
    ended: null,
    absenceSeen: false,
    inputsDigest: "sha256:ab",
  };
  const full = {
    ...state("vm"),
    open: [open],
    closed: [{ ...open, outcome: "done" }],
    surplus: [{ id: "vm-2", since: moment(1), operation: "op_1", why: "second" }],
    previous: [{ identity: "vm-0", outputs: {}, until: moment(1), endedBy: "op_0" }],
    approvals: [{ actor: "alice", before: "destroy", plan: null, at: 1 }],
    confirmed: { finding: "proven", sentence: "3 of 3" },
    identity: { id: "vm-1" },
    provenBy: { kind: "own-word" },
  };
  const rows: [string, object, (text: string) => { readonly fault: string } | { readonly value: unknown }][] =
    [
      ["lease", lease("op_1", 1), decodeLease],
      ["operation", operation("op_1", "shop"), decodeOperation],
      ["step", full, decodeStepState],
    ];
  for (const [root, value, decode] of rows)
    it(`needs every member, in its type, else it names it: ${root}`, () => {
      everyMemberCounts(value as JsonObject, root, (text) => {
        const answer = decode(text);
        return "fault" in answer ? answer.fault : "";
      });
      expect(decode("{")).toEqual({ fault: `${root} is not JSON` });
    });

  it("a state reads back as it was, the applied declaration written once where it is the declared one", () => {
    const other = { ...declared, uses: "exec" };
    for (const [said, applied] of [
      [null, null],
      [declared, null],
      [declared, declared],
      [declared, other],
      [null, other],
    ] as const) {
      const whole = state("vm", { declared: said, applied });
      expect(decodeStepState(encodeStepState(whole))).toEqual({ value: whole });
    }
    const twice = encodeStepState(state("vm", { declared, applied: structuredClone(declared) }));
    expect(encodeStepState(state("vm", { declared, applied: declared })).length).toBeLessThan(twice.length);
    expect(
      decodeStepState(encodeStepState(state("vm")).replace('"applied":null', '"applied":"as declared"')),
    ).toEqual({
      fault: "step.applied is as declared, and nothing is declared",
    });
  });
});
