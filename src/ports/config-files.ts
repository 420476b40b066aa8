/** Files as the keys of a ConfigMap. `adapters/system/config-files.ts` reads them. */
import type { ConfigEntry } from "../domain/config.ts";

export type ConfigFiles =
  | { readonly entries: readonly ConfigEntry[] }
  /** One sentence that names the file. */
  | { readonly fault: string };

/** A file, or each file of a folder, with their exact bytes. `shown`: what a person calls it. Throws never. */
export type ReadConfig = (path: string, shown: string) => ConfigFiles;
