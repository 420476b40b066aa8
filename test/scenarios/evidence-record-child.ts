/** Records runs and dies by SIGKILL once this much was done on the disk: FOLDER COUNT [signed] [RUNS]. */
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import { newRun, signer } from "../support/made-run.ts";

const [folder = "", count = "", signed = "", runs = "1"] = process.argv.slice(2);
let left = Number(count);
const evidence = openEvidence(folder, "evidence", () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
});
for (let nth = 0; nth < Number(runs); nth += 1) {
  const done = await evidence.record(newRun({}, { signer: signed === "signed" ? signer() : null }));
  process.stdout.write(`${done.kind}\n`);
}
