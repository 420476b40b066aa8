/**
 * Empties a testbed for the next tests: ends every part and every Pod, wipes what they wrote, and starts the cluster
 * anew in the same namespaces. Keys and kubeconfig stay, and so do commands that run in it (`exec`).
 */
import { makeCgroups, removeCgroups } from "./cgroups.ts";
import { endProcesses } from "./down.ts";
import { demandInit, entering } from "./namespaces.ts";
import { inside } from "./order.ts";
import { type Place, SOURCE } from "./place.ts";
import { must } from "./run.ts";
import { builtTools } from "./tools.ts";
import { forgetUp, recordUp } from "./up.ts";

export const reset = async (place: Place, say: (line: string) => void): Promise<void> => {
  const init = demandInit(place);
  const tools = builtTools(place);
  forgetUp(place);
  // The first process's own wrapper too is of the role `init`.
  await endProcesses(place, ({ role }) => role !== "init" && role !== "exec");
  await removeCgroups(place);
  const [enter = "", ...words] = entering(init, "all");
  await must("Emptying the testbed", enter, [...words, "sh", `${SOURCE}/empty.sh`]);
  makeCgroups(place);
  say("emptied");
  await inside(place, { kind: "start" }, say);
  recordUp(place, tools);
};
