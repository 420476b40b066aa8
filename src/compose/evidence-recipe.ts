/** evidence verify --recipe: the script for one run, which is not judged here. */
import { resolve } from "node:path";
import { EXIT } from "../domain/exit.ts";
import { type Refused, refused } from "../runtime/runtime.ts";
import { recipeText } from "../wire/evidence/recipe.ts";
import { type EvidencePlace, evidenceIn } from "./evidence.ts";

/** `key`: a file, as the person gave it. */
export const recipeFor = async (
  place: EvidencePlace,
  { run, key }: { readonly run: string; readonly key: string | null },
): Promise<string | Refused> => {
  const folder = await evidenceIn(place).folderOf(run);
  if (typeof folder !== "string")
    return refused(folder.reason === "absent" ? EXIT.usage : EXIT.broken, folder.fault);
  return recipeText({ folder, key: key === null ? null : resolve(place.cwd, key) });
};
