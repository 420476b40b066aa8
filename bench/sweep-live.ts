/**
 * The sweep of a crowd that is there, on a real API server, against the raw lists of the same. With a testbed up, and made by
 * `node testbed/main.ts crowd 1000 10`:
 *   node testbed/main.ts exec --net node bench/sweep-live.ts [ROUNDS]
 * `ASFOUND` names the program; without it, the one of this checkout. What the server was asked is told by its own metrics.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:https";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Request, sweepPairs } from "./sweep.ts";
import { wayIn } from "./way.ts";

const NAMESPACE = "crowd";
/** What `verify deployments` lists, the Deployments once more at its end. */
const LISTED = [
  "/apis/apps/v1/%/deployments",
  "/apis/apps/v1/%/replicasets",
  "/api/v1/%/pods",
  "/api/v1/%/events",
  "/api/v1/%/services",
  "/apis/autoscaling/v2/%/horizontalpodautoscalers",
  "/apis/discovery.k8s.io/v1/%/endpointslices",
  "/apis/apps/v1/%/deployments",
].map((path) => path.replace("%", `namespaces/${NAMESPACE}`));

const kubeconfig = process.env["KUBECONFIG"] ?? "";
const rounds = Number(process.argv[2] ?? 6);
const { server, token, ...keys } = wayIn(kubeconfig);

const metrics = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    get(new URL("/metrics", server), { ...keys, headers, agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      reply.on("end", () => resolve(text));
    }).on("error", reject);
  });

/** LISTs that were answered, of all who ask. */
const answered = async (): Promise<number> => {
  const lines = (await metrics()).split("\n").filter((line) => line.startsWith("apiserver_request_total{"));
  const lists = lines.filter((line) => line.includes('verb="LIST"') && line.includes('scope="namespace"'));
  return lists.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
};

let before = await answered();
/** As many as it has answered since. */
const requests = async (): Promise<readonly Request[]> => {
  const now = await answered();
  const count = now - before;
  before = now;
  return Array.from({ length: count }, () => ({ verb: "list", path: "" }));
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const folder = mkdtempSync(join(tmpdir(), "asfound-bench-run-"));
try {
  const {
    pairs,
    requests: asked,
    rawRequests,
    megabytes,
    statement,
  } = await sweepPairs({
    folder,
    asfound: process.env["ASFOUND"] ?? fileURLToPath(new URL("../bin/asfound", import.meta.url)),
    kubeconfig,
    words: ["verify", "deployments", "--all", "-n", NAMESPACE],
    rounds,
    requests,
    paths: LISTED,
  });
  const say = (name: string, values: readonly number[], digits: number): void =>
    console.log(
      `${name}: ${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`,
    );
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${statement}`);
  console.log(
    `LISTs that the server counts: ${JSON.stringify(asked)}; of the raw lists: ${rawRequests}; ${megabytes.toFixed(0)} MB`,
  );
  say(
    "÷ raw lists, wall time (goal ≤ 1.5)",
    pairs.map(({ sweep, raw }) => sweep.wallMs / raw.wallMs),
    2,
  );
  say(
    "÷ raw lists, CPU time",
    pairs.map(({ sweep, raw }) => sweep.cpuMs / raw.cpuMs),
    2,
  );
  say(
    "sweep, ms",
    pairs.map(({ sweep }) => sweep.wallMs),
    0,
  );
  say(
    "raw lists, ms",
    pairs.map(({ raw }) => raw.wallMs),
    0,
  );
  say(
    "sweep, CPU ms",
    pairs.map(({ sweep }) => sweep.cpuMs),
    0,
  );
  say(
    "peak MB (goal ≤ 400)",
    pairs.map(({ sweep }) => sweep.peakMegabytes),
    0,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
