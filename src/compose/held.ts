/** Where a recorder's folder meets the judge. */
import { resolve } from "node:path";
import { openHeldReader } from "../adapters/system/held/reader.ts";
import { EXIT } from "../domain/exit.ts";
import type { HeldFolder } from "../runtime/held-evidence.ts";
import { type Refused, refused } from "../runtime/runtime.ts";

/** `named`: as the person wrote it; undefined: not given. */
export const heldFolder = async (
  named: string | undefined,
  cwd: string,
): Promise<{ readonly kind: "folder"; readonly held: HeldFolder | undefined } | Refused> => {
  if (named === undefined) return { kind: "folder", held: undefined };
  const reader = await openHeldReader(resolve(cwd, named), named);
  return "fault" in reader
    ? refused(EXIT.usage, `--held: ${reader.fault}; nothing was asked`)
    : { kind: "folder", held: { reader, named } };
};
