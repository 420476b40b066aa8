/**
 * The two messages of `grpc.health.v1` (https://github.com/grpc/grpc/blob/master/doc/health-checking.md) in protobuf's wire
 * format, and gRPC's frame around a message. Strict in what makes the message whole, open to fields that it does not know.
 */

/** As `HealthCheckResponse.ServingStatus` numbers them. */
const STATUSES = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
};

/** `HealthCheckRequest{service}`, framed. */
export const requestFor = (service: string): Buffer => {
  const name = Buffer.from(service);
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a]), varint(name.length), name]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};

/** The one message of a reply. The `why` is a clause. */
export const framedIn = (body: Uint8Array): { readonly message: Uint8Array } | { readonly why: string } => {
  if (body.length === 0) return { why: "it ended without a message" };
  if (body.length < 5) return { why: "its message was cut" };
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== 0) return { why: "its message is compressed, which it was not told it may be" };
  const length = view.getUint32(1);
  if (body.length < 5 + length) return { why: "its message was cut" };
  if (body.length > 5 + length) return { why: "it sent more than the one message of its reply" };
  return { message: body.subarray(5) };
};

class Malformed extends Error {
  readonly code = "ASFOUND_PROTOBUF";
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at === this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Malformed("cut in a number");
      this.#at += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Malformed("a number of more than ten bytes");
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#pass(8n);
    else if (wireType === 2) this.#pass(this.varint());
    else if (wireType === 5) this.#pass(4n);
    else throw new Malformed(`a field of wire type ${wireType}`);
  }

  #pass(length: bigint): void {
    if (BigInt(this.#bytes.length - this.#at) < length) throw new Malformed("cut in a field");
    this.#at += Number(length);
  }
}

/** `HealthCheckResponse`: an absent status is 0 (proto3 leaves it out), the last one counts. */
export const healthIn = (message: Uint8Array): { readonly health: string } | { readonly why: string } => {
  try {
    const reader = new Reader(message);
    let status = 0n;
    while (!reader.isOver) {
      const tag = reader.varint();
      const [field, wireType] = [tag >> 3n, Number(tag & 7n)];
      if (field === 0n) throw new Malformed("a field of number 0");
      if (field === 1n && wireType === 0) status = reader.varint();
      else reader.skip(wireType);
    }
    const health = status < BigInt(STATUSES.length) ? STATUSES[Number(status)] : undefined;
    return health === undefined
      ? { why: `it tells a health of number ${status}, which the protocol does not have` }
      : { health };
  } catch (error) {
    if (error instanceof Malformed) return { why: `its message cannot be read (${error.message})` };
    throw error;
  }
};
