/** Every document that asfound prints: camelCase, `apiVersion` and `kind` first, times as ISO 8601 in UTC. */
import type { Instant } from "../../domain/ids.ts";
import { iso } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";

export const API_VERSION = "asfound.dev/v1alpha1";

export const document = (kind: string, members: JsonObject): JsonObject => ({
  apiVersion: API_VERSION,
  kind,
  ...members,
});

/** A time inside a document; null stays null. */
export const time = (at: number | null): string | null => (at === null ? null : iso(at as Instant));
