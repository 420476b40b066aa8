import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptOf } from "../../wire/web-socket-accept.ts";
import { FrameReader, type Incoming } from "./frames.ts";

/** A frame as a server sends it. */
const frame = (opcode: number, payload: Buffer, isLast = true): Buffer => {
  const first = (isLast ? 0x80 : 0) | opcode;
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, payload.length]), payload]);
  const head = payload.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = first;
  head[1] = head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  else head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
};

const MAX = 200_000;

const readIn = (bytes: Buffer, sizes: readonly number[] = [bytes.length]): readonly Incoming[] => {
  const reader = new FrameReader(MAX);
  const all: Incoming[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    all.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return all;
};

describe("frames of a WebSocket", () => {
  it("the key is answered as RFC 6455 (1.3) shows it", () => {
    expect(acceptOf("dGhlIHNhbXBsZSBub25jZQ==")).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  });

  it("messages come out as they went in, however they are cut into frames and pieces", () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.uint8Array({ maxLength: 70_000 }), { minLength: 1, maxLength: 3 }), {
          maxLength: 4,
        }),
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 5 }),
        (messages, sizes) => {
          const bytes = messages.map((parts) =>
            Buffer.concat(
              parts.flatMap((part, at) => [
                frame(at === 0 ? 2 : 0, Buffer.from(part), at === parts.length - 1),
                // Control frames may stand between fragments.
                frame(0xa, Buffer.from("pong")),
              ]),
            ),
          );
          const told = readIn(Buffer.concat(bytes), sizes);
          const wanted = messages.map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));
          const all = wanted.every((one) => one.length <= MAX);
          if (all) expect(told).toEqual(wanted.map((one) => ({ kind: "message", bytes: one })));
          else expect(told.at(-1)).toMatchObject({ kind: "fault" });
        },
      ),
      { numRuns: 100 },
    ));

  it("a close ends it, and nothing after it is read", () => {
    const after = Buffer.concat([frame(8, Buffer.from([3, 232])), frame(2, Buffer.from("late"))]);
    expect(readIn(after)).toEqual([{ kind: "closed" }]);
  });

  it.each([
    ["a mask", Buffer.from([0x82, 0x81, 0, 0, 0, 0, 0]), /must not mask/],
    ["an extension", Buffer.from([0xc2, 0]), /extension/],
    ["an opcode of none", Buffer.from([0x83, 0]), /opcode 3/],
    ["a fragment of nothing", Buffer.from([0x80, 0]), /has not begun/],
    [
      "a message within another",
      Buffer.concat([frame(2, Buffer.from("a"), false), frame(2, Buffer.from("b"))]),
      /within another/,
    ],
    ["a control frame that is cut", Buffer.from([0x09, 0]), /control frame/],
    ["a length of 2^63", Buffer.from([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]), /more than 200000 bytes/],
  ])("%s is a fault, and never a shorter message", (_, bytes, why) => {
    const told = readIn(Buffer.concat([bytes, Buffer.alloc(4)]));
    expect(told.at(-1)).toMatchObject({ kind: "fault", why: expect.stringMatching(why) });
  });
});
