/** The little of DER (ITU-T X.690) that a certificate is made of. */

/** Tag, length, content. */
const tlv = (tag: number, content: Buffer): Buffer => {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  const octets = size < 0x100 ? [size] : [size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, 0x80 | octets.length, ...octets]), content]);
};

export const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, Buffer.concat(parts));
export const set = (...parts: readonly Buffer[]): Buffer => tlv(0x31, Buffer.concat(parts));
export const octets = (content: Buffer): Buffer => tlv(0x04, content);
export const bits = (content: Buffer): Buffer => tlv(0x03, Buffer.concat([Buffer.from([0]), content]));
export const yes = Buffer.from([0x01, 0x01, 0xff]);
export const text = (value: string): Buffer => tlv(0x0c, Buffer.from(value, "utf8"));
/** `[n]` around what has a tag of its own. */
export const explicit = (n: number, content: Buffer): Buffer => tlv(0xa0 | n, content);
/** `[n]` in place of a tag. */
export const implicit = (n: number, content: Buffer): Buffer => tlv(0x80 | n, content);

/** A positive whole number, up to 2^31. */
export const integer = (value: number): Buffer => {
  const content = Buffer.alloc(5);
  content.writeUInt32BE(value, 1);
  const start = content.findIndex((octet, index) => octet !== 0 || index === 4);
  return tlv(0x02, content.subarray((content[start] as number) > 0x7f ? start - 1 : start));
};

export const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const base128 = (arc: number): number[] => {
    const sevens = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) sevens.unshift((left & 0x7f) | 0x80);
    return sevens;
  };
  return tlv(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
};

/** GeneralizedTime in UTC, whole seconds. */
export const time = (ms: number): Buffer =>
  tlv(0x18, Buffer.from(`${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`));
