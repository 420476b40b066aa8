/** Standard input as bytes, up to a size: for verbs that are filters. */
import { Usage } from "./usage.ts";

const MOST_BYTES = 8 * 1024 * 1024;

/** Throws `Usage` where it is a terminal, or has more than 8 MiB. */
export const inputBytes = async (): Promise<Uint8Array> => {
  if (process.stdin.isTTY)
    throw new Usage("-f - reads manifests from standard input, and that is a terminal");
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MOST_BYTES) throw new Usage("standard input has more than 8 MiB; split it");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
