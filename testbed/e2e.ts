/**
 * `npm run test:e2e [-- VITEST ARGUMENTS]`: sets up what is missing, starts a testbed, runs test/e2e in its network, and
 * takes it down again if it was not up before. Where no testbed can run, each test says so itself: not run, because …
 * With `ASFOUND_E2E_KUBECONFIG` they run on that cluster, and no testbed is touched.
 */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { TestbedFault } from "./fault.ts";
import { obstacle, thisMachine } from "./machine.ts";
import { type Place, placeOf } from "./place.ts";
import { statusOf } from "./status.ts";
import { foldersOf } from "./tools.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const VITEST = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const CONFIG = fileURLToPath(new URL("../vitest.e2e.config.ts", import.meta.url));

const node = (words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      stdio: "inherit",
      env: { ...process.env, ...environment },
    });
    // Nobody is left before what was begun is taken down.
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    process.on("SIGINT", pass).on("SIGTERM", pass);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("SIGINT", pass).off("SIGTERM", pass);
      resolve(code ?? 1);
    });
  });

const tests = [VITEST, "run", "--config", CONFIG, ...process.argv.slice(2)];

const run = async (place: Place): Promise<number> => {
  if (process.env["ASFOUND_E2E_KUBECONFIG"]) {
    // This machine's kubectl, else the testbed's if it was built.
    const { kubernetes } = foldersOf(place);
    return await node(tests, { PATH: [process.env["PATH"], kubernetes].join(delimiter) });
  }
  const lack = obstacle(thisMachine());
  if (lack !== null) return await node(tests, { ASFOUND_E2E_LACKS: lack });
  const wasDown = (await statusOf(place)).state !== "up";
  for (const words of [["setup", "traefik", "kustomize", "argocd"], ["up"]]) {
    const code = await node([MAIN, ...words]);
    if (code !== 0) return code;
  }
  try {
    return await node([MAIN, "exec", "--net", process.execPath, ...tests]);
  } finally {
    if (wasDown) await node([MAIN, "down"]);
  }
};

try {
  process.exitCode = await run(placeOf(undefined, process.env));
} catch (error) {
  if (!(error instanceof TestbedFault)) throw error;
  console.error(`test:e2e: ${error.message}`);
  process.exitCode = 1;
}
