/** `kustomize build FOLDER`, by the person's own binary; or kubectl's, which has it built in. Nothing is fetched by us. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { printable } from "../../wire/redact/printable.ts";
import { type Objects, objectsIn } from "./manifest-text.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

const WAYS: readonly (readonly [command: string, ...first: string[]])[] = [
  ["kustomize", "build"],
  ["kubectl", "kustomize"],
];

const run = promisify(execFile);

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** Its own last words, without what may be a value. */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { stderr } = error as Partial<Record<"stderr", unknown>>;
  const said = typeof stderr === "string" && stderr.trim() !== "" ? stderr : error.message;
  return printable(said.trim().split("\n").at(-1) ?? "").slice(0, 300);
};

export const kustomized = async (folder: string, baseDirectory: string): Promise<Objects> => {
  for (const [command, ...first] of WAYS) {
    try {
      const { stdout } = await run(command, [...first, join(baseDirectory, folder)], {
        maxBuffer: MAX_BYTES,
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
      });
      return await objectsIn(stdout, `${printable(folder)} (${command})`);
    } catch (error) {
      if (isMissing(error)) continue;
      return { fault: `${printable(folder)} cannot be built by ${command}: ${wordsOf(error)}` };
    }
  }
  return {
    fault: `${printable(folder)} is a kustomization, and neither kustomize nor kubectl is on the PATH; install one, or write its output to a file and name that as 'manifests'`,
  };
};
