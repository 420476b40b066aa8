/** What each verb does, and whom it excludes meanwhile. */
import { join } from "node:path";
import { BY_NAME, COMPONENTS, type ComponentName, EXTRAS } from "./component-name.ts";
import { stopComponent } from "./component-stop.ts";
import { takeDown } from "./down.ts";
import { execute } from "./exec.ts";
import { TestbedFault } from "./fault.ts";
import { withLock } from "./lock.ts";
import { demandMachine, installPackages } from "./machine.ts";
import { BESIDE_MODULES, CORE_MODULES, MODULES, type Module } from "./modules.ts";
import { unpackNginx } from "./nginx.ts";
import { inside } from "./order.ts";
import type { Place } from "./place.ts";
import { componentOf, processesOf } from "./processes.ts";
import { reset } from "./reset.ts";
import { formatStatus, statusOf } from "./status.ts";
import { buildTools } from "./tools.ts";
import { bringUp } from "./up.ts";

interface Flags {
  readonly json: boolean;
  readonly kill: boolean;
}

/** Resolves to the exit code. */
type Verb = (place: Place, words: readonly string[], flags: Flags) => Promise<number>;

const say = (line: string): void => {
  process.stderr.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
};

const oneOf = <Name extends string>(names: readonly Name[], text: string | undefined): Name => {
  const found = names.find((name) => name === text);
  if (found === undefined)
    throw new TestbedFault("usage", `${text ?? "nothing"} is none of ${names.join(", ")}`);
  return found;
};
const count = (text: string | undefined): number => {
  if (text === undefined || !/^[1-9]\d{0,4}$/.test(text))
    throw new TestbedFault("usage", `${text ?? "nothing"} is no number from 1 to 99999`);
  return Number(text);
};
const partOf = (text: string | undefined): ComponentName => oneOf([...COMPONENTS, ...BY_NAME], text);

/** Without root one would not see what lives, and take it for nothing. */
const asRoot =
  (verb: Verb): Verb =>
  async (...call) => {
    demandMachine();
    return await verb(...call);
  };

/** Changes the testbed, alone. `waits`: for whoever is at work on it, since what is asked for is the same after that. */
const alone = (
  name: string,
  work: (...call: Parameters<Verb>) => Promise<void>,
  { waits = false }: { readonly waits?: boolean } = {},
): Verb =>
  asRoot(async (place, ...rest) => {
    const wait = (holder: string): void => say(`${holder} is at work on it, waiting for its end`);
    await withLock(place.lock, name, () => work(place, ...rest), waits ? wait : undefined);
    return 0;
  });

/** What all testbeds of this user share; another who sets it up is waited for. */
const setUp: Verb = async (place, words) => {
  const extras = words.map((word) => oneOf([...EXTRAS, ...BESIDE_MODULES], word));
  await withLock(
    join(place.cache, "setup.lock"),
    "setup",
    async () => {
      await installPackages(extras.flatMap((name) => (MODULES[name] as Module).packages ?? []));
      await unpackNginx(place, say);
      await buildTools(place, [...CORE_MODULES, ...extras], say);
    },
    (holder) => say(`${holder} is setting up, waiting for it`),
  );
  return 0;
};

/** A signal asks for the end: what was begun is taken down again. */
const upOrDown = async (place: Place): Promise<void> => {
  let down: Promise<void> | undefined;
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => {
      say(`${signal}: taking down what was started`);
      down ??= takeDown(place).then(() => process.exit(code));
    });
  try {
    await bringUp(place, say);
  } finally {
    // Does not come back. What it was that failed under it is no news then.
    await down;
  }
};

const start = (place: Place, part: string | undefined): Promise<void> =>
  part === "argocd" ? inside(place, { kind: "start-argocd" }, say) : startPart(place, partOf(part));

const startPart = async (place: Place, component: ComponentName): Promise<void> => {
  if (componentOf(processesOf(place), component) !== undefined) return say(`${component} runs already`);
  await inside(place, { kind: "start-component", component }, say);
};

export const VERBS: Readonly<Record<string, Verb>> = {
  setup: asRoot(setUp),
  up: alone("up", upOrDown),
  down: alone("down", takeDown),
  reset: alone("reset", (place) => reset(place, say)),
  start: alone("start", (place, [part]) => start(place, part), { waits: true }),
  stop: alone("stop", (place, [part], { kill }) =>
    stopComponent(place, partOf(part), kill ? "SIGKILL" : "SIGTERM"),
  ),
  push: asRoot(async (place, [version, tag]) => {
    if (version === undefined) throw new TestbedFault("usage", "push needs a version");
    await inside(place, { kind: "push", version, tag: tag ?? version }, console.log);
    return 0;
  }),
  crowd: alone("crowd", async (place, [deployments, replicas]) =>
    inside(place, { kind: "crowd", deployments: count(deployments), replicas: count(replicas) }, say),
  ),
  status: asRoot(async (place, _, { json }) => {
    const status = await statusOf(place);
    console.log(json ? JSON.stringify(status, null, 2) : formatStatus(status));
    return status.state === "broken" ? 10 : 0;
  }),
  kubeconfig: async (place) => {
    console.log(place.kubeconfig);
    return 0;
  },
  exec: asRoot(execute),
};
