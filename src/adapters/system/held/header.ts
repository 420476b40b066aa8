/** The first line of a recorder's file: which form it has, and whose it is (as a lease's holder, N1). */
import type { JsonObject } from "../../../domain/json.ts";
import { isJsonObject } from "../../../domain/json.ts";
import type { Holder } from "../../../domain/lease.ts";

const FORMAT = 1;

export const headerOf = (writer: Holder): JsonObject => ({
  kind: "file",
  format: FORMAT,
  writer: { ...writer },
});

/** The fault is a clause. */
export const holderIn = (members: JsonObject): { readonly writer: Holder } | { readonly fault: string } => {
  const { kind, format, writer } = members;
  if (kind !== "file" || format !== FORMAT)
    return { fault: "it does not begin as a file that this version of asfound reads" };
  if (!isJsonObject(writer)) return { fault: "it does not say who writes it" };
  const { host, bootId, pidNamespace, pid, startTicks, actor, ciRun } = writer;
  for (const text of [host, bootId, pidNamespace, startTicks, actor])
    if (typeof text !== "string") return { fault: "it does not say who writes it" };
  if (!Number.isSafeInteger(pid) || (ciRun !== null && typeof ciRun !== "string"))
    return { fault: "it does not say who writes it" };
  return { writer: writer as unknown as Holder };
};
