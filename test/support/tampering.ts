/** Every way in which a folder of evidence is spoiled by one act, and which of them a check does not find or does not name. */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { openEvidence } from "../../src/adapters/system/evidence/evidence-folder.ts";
import type { EvidenceProblem, RunLink } from "../../src/domain/evidence-run.ts";
import { FILES, newRun, signer } from "./made-run.ts";

export interface Tampering {
  readonly name: string;
  /** Paths from the evidence folder, of which one has to be named. */
  readonly files: readonly string[];
  apply(folder: string): void;
}

/** Six slots: nobody signed, never finished, signed (three of two signers), nobody signed. */
export const someEvidence = async (folder: string): Promise<RunLink> => {
  const evidence = openEvidence(folder, "evidence");
  const [alice, bob] = [signer(), signer()];
  const failing = function* () {
    yield* FILES.slice(0, 2);
    throw new Error("broke off");
  };
  let newest: RunLink | null = null;
  for (const by of [null, "fails", alice, bob, alice, null] as const) {
    if (by === "fails") await evidence.record(newRun({}, { files: failing() })).catch(() => undefined);
    else {
      const done = await evidence.record(newRun({}, { signer: by }));
      if (done.kind === "recorded") newest = done.link;
    }
  }
  if (newest === null) throw new Error("nothing was recorded");
  return newest;
};

const NO_EVIDENCE = /^(\.lock|\.gitignore|\.drafts(\/.*)?|key)$/;

export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !NO_EVIDENCE.test(path) && statSync(join(folder, path)).isFile())
    .sort();

/** What a run that was never finished holds is no evidence, and nobody has its digests. */
export const isCovered = (folder: string, path: string): boolean => {
  const run = /^runs\/[^/]+/.exec(path)?.[0];
  return run === undefined || filesIn(join(folder, run)).includes("statement.sha256");
};

export const flipped = (path: string, at: number, bit: number): Tampering => ({
  name: `bit ${bit} of byte ${at} of ${path}`,
  files: [path],
  apply: (folder) => {
    const file = join(folder, path);
    const bytes = readFileSync(file);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    chmodSync(file, 0o644);
    writeFileSync(file, bytes);
  },
});

/** Files taken away, put elsewhere, exchanged, cut short, made longer, added. */
export const acts = (folder: string): readonly Tampering[] => {
  const files = filesIn(folder).filter((path) => isCovered(folder, path));
  const folders = [...new Set(files.map(dirname))];
  const spoil = (name: string, paths: readonly string[], apply: Tampering["apply"]): Tampering => ({
    name: `${name} ${paths.join(" ")}`,
    files: paths,
    apply,
  });
  const rewrite = (path: string, change: (bytes: Buffer) => Buffer) => (at: string) => {
    chmodSync(join(at, path), 0o644);
    writeFileSync(join(at, path), change(readFileSync(join(at, path))));
  };
  return [
    ...files.flatMap((path, index) => {
      const other = files[(index + 7) % files.length] ?? path;
      return [
        spoil("removed", [path], (at) => rmSync(join(at, path))),
        spoil("renamed", [path, `${path}x`], (at) => renameSync(join(at, path), join(at, `${path}x`))),
        spoil(
          "emptied",
          [path],
          rewrite(path, () => Buffer.alloc(0)),
        ),
        spoil(
          "cut short",
          [path],
          rewrite(path, (bytes) => bytes.subarray(0, -1)),
        ),
        spoil(
          "made longer",
          [path],
          rewrite(path, (bytes) => Buffer.concat([bytes, Buffer.from("\n")])),
        ),
        ...(readFileSync(join(folder, path)).equals(readFileSync(join(folder, other)))
          ? []
          : [
              spoil("exchanged", [path, other], (at) => {
                renameSync(join(at, path), join(at, "x"));
                renameSync(join(at, other), join(at, path));
                renameSync(join(at, "x"), join(at, other));
              }),
            ]),
      ];
    }),
    ...folders.map((its) =>
      spoil("added to", [`${its}/added`], (at) => writeFileSync(join(at, its, "added"), "")),
    ),
    ...folders.map((its) =>
      spoil("folder added to", [`${its}/added`], (at) => void mkdirSync(join(at, its, "added"))),
    ),
  ];
};

/** null: it was found, and what was done is named. */
export const missed = async (folder: string, copy: string, tampering: Tampering): Promise<string | null> => {
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  tampering.apply(copy);
  const problems: EvidenceProblem[] = [];
  const done = await openEvidence(copy, "evidence").check(
    { run: null, keys: [], heldHere: new Set(), checkpoint: null, depth: "files" },
    (check) => problems.push(...check.problems),
  );
  if ("fault" in done) return `${tampering.name}: ${done.fault}`;
  if (done.finding === "proven") return `${tampering.name}: proven`;
  const isNamed = problems.some(({ file, sentence }) =>
    tampering.files.some(
      (path) => file === path || sentence.includes(path) || isBeside(file, path, sentence),
    ),
  );
  return isNamed
    ? null
    : `${tampering.name}: named ${problems.map(({ sentence }) => sentence).join("; ") || "nothing"}`;
};

/** Of two files of one run that do not agree, the sentence about one names the other by its last part. */
const isBeside = (file: string, path: string, sentence: string): boolean =>
  dirname(file) === dirname(path) && sentence.includes(path.slice(dirname(path).length + 1));
