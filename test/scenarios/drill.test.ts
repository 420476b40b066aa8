/**
 * A drill never removes a Pod: outside its scope, that has changed since it was chosen, that is not ready capacity, or twice.
 * Each law with a mutant of the real command that its test catches: what several places keep is broken in all of them.
 */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { folder } from "../faces/terminal.ts";
import { asfound, type Mutant } from "../proof/crash-points/cli.ts";
import { atRest, drillTown, type Town } from "../support/drill-town.ts";
import type { World } from "../support/kubernetes/deployment.ts";

const PROVIDER = "/provider-kubernetes/drill/provider.ts";
const WRITER = "/cluster-https/write/writer.ts";
const CHOICE = "/judge/drill/choice.ts";

interface Law {
  readonly world: World;
  readonly words?: readonly string[];
  /** Somebody else, in between. */
  readonly between?: (town: Town) => void;
  readonly mutants: readonly Mutant[];
}

const touched = (pod: JsonObject): JsonObject => ({
  ...pod,
  metadata: { ...(pod["metadata"] as JsonObject), annotations: { touched: "yes" } },
});

/** Once, right before the provider looks at the Pod, or before the server takes the eviction. */
const whenAsked = (town: Town, resource: string, verb: string, act: (name: string) => void): void => {
  let isDone = false;
  town.server.onAsked(({ resource: of, verb: how, path }) => {
    const name = /\/pods\/([^/?]+)/.exec(path)?.[1];
    if (isDone || of !== resource || how !== verb || name === undefined) return;
    isDone = true;
    act(name);
  });
};

const change = (town: Town, name: string): void => {
  const pod = town.pods().find(({ metadata }) => metadata.name === name);
  if (pod !== undefined) town.put(touched(pod));
};

/** Under the same name another Pod, as a StatefulSet makes it. */
const remake = (town: Town, name: string): void => {
  const pod = town.pods().find(({ metadata }) => metadata.name === name);
  if (pod === undefined) return;
  town.put({ ...pod, metadata: { ...pod.metadata, uid: "11111111-1111-4111-8111-111111111111" } });
};

const NO_VERSION: Mutant = {
  file: PROVIDER,
  from: "return there.resourceVersion === spec.resourceVersion",
  to: "return there.resourceVersion !== ''",
};
const NO_UID: Mutant = {
  file: PROVIDER,
  from: "if (there.uid !== spec.podUid)",
  to: "if (there.uid === '')",
};
const noPreconditions = (left: string): Mutant => ({
  file: WRITER,
  from: "const options = { preconditions: { ...preconditions }, ...dryRun };",
  to: `const options = { preconditions: ${left} as never, ...dryRun };`,
});

const LAWS: Readonly<Record<string, Law>> = {
  "outside its scope": {
    world: atRest(2),
    words: ["--allow-namespace", "other"],
    mutants: [
      {
        file: "/commands/drill.ts",
        from: "if (!asked.allowNamespaces.includes(one.namespace))",
        to: "if (asked.allowNamespaces.length === 0)",
      },
      {
        file: PROVIDER,
        from: 'if (!spec.allowNamespaces.includes(spec.namespace ?? ""))',
        to: "if (spec.allowNamespaces.length === 0)",
      },
    ],
  },
  "that was changed after it was chosen": {
    world: atRest(2),
    between: (town) => whenAsked(town, "pods", "get", (name) => change(town, name)),
    mutants: [NO_VERSION, noPreconditions("{ uid: preconditions.uid }")],
  },
  "that is changed while the eviction is on its way": {
    world: atRest(2),
    between: (town) => whenAsked(town, "pods/eviction", "create", (name) => change(town, name)),
    mutants: [noPreconditions("{ uid: preconditions.uid }")],
  },
  "twice: under its name another one runs by now": {
    world: atRest(2),
    between: (town) => whenAsked(town, "pods", "get", (name) => remake(town, name)),
    mutants: [NO_UID, NO_VERSION, noPreconditions("{}")],
  },
  "of a workload that lacks ready capacity": {
    world: { ...atRest(3), fresh: { version: "v2", pods: ["ready", "ready", "not-ready"] } },
    mutants: [
      {
        file: CHOICE,
        from: "if (unrest !== undefined)",
        to: "if (unrest !== undefined && before.length === 0)",
      },
    ],
  },
  "that is the last ready one, unless that is allowed": {
    world: atRest(1),
    mutants: [{ file: CHOICE, from: "if (left > 0)", to: "if (left >= 0)" }],
  },
  "that a disruption budget holds": {
    world: atRest(2),
    between: ({ server }) =>
      void server.put(
        { resource: "poddisruptionbudgets.policy", namespace: "shop", name: "web" },
        {
          metadata: { name: "web", generation: 1 },
          spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
          status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 },
        },
      ),
    words: ["--delete"],
    mutants: [
      { file: CHOICE, from: 'if (budget.kind === "refuses")', to: 'if (budget.kind === "unknown")' },
      { file: CHOICE, from: 'return by === "delete"', to: 'return by === "evict"' },
    ],
  },
};

const ran = async ({ world, words, between }: Law, mutant: readonly Mutant[] = []) => {
  const town = await drillTown(world);
  between?.(town);
  const own = words?.includes("--allow-namespace") === true;
  const given = own
    ? town.words().filter((word) => word !== "shop" && word !== "--allow-namespace")
    : town.words();
  const ended = await asfound(folder(), [...given, ...(words ?? []), "--window", "5s"], { mutant });
  return { town, ended };
};

describe("a drill never removes a Pod", () => {
  it.each(Object.entries(LAWS))("%s", async (_, law) => {
    const { town, ended } = await ran(law);
    expect([town.removed(), ended.exit], ended.err).toEqual([[], 23]);
  });
});

describe("mutant: caught, as a Pod is removed", () => {
  it.each(Object.entries(LAWS))("%s", async (_, law) => {
    const { town, ended } = await ran(law, law.mutants);
    expect(town.removed().length, `${ended.err}${ended.out}`).toBeGreaterThan(0);
  });
});

describe("control: what may be drilled is", () => {
  it("one Pod of two is replaced, once, and that is proven", async () => {
    const { town, ended } = await ran({ world: atRest(2), mutants: [] });
    expect(ended.exit, `${ended.err}${ended.out}`).toBe(0);
    expect(town.removed()).toHaveLength(1);
    expect(town.first).toEqual(expect.arrayContaining([...town.removed()]));
    expect(JSON.parse(ended.out)).toMatchObject({ kind: "DrillReport", verdict: { verdict: "proven" } });
  });
});
