import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reading } from "../../../test/support/clock.ts";
import { instant, intentId, operationId, stackName, stepName } from "../../domain/ids.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Spooled } from "../../ports/spool.ts";
import { frameOf, HEADER_BYTES, readFrames, roomFor, SLOT_BYTES } from "./spool-frame.ts";

const spooled = (outcome: Outcome): Spooled => ({
  stack: stackName("shop"),
  ledger: "lg_1",
  record: {
    kind: "outcome",
    step: stepName("web"),
    operation: operationId("op_1"),
    at: instant(1),
    clock: reading(1),
    intent: intentId("in_1"),
    outcome,
    source: "call",
    endedAt: instant(1),
    ended: reading(1),
  },
});
const USE = randomBytes(8);
const slotWith = (...frames: Buffer[]): Buffer => {
  const slot = Buffer.alloc(SLOT_BYTES, 0xab);
  slot.fill(0, 0, HEADER_BYTES);
  Buffer.concat(frames).copy(slot);
  return slot;
};
const frame = (outcome: Outcome, use = USE) => frameOf(spooled(outcome), use, SLOT_BYTES)!;
const outputs = fc.dictionary(
  fc.string(),
  fc.oneof(fc.string({ maxLength: 3000 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  {
    maxKeys: 60,
  },
);

describe("W6: a frame", () => {
  it("is read back as it was kept", () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (id, kept) => {
        const outcome: Outcome = { kind: "done", id, outputs: JSON.parse(JSON.stringify(kept)), owes: ["x"] };
        expect(readFrames(slotWith(frame(outcome).bytes))).toEqual({
          spooled: [spooled(outcome)],
          torn: false,
        });
      }),
    );
  });

  it("always fits: id, kind and what is owed whole, outputs from the start as far as there is room", () => {
    fc.assert(
      fc.property(outputs, fc.integer({ min: 4096, max: 70_000 }), (all, room) => {
        const outcome: Outcome = {
          kind: "unknown",
          reason: "r".repeat(50_000),
          id: "i".repeat(1024),
          outputs: all,
          owes: [],
        };
        const made = frameOf(spooled(outcome), USE, room);
        expect(made).not.toBeNull();
        expect(made!.bytes.length).toBeLessThanOrEqual(room);
        const [read] = readFrames(slotWith(made!.bytes)).spooled;
        if (read?.record.kind !== "outcome" || read.record.outcome.kind !== "unknown")
          throw new Error("lost");
        expect(read.record.outcome.id).toBe("i".repeat(1024));
        const names = Object.keys(read.record.outcome.outputs);
        expect(names).toEqual(Object.keys(JSON.parse(JSON.stringify(all))).slice(0, names.length));
        expect(names.length + made!.dropped).toBe(Object.keys(all).length);
      }),
    );
  });

  it("that is torn anywhere is never read as a result", () => {
    const whole = slotWith(frame({ kind: "done", id: "vm-1", outputs: { a: 1 }, owes: [] }).bytes);
    const length = HEADER_BYTES + whole.readUInt32LE(16);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const torn = Buffer.from(whole);
        torn.writeUInt8(torn.readUInt8(at) ^ flip, at);
        expect(readFrames(torn)).toEqual({ spooled: [], torn: true });
      }),
    );
    expect(readFrames(whole).spooled).toHaveLength(1);
  });

  it("of an earlier use of the slot is not read, even where the new one ends", () => {
    const old = { kind: "done", id: "old", outputs: {}, owes: [] } as const;
    const anew = frame({ kind: "done", id: "new", outputs: {}, owes: [] }, randomBytes(8)).bytes;
    const slot = slotWith(anew, frame(old).bytes);
    expect(readFrames(slot)).toMatchObject({
      spooled: [{ record: { outcome: { id: "new" } } }],
      torn: false,
    });
    // Control: of the same use, both are.
    const both = slotWith(frame(old).bytes, frame(old).bytes);
    expect(readFrames(both).spooled).toHaveLength(2);
  });

  it("of a result is whole although the one before it was torn off later", () => {
    const good = frame({ kind: "done", id: "a", outputs: {}, owes: [] }).bytes;
    const bad = Buffer.from(good);
    bad.writeUInt8(0, bad.length - 1);
    expect(readFrames(slotWith(good, bad))).toMatchObject({ spooled: [{}], torn: true });
  });

  it("identities never take the outcome's room", () => {
    const identity = { kind: "identity" } as never;
    for (let offset = 0; offset < SLOT_BYTES; ) {
      const room = roomFor(identity, offset);
      if (room < HEADER_BYTES) break;
      offset += room;
      expect(SLOT_BYTES - offset).toBeGreaterThanOrEqual(64 * 1024);
    }
  });

  it("a slot never written to, or whose allocation was cut off, is empty and not torn", () => {
    expect(readFrames(slotWith())).toEqual({ spooled: [], torn: false });
    expect(readFrames(Buffer.alloc(0))).toEqual({ spooled: [], torn: false });
    expect(readFrames(randomBytes(4096))).toEqual({ spooled: [], torn: false });
    expect(readFrames(randomBytes(SLOT_BYTES)).torn).toBe(true);
  });
});
