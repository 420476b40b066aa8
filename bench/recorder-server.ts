/**
 * A fake API server with ConfigMaps that are edited again and again, as a process of its own:
 *   fork bench/recorder-server.ts COUNT EDITS_A_SECOND KUBECONFIG
 * Sends "up" when it listens; a message is answered with how many edits it made, and what it was asked.
 */
import { writeFileSync } from "node:fs";
import { startApiServer } from "../src/testing.ts";

const [count = "1000", perSecond = "100", kubeconfig = ""] = process.argv.slice(2);
const server = await startApiServer();
const place = (at: number) => ({ resource: "configmaps", namespace: "shop", name: `settings-${at}` });
/** Three keys and a kilobyte, with the managedFields that a server keeps. */
const content = (at: number, edit: number) => ({
  metadata: {
    managedFields: [
      {
        manager: "ci",
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:a": {}, "f:b": {}, "f:c": {} } },
      },
    ],
  },
  data: { a: `${at} ${edit}`, b: "x".repeat(500), c: "y".repeat(500) },
});
for (let at = 0; at < Number(count); at += 1) server.put(place(at), content(at, 0));
writeFileSync(kubeconfig, server.kubeconfig({ namespace: "shop" }));
let edits = 0;
const TICK_MS = 100;
const perTick = (Number(perSecond) * TICK_MS) / 1_000;
const timer = setInterval(() => {
  for (let made = 0; made < perTick; made += 1) {
    edits += 1;
    server.put(place(edits % Number(count)), content(edits % Number(count), edits));
  }
}, TICK_MS);
if (perTick === 0) clearInterval(timer);
process.on("message", () => {
  const asked: Record<string, number> = {};
  for (const { verb } of server.log()) asked[verb] = (asked[verb] ?? 0) + 1;
  process.send?.({ edits, asked });
});
process.on("disconnect", () => process.exit());
process.send?.("up");
