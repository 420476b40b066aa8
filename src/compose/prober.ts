/** The prober, with the authorities that a person named. */
import { resolve } from "node:path";
import { httpProber } from "../adapters/prober-http/prober.ts";
import { trustIn } from "../adapters/prober-http/trust.ts";
import { readPlain } from "../adapters/system/read-file.ts";
import type { Prober } from "../ports/prober.ts";

/** As many as machines trust have 200 KiB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** `ca`: a file as a person named it; null: none. The fault is a sentence. */
export const proberFor = (
  ca: string | null,
  cwd: string,
): { readonly prober: Prober } | { readonly fault: string } => {
  if (ca === null) return { prober: httpProber({ ca: null }) };
  const path = resolve(cwd, ca);
  const read = readPlain(path, MAX_BYTES);
  if ("fault" in read) return { fault: `${path}: the authorities to trust cannot be read: ${read.fault}` };
  const trust = trustIn(read.bytes.toString("utf8"));
  return "fault" in trust ? { fault: `${path} ${trust.fault}` } : { prober: httpProber(trust) };
};
