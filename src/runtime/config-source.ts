/** What is shown of a ConfigMap or Secret itself. */
import type { ConfigKind } from "../domain/config.ts";
import { configDigest } from "../domain/config-digest.ts";
import type { Seen } from "../domain/evidence.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Known } from "../domain/known.ts";
import type { ConfigTraceRow } from "../wire/api/config-trace.ts";

export const foundOf = (source: Known<Seen>): ConfigTraceRow["source"]["found"] =>
  source.kind === "known" ? "there" : source.kind === "absent" ? "absent" : "not-read";

/** Ten thousand Pods may take one object. */
const digests = new WeakMap<JsonObject, string | null>();

/** C6: of a Secret no digest is shown that a guess could be tried against. */
export const sha256Of = ({ raw }: Seen, kind: ConfigKind): string | null => {
  if (kind === "Secret") return null;
  const made = digests.get(raw);
  if (made !== undefined) return made;
  const digest = configDigest(raw);
  digests.set(raw, digest);
  return digest;
};
