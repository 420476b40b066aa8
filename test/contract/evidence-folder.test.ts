/** The folder of evidence keeps the contract. */
import { join } from "node:path";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { evidenceRunsContract } from "./evidence-runs.ts";

evidenceRunsContract("a folder", () => {
  const path = join(tempFolder("evidence"), "made", "at", "need");
  return { open: () => openEvidence(path, "evidence") };
});
