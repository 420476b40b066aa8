/**
 * A fake API server with a crowd, as a process of its own, so that its work is nobody else's:
 *   fork bench/crowd-server.ts DEPLOYMENTS REPLICAS KUBECONFIG [config]
 * Sends "up" when it listens; a message "log" is answered with the requests since the last one.
 */
import { writeFileSync } from "node:fs";
import { startApiServer } from "../src/testing.ts";
import { crowd, crowdWithConfig } from "./crowd.ts";

const [deployments = "10", replicas = "10", kubeconfig = "", what = ""] = process.argv.slice(2);
const made = what === "config" ? crowdWithConfig : crowd;
const server = await startApiServer();
for (const [place, object] of made(Number(deployments), Number(replicas))) server.put(place, object);
writeFileSync(kubeconfig, server.kubeconfig({ namespace: "team-0" }));
let told = 0;
process.on("message", () => {
  const entries = server.log().slice(told);
  told += entries.length;
  process.send?.(entries.map(({ verb, path }) => ({ verb, path })));
});
process.on("disconnect", () => process.exit());
process.send?.("up");
