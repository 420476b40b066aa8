/** Prunes, and dies by SIGKILL once this much was done on the disk: FOLDER COUNT. */
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import { pruning } from "../support/made-retention.ts";

const [folder = "", count = ""] = process.argv.slice(2);
let left = Number(count);
await openEvidence(folder, "evidence", () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}).prune(pruning());
