/**
 * The process that `order.ts` starts in a testbed's network: `inside.ts NAME ORDER`. Reports over its channel, and ends
 * when the other end is gone: nobody would take care of what it starts.
 */
import { join } from "node:path";
import { openApi } from "./api.ts";
import { startArgocd } from "./argocd-start.ts";
import { startCluster } from "./cluster-start.ts";
import { EXTRAS } from "./component-name.ts";
import { startComponent } from "./component-start.ts";
import { componentsOf } from "./components.ts";
import { makeCrowd } from "./crowd.ts";
import { define } from "./define.ts";
import { TestbedFault } from "./fault.ts";
import { appImages } from "./images.ts";
import { demandInit } from "./namespaces.ts";
import type { Order, Report } from "./order.ts";
import { placeOf } from "./place.ts";
import { push } from "./push.ts";
import { builtTools } from "./tools.ts";

const say = (line: string): void => {
  const said: Report = { kind: "said", line };
  process.send?.(said);
};

const carryOut = async (order: Order): Promise<void> => {
  const tools = builtTools(place);
  switch (order.kind) {
    case "start":
      return await startCluster(place, tools, say);
    case "start-component": {
      const { component: name } = order;
      const extra = EXTRAS.find((extra) => extra === name);
      if (extra !== undefined) builtTools(place, [extra]);
      const component = componentsOf(place, tools)[name];
      using api = openApi(place);
      if (component.objects !== undefined) await define(place, tools, api, component.objects);
      return await startComponent(place, demandInit(place), component).ready(api);
    }
    case "start-argocd":
      return await startArgocd(place, say);
    case "crowd":
      return await makeCrowd(place, tools, order.deployments, order.replicas, say);
    case "push": {
      for (const { image } of appImages(join(tools.folders.images, "app"), [order.version]))
        say(await push("app", order.tag, image));
      return;
    }
  }
};

const [name, order = ""] = process.argv.slice(2);
const place = placeOf(name, process.env);
process.once("disconnect", () => process.exit(1));
/** Ends with it: what was begun beside the part that failed is not waited for. */
const conclude = (last: Report): void => void process.send?.(last, () => process.exit());
try {
  await carryOut(JSON.parse(order) as Order);
  conclude({ kind: "done" });
} catch (error) {
  if (!(error instanceof TestbedFault)) throw error;
  conclude({ kind: "fault", fault: error.kind, sentence: error.message });
}
