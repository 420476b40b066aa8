/** evidence export: one run with what an auditor needs beside it. Checked before: what is not as recorded is not handed on. */
import { resolve } from "node:path";
import { type ExportFile, exportFolder, exportTar, filesOfRun } from "../adapters/system/evidence/export.ts";
import { keyPath } from "../adapters/system/evidence/layout.ts";
import { readPlain } from "../adapters/system/read-file.ts";
import type { EvidenceRun, RunLink } from "../domain/evidence-run.ts";
import { EXIT } from "../domain/exit.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { recipeText } from "../wire/evidence/recipe.ts";
import { type EvidencePlace, evidenceIn } from "./evidence.ts";
import { refusedFor } from "./evidence-replay.ts";

export interface Exported {
  readonly kind: "exported";
  readonly run: EvidenceRun;
  readonly link: RunLink;
  readonly files: number;
}

/** `to`: a folder, or a file that ends in `.tar`, as the person wrote it. `readme`: the words for it. */
export const exportEvidence = async (
  place: EvidencePlace,
  named: string,
  to: string,
  readme: (run: EvidenceRun, link: RunLink, hasKey: boolean) => string,
): Promise<Exported | Refused> => {
  const stored = await evidenceIn(place).read(named);
  if ("fault" in stored) return refusedFor(stored);
  const { run, sha256 } = stored;
  const its = filesOfRun(stored.folder);
  if ("fault" in its) return refused(EXIT.refused, `nothing was exported: ${its.fault}`);
  const key = publicKeyOf(stored.folder, run);
  const text = (path: string, written: string): ExportFile => ({ path, bytes: Buffer.from(written) });
  const link = { run: run.run, sha256 };
  const files = [
    ...its.map(({ path, bytes }) => ({ path: `${run.run}/${path}`, bytes })),
    ...(key === null ? [] : [{ path: "signer.pub", bytes: key }]),
    text("README.txt", readme(run, link, key !== null)),
    text("check.sh", recipeText({ folder: run.run, key: null })),
  ];
  const path = resolve(place.cwd, to);
  const done = to.endsWith(".tar")
    ? await exportTar(path, `evidence-${run.run}`, files)
    : await exportFolder(path, files);
  if (done !== undefined) return refused(EXIT.usage, `${to}: nothing was exported: ${done.fault}`);
  return { kind: "exported", run, link, files: files.length };
};

/** Of who signed it, as it lies beside the evidence; null: nobody did, or it is not there. */
const publicKeyOf = (folder: string, { signer }: EvidenceRun): Uint8Array | null => {
  if (signer === null) return null;
  const read = readPlain(resolve(folder, "../..", keyPath(signer)), 64 * 1024);
  return "bytes" in read ? read.bytes : null;
};
