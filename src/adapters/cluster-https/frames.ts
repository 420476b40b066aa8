/**
 * What a server sends over a WebSocket (RFC 6455), as whole messages: as much of the protocol as reading takes. What is
 * sent from here is a close and answers to pings, masked as the RFC wants it of a client.
 */
import { randomBytes } from "node:crypto";

export const newKey = (): string => randomBytes(16).toString("base64");

const OPCODE = { more: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
/** RFC 6455, 5.5. */
const MAX_CONTROL_BYTES = 125;

export type Incoming =
  | { readonly kind: "message"; readonly bytes: Buffer }
  | { readonly kind: "ping"; readonly bytes: Buffer }
  | { readonly kind: "closed" }
  /** A clause. Nothing after it can be read. */
  | { readonly kind: "fault"; readonly why: string };

/** Fragments are put together; a message of more than `maxBytes` is a fault. */
export class FrameReader {
  readonly #maxBytes: number;
  #rest: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #length = 0;
  #isOpen = false;
  #isOver = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: Buffer): readonly Incoming[] {
    const all: Incoming[] = [];
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (!this.#isOver) {
      const one = this.#next();
      if (one === "needs-more") break;
      if (one === null) continue;
      all.push(one);
      this.#isOver = one.kind === "fault" || one.kind === "closed";
    }
    return all;
  }

  /** null: a fragment, or a pong: nothing to hand on. */
  #next(): Incoming | null | "needs-more" {
    const bytes = this.#rest;
    if (bytes.length < 2) return "needs-more";
    const [first = 0, second = 0] = bytes;
    if ((first & 0x70) !== 0) return fault("it uses an extension that was not agreed on");
    if ((second & 0x80) !== 0) return fault("a server must not mask what it sends");
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + extra) return "needs-more";
    const size = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const opcode = first & 0x0f;
    const isLast = (first & 0x80) !== 0;
    if (opcode >= OPCODE.close && (size > MAX_CONTROL_BYTES || !isLast))
      return fault("a control frame is too long, or cut");
    if (this.#length + size > this.#maxBytes) return fault(`a message has more than ${this.#maxBytes} bytes`);
    const end = 2 + extra + size;
    if (bytes.length < end) return "needs-more";
    const payload = bytes.subarray(2 + extra, end);
    this.#rest = bytes.subarray(end);
    return this.#frame(opcode, isLast, payload);
  }

  #frame(opcode: number, isLast: boolean, payload: Buffer): Incoming | null {
    switch (opcode) {
      case OPCODE.close:
        return { kind: "closed" };
      case OPCODE.ping:
        return { kind: "ping", bytes: Buffer.from(payload) };
      case OPCODE.pong:
        return null;
      case OPCODE.more:
        if (!this.#isOpen) return fault("it goes on with a message that it has not begun");
        break;
      case OPCODE.text:
      case OPCODE.binary:
        if (this.#isOpen) return fault("it begins a message within another");
        break;
      default:
        return fault(`its frames have the unknown opcode ${opcode}`);
    }
    this.#parts.push(payload);
    this.#length += payload.length;
    this.#isOpen = !isLast;
    if (!isLast) return null;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return { kind: "message", bytes };
  }
}

const fault = (why: string): Incoming => ({ kind: "fault", why });

const masked = (opcode: number, payload: Buffer): Buffer => {
  const short = payload.subarray(0, MAX_CONTROL_BYTES);
  const mask = randomBytes(4);
  return Buffer.concat([
    Buffer.from([0x80 | opcode, 0x80 | short.length]),
    mask,
    short.map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
  ]);
};

export const pong = (payload: Buffer): Buffer => masked(OPCODE.pong, payload);

/** 1000: done. */
export const closing = (): Buffer => masked(OPCODE.close, Buffer.from([0x03, 0xe8]));
