/** Writes an answer to the socket, in the ways that a reply can go wrong. */
import type { ServerResponse } from "node:http";
import type { Answer } from "./api.ts";
import { type Fault, pick } from "./fault.ts";
import type { CloudClock } from "./real-clock.ts";

const bytesOf = (answer: Answer, faults: readonly Fault[]): Buffer => {
  if (pick(faults, "garbage") !== undefined) return Buffer.from('<html>{"id": oops \u0007');
  const huge = pick(faults, "huge");
  if (huge !== undefined) return Buffer.from(JSON.stringify({ padding: "x".repeat(huge.bytes) }));
  return answer.body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.body));
};

/** Resolves when all was handed over, or the connection is gone. */
export const reply = async (
  response: ServerResponse,
  answer: Answer,
  faults: readonly Fault[],
  clock: CloudClock,
): Promise<void> => {
  const bytes = bytesOf(answer, faults);
  const type = pick(faults, "content-type")?.type ?? "application/json";
  const described = bytes.length === 0 ? {} : { "content-type": type };
  const length = answer.status === 204 ? {} : { "content-length": String(bytes.length) };
  response.writeHead(answer.status, { ...described, ...length, ...answer.headers });

  if (pick(faults, "cut")?.at === "middle") {
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
    return;
  }
  if (pick(faults, "reply-twice") !== undefined) {
    const { socket } = response;
    const head = `HTTP/1.1 ${answer.status} Again\r\ncontent-length: ${bytes.length}\r\n\r\n`;
    response.end(bytes, () => socket?.write(Buffer.concat([Buffer.from(head), bytes])));
    return;
  }
  const drip = pick(faults, "drip");
  if (drip === undefined) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  for (let at = 0; at < bytes.length && !response.destroyed; at += drip.bytes) {
    response.write(bytes.subarray(at, at + drip.bytes));
    await clock.sleep(drip.everyMs);
  }
  response.end();
};
