/** Starts Argo CD in a cluster that is up, in the order in which its parts need each other. Runs in the testbed's network. */
import { join } from "node:path";
import { openApi } from "./api.ts";
import { ARGOCD_PARTS } from "./component-name.ts";
import { startComponent } from "./component-start.ts";
import { componentsOf } from "./components.ts";
import { define } from "./define.ts";
import { demandInit } from "./namespaces.ts";
import type { Place } from "./place.ts";
import { componentOf, processesOf } from "./processes.ts";
import { settingPath } from "./settings.ts";
import { builtTools } from "./tools.ts";

/** An ApplicationSet makes Applications; nobody here does. */
const DEFINITIONS = ["application-crd", "appproject-crd"] as const;

/** Starts those of its parts that do not run. */
export const startArgocd = async (place: Place, say: (line: string) => void): Promise<void> => {
  const tools = builtTools(place, ["argocd"]);
  const init = demandInit(place);
  const components = componentsOf(place, tools);
  const missing = ARGOCD_PARTS.filter((name) => componentOf(processesOf(place), name) === undefined);
  if (missing.length === 0) return say("argocd runs already");
  using api = openApi(place);
  await define(
    place,
    tools,
    api,
    DEFINITIONS.map((name) => join(tools.folders.argocd, `${name}.yaml`)),
  );
  await define(place, tools, api, [settingPath(place, "argocd.json")]);
  say("its objects made");
  for (const name of missing) {
    await startComponent(place, init, components[name]).ready(api);
    say(`${name} works`);
  }
};
