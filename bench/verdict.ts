/**
 * How long after a rollout is done a verdict comes: `verify --watch` and `kubectl rollout status`, started together on the
 * same rollouts of a real cluster, each first as often. With a testbed up:
 *   node testbed/main.ts exec --net node bench/verdict.ts [ROUNDS]
 *
 * When it is done is told by neither of them: a third party watches the Deployment, the Pods and the EndpointSlices. What
 * kubectl waits for is done with the Deployment's last status; what asfound waits for, when the last old Pod is gone and the
 * endpoints are the new ones as well.
 */
import { spawn } from "node:child_process";
import { get } from "node:https";
import { loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { deployment, service } from "../test/e2e/app.ts";
import { type Namespace, ownNamespace } from "../test/e2e/kubectl.ts";
import { type Way, wayIn } from "./way.ts";

const ASFOUND = process.env["ASFOUND"] ?? fileURLToPath(new URL("../bin/asfound", import.meta.url));
const KUBECONFIG = process.env["KUBECONFIG"] ?? "";
const REPLICAS = 3;
const SLOW_SECONDS = 7;
const rounds = Number(process.argv[2] ?? 8);

interface Change {
  readonly atMs: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: an object as the API has it.
  readonly object: any;
}

/** Every change of these, with the moment at which it was told. */
const watched = (
  { server, token, ...keys }: Way,
  path: string,
): { readonly changes: Change[]; end(): void } => {
  const changes: Change[] = [];
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = get(new URL(`${path}?watch=1`, server), { ...keys, headers, agent: false }, (reply) => {
    let text = "";
    reply.setEncoding("utf8").on("data", (piece: string) => {
      const atMs = performance.now();
      const lines = `${text}${piece}`.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) changes.push({ atMs, ...JSON.parse(line) });
    });
    reply.on("error", () => undefined);
  });
  request.on("error", () => undefined);
  return { changes, end: () => request.destroy() };
};

interface Ended {
  readonly atMs: number;
  readonly exit: number | null;
  readonly output: string;
}

const run = (program: string, ...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("error", reject);
    child.once("exit", (exit) => {
      const atMs = performance.now();
      child.once("close", () => resolve({ atMs, exit, output }));
    });
  });

/** `slow`: each Pod takes its time to end, as one that serves its last requests does. */
const wanted = (round: number, isSlow: boolean): object => {
  const made = deployment("web", { replicas: REPLICAS, env: [{ name: "ROUND", value: String(round) }] }) as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  };
  if (!isSlow) return made;
  const { template } = made.spec;
  const containers = template.spec.containers.map((container) => ({
    ...container,
    lifecycle: { preStop: { sleep: { seconds: SLOW_SECONDS } } },
  }));
  const spec = { ...template.spec, terminationGracePeriodSeconds: 2 * SLOW_SECONDS, containers };
  return { ...made, spec: { ...made.spec, template: { ...template, spec } } };
};

const isReported = ({ object: { metadata, status } }: Change): boolean =>
  status.observedGeneration === metadata.generation &&
  status.replicas === REPLICAS &&
  status.updatedReplicas === REPLICAS &&
  status.availableReplicas === REPLICAS;

interface Round {
  /** From the Deployment's status being complete to kubectl's end; from all being done to asfound's. */
  readonly kubectlMs: number;
  readonly asfoundMs: number;
  /** From the Deployment's status being complete to all being done. */
  readonly betweenMs: number;
  readonly wholeKubectlMs: number;
  readonly wholeAsfoundMs: number;
}

const measure = async (namespace: Namespace, round: number, isSlow: boolean): Promise<Round> => {
  const way = wayIn(KUBECONFIG);
  const { name } = namespace;
  const paths = [
    `/apis/apps/v1/namespaces/${name}/deployments`,
    `/api/v1/namespaces/${name}/pods`,
    `/apis/discovery.k8s.io/v1/namespaces/${name}/endpointslices`,
  ];
  const watches = paths.map((path) => watched(way, path));
  await namespace.apply(wanted(round, isSlow));
  const fromMs = performance.now();
  const asfound = () => run(ASFOUND, "verify", "deployment/web", "-n", name, "--watch", "--window", "90s");
  const kubectl = () => run("kubectl", "rollout", "status", "deployment/web", "-n", name, "--timeout=90s");
  const order = round % 2 === 0;
  const [first, second] = order ? [asfound(), kubectl()] : [kubectl(), asfound()];
  const ended = await Promise.all([first, second]);
  const [ours, theirs] = order ? ended : [ended[1], ended[0]];
  for (const { exit, output } of ended) if (exit !== 0) throw new Error(`exit ${exit}: ${output}`);
  for (const watch of watches) watch.end();
  const [deployments = [], pods = [], slices = []] = watches.map(({ changes }) =>
    changes.filter(({ atMs }) => atMs > fromMs && atMs <= ours.atMs),
  );
  // The last change to what is complete: later ones change no status.
  const last = deployments.findLastIndex((change) => !isReported(change));
  const reported = deployments[last + 1];
  if (reported === undefined) throw new Error("nobody saw the Deployment complete");
  const gone = pods.filter(({ type }) => type === "DELETED");
  const doneMs = Math.max(reported.atMs, ...[...gone, ...slices].map(({ atMs }) => atMs));
  return {
    kubectlMs: theirs.atMs - reported.atMs,
    asfoundMs: ours.atMs - doneMs,
    betweenMs: doneMs - reported.atMs,
    wholeKubectlMs: theirs.atMs - fromMs,
    wholeAsfoundMs: ours.atMs - fromMs,
  };
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const pairs = async (isSlow: boolean): Promise<void> => {
  await using namespace = await ownNamespace();
  await namespace.apply(service("web"), wanted(0, isSlow));
  await namespace.run("rollout", "status", "deployment/web", "--timeout=90s");
  const all: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    all.push(await measure(namespace, round, isSlow));
    if (process.env["EACH"] !== undefined) console.log(JSON.stringify(all.at(-1)));
  }
  const of = (pick: (round: Round) => number): string => {
    const values = all.map(pick);
    return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
  };
  const ratio = (pick: (round: Round) => number): string => {
    const values = all.map(pick);
    return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  };
  const how = isSlow ? `that take ${SLOW_SECONDS} s to end` : "that end at once";
  console.log(`${rounds} rollouts of ${REPLICAS} Pods ${how}; ms from done to the verdict:`);
  console.log(`kubectl rollout status, from the Deployment's last status: ${of((one) => one.kubectlMs)}`);
  console.log(
    `asfound verify --watch, from the last change of Pods and endpoints too: ${of((one) => one.asfoundMs)}`,
  );
  console.log(`between these two moments: ${of((one) => one.betweenMs)}`);
  console.log(
    `from the change to the verdict, asfound ÷ kubectl: ${ratio((one) => one.wholeAsfoundMs / one.wholeKubectlMs)}`,
  );
  console.log(
    `from the change to the verdict, less what asfound has to wait for longer: ${ratio((one) => (one.wholeAsfoundMs - one.betweenMs) / one.wholeKubectlMs)}; goal ≤ 1.2`,
  );
};

console.log(`load ${loadavg()[0]?.toFixed(1)}; a busy machine moves these figures`);
for (const isSlow of [false, true]) await pairs(isSlow);
