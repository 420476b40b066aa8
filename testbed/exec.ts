/** Runs somebody's command in a testbed. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter } from "node:path";
import { TestbedFault } from "./fault.ts";
import { demandInit, entering } from "./namespaces.ts";
import type { Place } from "./place.ts";
import { MARK, MARK_ROLE } from "./processes.ts";
import { builtTools } from "./tools.ts";

/**
 * `words`: the command, with `--net` before it when only the network is to be the testbed's. It stays in this folder, with
 * kubectl (and Helm, kustomize and argocd, once built) on its PATH. Resolves to its exit code, 128 + the signal's number as in a shell.
 */
export const execute = async (place: Place, words: readonly string[]): Promise<number> => {
  const which = words[0] === "--net" ? "network" : "all";
  const rest = words.slice(which === "network" ? 1 : 0);
  const command = rest.slice(rest[0] === "--" ? 1 : 0);
  if (command.length === 0) throw new TestbedFault("usage", "exec needs a command");
  const { folders } = builtTools(place);
  const [enter = "", ...entry] = entering(demandInit(place), which);
  const child = spawn(enter, [...entry, "env", `--chdir=${process.cwd()}`, ...command], {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: [
        folders.kubernetes,
        folders.etcd,
        folders.helm,
        folders.kustomize,
        folders.argocd,
        process.env["PATH"],
      ].join(delimiter),
      KUBECONFIG: place.kubeconfig,
      ASFOUND_TESTBED_NAME: place.name,
      [MARK]: place.name,
      [MARK_ROLE]: "exec",
    },
  });
  // A terminal sends this one to both: the command decides, and we tell.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", (signal) => void child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  });
};
