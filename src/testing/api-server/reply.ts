/** Writes an answer to the socket, in the ways that a reply can go wrong. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { CloudClock } from "../cloud/real-clock.ts";
import { mergePatch } from "../cloud/things.ts";
import { type ApiFault, met } from "./fault.ts";
import type { Answer } from "./status.ts";

/** The real one compresses from here on, for whoever accepts it (apiserver, handlers/responsewriters). */
const GZIP_FROM_BYTES = 128 * 1024;

const bodyOf = ({ body }: Answer, faults: readonly ApiFault[]): Buffer => {
  const huge = met(faults, "huge");
  if (huge !== undefined) return Buffer.from(`{"kind":"${"x".repeat(huge.bytes)}"}`);
  if (typeof body === "string") return Buffer.from(body);
  const twist = met(faults, "twist");
  return Buffer.from(`${JSON.stringify(twist === undefined ? body : mergePatch(body, twist.patch))}\n`);
};

const typeOf = ({ body, headers }: Answer): string | null => {
  if (headers["content-type"] !== undefined) return headers["content-type"];
  return typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
};

/** Resolves when all was handed over, or the connection is gone. */
export const reply = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  faults: readonly ApiFault[],
  clock: CloudClock,
): Promise<void> => {
  const whole = bodyOf(answer, faults);
  const plain = met(faults, "half") === undefined ? whole : whole.subarray(0, Math.ceil(whole.length / 2));
  const accepts = String(request.headers["accept-encoding"] ?? "").includes("gzip");
  const zips =
    met(faults, "huge")?.gzip === true ||
    (accepts && plain.length > GZIP_FROM_BYTES && met(faults, "huge") === undefined);
  const bytes = zips ? gzipSync(plain, { level: 1 }) : plain;
  const type = typeOf(answer);
  const encoding = met(faults, "encoding")?.name ?? (zips ? "gzip" : null);
  const skew = met(faults, "skew");
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(type === null || type === "" ? {} : { "content-type": type }),
    ...(encoding === null ? {} : { "content-encoding": encoding }),
    "content-length": String(bytes.length),
    date: new Date(clock.now() + (skew?.ms ?? 0)).toUTCString(),
  });
  if (met(faults, "cut")?.at === "middle") {
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
    return;
  }
  const drip = met(faults, "drip");
  if (drip === undefined) {
    response.end(bytes);
    return;
  }
  for (let at = 0; at < bytes.length && !response.destroyed; at += drip.bytes) {
    response.write(bytes.subarray(at, at + drip.bytes));
    await clock.sleep(drip.everyMs);
  }
  response.end();
};
