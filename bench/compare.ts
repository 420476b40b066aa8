/**
 * Who says what of the same state: asfound, kubectl and Helm, on the cluster that KUBECONFIG names: npm run comparison, with a
 * testbed up. Fails when asfound's exit code is not the one that follows from the state.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kubectl, type Namespace, ownNamespace } from "../test/e2e/kubectl.ts";
import { NETWORK } from "../testbed/place.ts";
import { pageOf, type Recorded, type Said } from "./comparison/page.ts";
import { STATES, type State } from "./comparison/states.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Between two ends of a container that crashes from the start: it waits from its 13th second to its 33rd. */
const WINDOW_SECONDS = 25;

const neutral = (text: string, namespace: string): string =>
  text.replaceAll(namespace, "NAMESPACE").replaceAll(NETWORK.registry, "REGISTRY").trim();

/** The last line that it printed, without what differs from run to run. */
const lastWords = (text: string, namespace: string): string =>
  neutral(text.trim().split("\n").at(-1) ?? "", namespace);

const run = (
  program: string,
  words: readonly string[],
): Promise<{ exit: number; out: string; err: string }> =>
  new Promise((resolve, reject) => {
    execFile(program, words, (error, out, err) => {
      if (error === null) return resolve({ exit: 0, out, err });
      if (typeof error.code === "number") return resolve({ exit: error.code, out, err });
      reject(error);
    });
  });

/** With how long it took, in whole seconds. */
const timed = async (asking: () => Promise<Omit<Said, "seconds">>): Promise<Said> => {
  const began = performance.now();
  const said = await asking();
  return { ...said, seconds: Math.round((performance.now() - began) / 1000) };
};

const askAsfound = async ({ target }: State, { name }: Namespace): Promise<Omit<Said, "seconds">> => {
  const words = ["verify", target, "-n", name, "--watch", "--window", `${WINDOW_SECONDS}s`, "-o", "json"];
  const { exit, out, err } = await run(join(root, "bin", "asfound"), words);
  if (out === "") throw new Error(`asfound printed no report: ${err}`);
  const { statement } = JSON.parse(out) as { readonly statement: string };
  return { exit, words: neutral(statement, name) };
};

const kubectlWords = (target: string): readonly string[] => {
  if (target.startsWith("job/")) return ["wait", "--for=condition=Complete", target];
  if (!target.startsWith("service/")) return ["rollout", "status", target];
  const slices = ["endpointslice", "-l", `kubernetes.io/service-name=${target.slice("service/".length)}`];
  return ["wait", "--for=jsonpath={.endpoints[0].addresses[0]}", ...slices];
};

const askKubectl = async ({ target }: State, { name }: Namespace): Promise<Omit<Said, "seconds">> => {
  const words = [...kubectlWords(target), "-n", name, `--timeout=${WINDOW_SECONDS}s`];
  const { exit, out, err } = await run("kubectl", words);
  return { exit, words: lastWords(`${out}\n${err}`, name) };
};

/** Until its controller has done with it: by the Pods, since `rollout status` refuses OnDelete. */
const begun = async (state: State, namespace: Namespace): Promise<void> => {
  if (state.before.length === 0) return;
  const ready = "jsonpath={.status.numberReady}=1";
  if (state.target.startsWith("daemonset/"))
    await namespace.run("wait", `--for=${ready}`, state.target, "--timeout=90s");
  else await namespace.run("rollout", "status", state.target, "--timeout=90s");
};

const withKubectl = async (state: State): Promise<readonly [Said, Said]> => {
  await using namespace = await ownNamespace();
  if (state.before.length > 0) await namespace.apply(...state.before);
  await begun(state, namespace);
  await namespace.apply(...state.after);
  // An EndpointSlice is there a moment after its Service; `wait` refuses what is not there yet.
  if (state.target.startsWith("service/"))
    await namespace.run(
      "wait",
      "--for=create",
      "endpointslice",
      "-l",
      "kubernetes.io/service-name=web",
      "--timeout=30s",
    );
  return await Promise.all([
    timed(() => askAsfound(state, namespace)),
    timed(() => askKubectl(state, namespace)),
  ]);
};

const withHelm = async (state: State): Promise<Said> => {
  await using namespace = await ownNamespace();
  const chart = mkdtempSync(join(tmpdir(), "asfound-comparison-"));
  const release = async (objects: readonly object[], ...words: readonly string[]) => {
    const text = objects.map((object) => JSON.stringify(object)).join("\n---\n");
    writeFileSync(join(chart, "templates", "all.yaml"), text);
    return await run("helm", ["upgrade", "--install", "web", chart, "-n", namespace.name, ...words]);
  };
  try {
    mkdirSync(join(chart, "templates"));
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    if (state.before.length > 0) {
      const { exit, err } = await release(state.before);
      if (exit !== 0) throw new Error(`helm: ${err}`);
    }
    await begun(state, namespace);
    return await timed(async () => {
      const wait = ["--wait", "--wait-for-jobs", `--timeout=${WINDOW_SECONDS}s`];
      const { exit, out, err } = await release(state.after, ...wait);
      const said = exit === 0 ? (/^STATUS: .*$/m.exec(out)?.[0] ?? "") : err;
      return { exit, words: lastWords(said, namespace.name) };
    });
  } finally {
    rmSync(chart, { recursive: true });
  }
};

const record = async (state: State): Promise<Recorded["states"][number]> => {
  const [[asfound, ofKubectl], ofHelm] = await Promise.all([withKubectl(state), withHelm(state)]);
  return { name: state.name, truth: state.truth, asfound, kubectl: ofKubectl, helm: ofHelm };
};

const { clientVersion, serverVersion } = JSON.parse(await kubectl(["version", "-o", "json"])) as Readonly<
  Record<"clientVersion" | "serverVersion", { readonly gitVersion: string }>
>;
const helmVersion = (await run("helm", ["version", "--template={{.Version}}"])).out.trim();
const states: Recorded["states"][number][] = [];
// Four at a time: the machine is small, and a state that comes late would be another state.
for (let at = 0; at < STATES.length; at += 4)
  states.push(...(await Promise.all(STATES.slice(at, at + 4).map(record))));
const recorded: Recorded = {
  versions: { kubectl: clientVersion.gitVersion, helm: helmVersion, kubernetes: serverVersion.gitVersion },
  windowSeconds: WINDOW_SECONDS,
  states,
};
const untrue = STATES.flatMap(({ name, exit }, at) => {
  const said = states[at]?.asfound;
  return said?.exit === exit
    ? []
    : [`${name}: exit ${exit} is true, asfound said ${said?.exit}: ${said?.words}`];
});
for (const line of untrue) console.error(line);
if (untrue.length > 0) process.exit(1);
writeFileSync(join(root, "bench", "comparison.json"), `${JSON.stringify(recorded, null, 2)}\n`);
writeFileSync(join(root, "docs", "comparison.md"), pageOf(recorded));
console.log(`${states.length} states compared; docs/comparison.md is written`);
