/** Prints what of a sample of tamperings is missed: FOLDER [NAMES]. For mutants, which run as other source (fixtures/crash-points/preload.ts). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { acts, filesIn, flipped, isCovered, missed, someEvidence } from "./tampering.ts";

const [root = "", names = ""] = process.argv.slice(2);
const folder = join(root, "evidence");
await someEvidence(folder);
const bytes = filesIn(folder)
  .filter((path) => isCovered(folder, path))
  .flatMap((path) => {
    const content = readFileSync(join(folder, path));
    const { length } = content;
    // Within the signature, where there is one.
    const signature = content.indexOf('"sig": "') + 20;
    return [0, length >> 1, length - 2, ...(signature < 20 ? [] : [signature])].map((at) =>
      flipped(path, at, 1),
    );
  });
const all: string[] = [];
for (const one of [...bytes, ...acts(folder)]) {
  if (!new RegExp(names).test(one.name)) continue;
  const what = await missed(folder, join(root, "copy"), one);
  if (what !== null) all.push(what);
}
process.stdout.write(all.map((one) => `${one}\n`).join(""));
