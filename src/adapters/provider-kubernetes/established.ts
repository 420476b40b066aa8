/** A CustomResourceDefinition of the step's own: what it defines can be applied once the server serves it. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import type { ObjectRef } from "../../ports/cluster.ts";
import type { CallIo } from "../../ports/provider.ts";
import { found, lookAt, type Reach } from "./reach.ts";
import { until } from "./wait.ts";

const conditionOf = ({ status }: JsonObject, type: string): JsonObject | undefined => {
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  return Array.isArray(conditions)
    ? (conditions as readonly JsonValue[]).filter(isJsonObject).find((one) => one["type"] === type)
    : undefined;
};

/** A sentence when it does not come to be served within that time. */
export const establishedFault = async (
  reach: Reach,
  io: CallIo,
  definition: ObjectRef,
  forMs: number,
): Promise<string | undefined> => {
  const name = `CustomResourceDefinition ${definition.name}`;
  io.progress(`waiting until ${name} is established`);
  const waited = await until(reach, io, forMs, async () => {
    const looked = await lookAt(reach, [definition]);
    // The time was over: that it was not established says more.
    if (!("looks" in looked)) return looked.kind === "timed-out" ? undefined : { fault: looked.sentence };
    const [there] = found(looked.looks);
    if (there === undefined) return { fault: `${name} is gone` };
    const names = conditionOf(there.object, "NamesAccepted");
    if (names?.["status"] === "False")
      return { fault: `the server does not take the names of ${name}: ${String(names["message"])}` };
    return conditionOf(there.object, "Established")?.["status"] === "True" ? { came: true } : undefined;
  });
  if ("fault" in waited) return waited.fault;
  return "over" in waited ? `${name} was not established in time` : undefined;
};
