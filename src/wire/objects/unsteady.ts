/** What `snapshot.json` says of objects that changed while many were read (`runtime/snapshot-sweep.ts`). */
import type { Unsteady } from "../../domain/evidence.ts";
import type { JsonValue } from "../../domain/json.ts";
import { isJsonObject } from "../../domain/json.ts";

/** A fault says where, as an RFC 6901 pointer. */
export const readUnsteady = (
  snapshot: JsonValue,
): { readonly unsteady: readonly Unsteady[] } | { readonly fault: string; readonly pointer: string } => {
  const list = isJsonObject(snapshot) && Object.hasOwn(snapshot, "unsteady") ? snapshot["unsteady"] : [];
  if (!Array.isArray(list)) return { fault: "it is not a list", pointer: "/unsteady" };
  const unsteady: Unsteady[] = [];
  for (const [at, one] of list.entries()) {
    const read = readOne(one);
    if (read === undefined)
      return { fault: "it does not say which object changed, and how", pointer: `/unsteady/${at}` };
    unsteady.push(read);
  }
  return { unsteady };
};

const readOne = (one: JsonValue): Unsteady | undefined => {
  if (!isJsonObject(one)) return undefined;
  const { group, kind, namespace, name, whole, says } = one;
  if (typeof group !== "string" || typeof kind !== "string" || typeof name !== "string") return undefined;
  if ((typeof namespace !== "string" && namespace !== null) || typeof whole !== "boolean") return undefined;
  return typeof says === "string" ? { group, kind, namespace, name, whole, says } : undefined;
};
