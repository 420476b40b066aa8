/** What a build depends on, as a short digest: the same for the same sources and settings, whatever their times are. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Of every file under `folder`, by name and content, and of `settings`. */
export const fingerprint = (folder: string, settings: unknown): string => {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${JSON.stringify(relative(folder, file))} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
};
