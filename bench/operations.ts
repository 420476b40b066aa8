/**
 * Makes a ledger with many operations, and leaves it: prints the folder.
 *   node bench/operations.ts COUNT FOLDER
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apply } from "../src/runtime/apply.ts";
import { openBench } from "./project.ts";

const [count = "1000", folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node bench/operations.ts COUNT FOLDER");
writeFileSync(
  join(folder, "asfound.yaml"),
  'apiVersion: asfound.dev/v1alpha1\nkind: Stack\nmetadata: { name: bench }\nsteps:\n  one: { uses: exec, with: { create: ["true"], protocol: exit-code } }\n',
);
const project = await openBench(folder);
for (let i = 0; i < Number(count); i++) {
  const done = await apply(project.runtime, {
    stack: project.stack,
    stackId: project.stackId,
    described: project.described,
    fileDigest: project.fileDigest,
    options: { only: [], allowDestroy: false, failFast: false, parallelism: 1 },
    reason: null,
    leaseWaitMs: 0,
    plan: null,
  });
  if (done.kind !== "done" || done.exit !== 0) throw new Error(JSON.stringify(done));
}
await project.close();
