/** A folder opened for a bench: no signals, no progress, the no-op provider at hand. */
import { join } from "node:path";
import { openProject } from "../src/compose.ts";
import { noopProvider } from "./noop.ts";

export const openBench = async (folder: string) => {
  const never = new AbortController().signal;
  const where = {
    file: join(folder, "asfound.yaml"),
    ledger: null,
    stack: null,
    vars: new Map<string, string>(),
    actor: "bench",
    cwd: folder,
    needsFile: true,
    environment: { ...process.env, CI: "" },
  };
  const io = {
    reporter: { report: () => undefined },
    interrupt: { drain: never, kill: never, first: () => null },
  };
  const project = await openProject(where, "create", io, { providers: [noopProvider()] });
  if (project.kind !== "project") throw new Error(JSON.stringify(project));
  const { stack, fileDigest } = project;
  if (stack === null || fileDigest === null) throw new Error("the bench folder has no stack");
  return { ...project, stack, fileDigest };
};
