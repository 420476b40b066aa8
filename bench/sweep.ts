/**
 * A sweep of many Deployments against the raw lists of the same: whole processes, in turn, on one server that counts what
 * it is asked. The yardstick makes the very requests that the sweep made.
 */
import { type ChildProcess, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Measured, measured } from "./measured.ts";
import { wayIn } from "./way.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface SweepBench {
  readonly folder: string;
  /** The program that is measured. */
  readonly asfound: string;
  readonly kubeconfig: string;
  /** The verb and what it is about: `verify deployments -A`. */
  readonly words: readonly string[];
  readonly rounds: number;
  /** Those since it was asked last, as the server counts them. */
  readonly requests: () => Promise<readonly Request[]>;
  /** What the yardstick lists; null: what the server was asked to list. */
  readonly paths?: readonly string[] | null;
}

export interface Request {
  readonly verb: string;
  readonly path: string;
}

export interface Pair {
  readonly sweep: Measured;
  readonly raw: Measured;
}

export interface Swept {
  readonly pairs: readonly Pair[];
  readonly requests: Readonly<Record<string, number>>;
  readonly rawRequests: number;
  readonly megabytes: number;
  /** What the sweep said of all of it. */
  readonly statement: string;
}

const isFirstPage = ({ verb, path }: Request): boolean => verb === "list" && !path.includes("continue=");
const withoutQuery = ({ path }: Request): string => path.replace(/\?.*$/, "");

export const sweepPairs = async (bench: SweepBench): Promise<Swept> => {
  const { folder, asfound, kubeconfig, words, rounds, requests, paths: given = null } = bench;
  const way = join(folder, "way.json");
  writeFileSync(way, JSON.stringify(wayIn(kubeconfig)));
  const sweep = async (): Promise<Measured> => {
    const run = await measured([asfound, ...words, "--kubeconfig", kubeconfig], {
      folder,
    });
    if (run.stdout === "") throw new Error(`the sweep printed nothing: ${run.stderr}`);
    return run;
  };
  // Fills the compile cache, and says what is asked.
  await requests();
  const first = await sweep();
  const asked = await requests();
  const paths = given ?? asked.filter(isFirstPage).map(withoutQuery);
  const raw = async (): Promise<Measured> => {
    const run = await measured([process.execPath, here("raw-list.ts"), way, ...paths], { folder });
    if (run.exit !== 0) throw new Error(run.stderr);
    return run;
  };
  const { bytes } = JSON.parse((await raw()).stdout) as { readonly bytes: number };
  const rawRequests = (await requests()).length;
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // In turn, and each goes first as often.
    const order = round % 2 === 0;
    const early = order ? await sweep() : await raw();
    const late = order ? await raw() : await sweep();
    pairs.push(order ? { sweep: early, raw: late } : { sweep: late, raw: early });
  }
  return {
    pairs,
    requests: countsOf(asked),
    rawRequests,
    megabytes: bytes / 2 ** 20,
    statement: first.stdout.split("\n")[1] ?? "",
  };
};

const countsOf = (asked: readonly Request[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { verb } of asked) counts[verb] = (counts[verb] ?? 0) + 1;
  return counts;
};

export interface CrowdServer {
  readonly kubeconfig: string;
  requests(): Promise<readonly Request[]>;
  end(): Promise<void>;
}

export const startCrowd = async (
  folder: string,
  deployments: number,
  replicas: number,
  what: "config" | "" = "",
): Promise<CrowdServer> => {
  const kubeconfig = join(folder, `kubeconfig-${what}${deployments}`);
  const child: ChildProcess = fork(
    here("crowd-server.ts"),
    [String(deployments), String(replicas), kubeconfig, what],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
  await next();
  return {
    kubeconfig,
    requests: () => {
      const answer = next();
      child.send("log");
      return answer as Promise<readonly Request[]>;
    },
    end: () =>
      new Promise((resolve) => {
        child.removeAllListeners("exit");
        child.once("exit", () => resolve());
        child.disconnect();
      }),
  };
};
