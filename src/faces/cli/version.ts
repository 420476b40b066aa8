/** The version of this package, as its package.json has it. */
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";

export const version = async (): Promise<string> => {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined)
    throw new Error("asfound's own package.json is missing; install the package again");
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
};
