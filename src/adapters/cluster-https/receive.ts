/** Takes in the body of a reply, a gzip encoding undone while it comes, and no more of it than is allowed. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

export type BodyEnd =
  | { readonly kind: "whole" }
  /** Whoever reads piece by piece has read enough. */
  | { readonly kind: "enough" }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-json"; readonly why: string }
  | { readonly kind: "broken"; readonly error: unknown };

export interface Incoming {
  /** What has come so far. */
  bytes(): Buffer;
  readonly ended: Promise<BodyEnd>;
}

export interface BodyLimits {
  /** After decoding: a megabyte of gzip can hold a gigabyte. */
  readonly maxBytes: number;
  /** Given each piece as it comes, instead of keeping it; false: enough. */
  readonly onData?: (piece: Buffer) => boolean;
}

/** At once: a page of a list is some megabytes, and the usual 16 KiB make hundreds of pieces of it. */
const DECODED_BYTES = 256 * 1024;

const decoded = (message: IncomingMessage): Readable | null => {
  const encoding = message.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return message;
  return encoding === "gzip" ? message.pipe(createGunzip({ chunkSize: DECODED_BYTES })) : null;
};

export const receive = (message: IncomingMessage, { maxBytes, onData }: BodyLimits): Incoming => {
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<BodyEnd>();
  const body = decoded(message);
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (onData !== undefined) {
      if (!onData(piece)) resolve({ kind: "enough" });
    } else if (length <= maxBytes) chunks.push(piece);
    else {
      chunks.length = 0;
      resolve({ kind: "too-large" });
    }
  };
  const broke = (error: unknown): void => resolve({ kind: "broken", error });
  message.on("error", broke);
  message.on("close", () => {
    if (!message.complete) broke(undefined);
  });
  body?.on("data", keep);
  body?.on("end", () => (message.complete ? resolve({ kind: "whole" }) : broke(undefined)));
  if (body === null)
    resolve({ kind: "not-json", why: "its body is compressed in a way that was not asked for" });
  else if (body !== message)
    body.on("error", () => resolve({ kind: "not-json", why: "its body is not the gzip that it says it is" }));
  return {
    bytes: () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    ended: promise,
  };
};
