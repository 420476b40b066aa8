/** Files as evidence, read in memory by what reads them from a disk. */
import type { Asked, Evidence, Seen } from "../../../src/domain/evidence.ts";
import { NOTHING_EXPECTED } from "../../../src/domain/expected.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { Question } from "../../../src/domain/question.ts";
import { resourcesIn } from "../../../src/wire/objects/file-name.ts";
import { readGitRecords } from "../../../src/wire/objects/git-records.ts";
import { readHeld } from "../../../src/wire/objects/held.ts";
import { readObjects } from "../../../src/wire/objects/objects.ts";
import type { Files } from "./deployment.ts";
import { at as time } from "./object.ts";

export const evidenceOf = (files: Files, readAt: number): Evidence => {
  const objects: Seen[] = [];
  const asked: Asked[] = [];
  for (const [name, value] of Object.entries(files)) {
    if (name === "held.json") {
      const held = readHeld(value, name);
      if ("fault" in held) throw new Error(`${name}${held.pointer}: ${held.fault}`);
      objects.push(...held.records);
      continue;
    }
    if (name === "git.json") {
      const told = readGitRecords(value, name);
      if ("fault" in told) throw new Error(`${name}${told.pointer}: ${told.fault}`);
      objects.push(...told.records);
      continue;
    }
    const read = readObjects(value, name, resourcesIn(name));
    if ("fault" in read) throw new Error(`${name}${read.pointer}: ${read.fault}`);
    objects.push(...read.objects);
    asked.push(...read.asked);
  }
  return { objects, asked, at: instant(Date.parse(time(readAt))), limits: [] };
};

export const about = (
  target: string,
  more: Partial<Omit<Question, "expected">> & { readonly expected?: Partial<Question["expected"]> } = {},
): Question => {
  const [kind = "", name = ""] = target.split("/");
  return {
    kind,
    name,
    namespace: "shop",
    claims: null,
    ...more,
    expected: { ...NOTHING_EXPECTED, ...more.expected },
  };
};
