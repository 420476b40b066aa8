/** Where a clone that a person named meets the judge. */
import { resolve } from "node:path";
import { openRepository } from "../adapters/repo-git/open.ts";
import { EXIT } from "../domain/exit.ts";
import type { Repository } from "../ports/repository.ts";
import { type Refused, refused } from "../runtime/runtime.ts";

export interface GitPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** `named`: as the person wrote it; undefined: not given. Whoever opens it closes it. */
export const gitClone = async (
  named: string | undefined,
  { cwd, environment }: GitPlace,
): Promise<{ readonly kind: "clone"; readonly git: Repository | undefined } | Refused> => {
  if (named === undefined) return { kind: "clone", git: undefined };
  const git = await openRepository({ folder: resolve(cwd, named), named, environment });
  return "fault" in git
    ? refused(EXIT.usage, `--git: ${git.fault}; nothing was asked`)
    : { kind: "clone", git };
};
