/**
 * The order in which steps can run: what each needs, and what contains it. Everything here is linear in steps plus
 * needs and uses no recursion, so that a stack may be ten thousand steps wide or deep.
 */
import type { StepName } from "./ids.ts";

/** What the graph has to know of a step. `partOf` implies a need. */
export interface GraphNode {
  readonly needs: readonly StepName[];
  readonly partOf: StepName | null;
}

export type GraphFault =
  | {
      readonly kind: "unknown";
      readonly step: StepName;
      readonly needs: StepName;
      readonly as: "needs" | "partOf";
    }
  /** Each needs the next, the last the first. */
  | { readonly kind: "cycle"; readonly steps: readonly StepName[] };

export interface Graph {
  /** Every step after all that it needs; in the file's order wherever that order allows it. */
  readonly order: readonly StepName[];
  /** The length of the longest chain of needs below a step; 0 for one that needs nothing. */
  readonly depth: ReadonlyMap<StepName, number>;
  /** Who needs it directly, in the file's order. */
  readonly dependants: ReadonlyMap<StepName, readonly StepName[]>;
  /** What each step contains directly (`partOf`), in the file's order. */
  readonly contains: ReadonlyMap<StepName, readonly StepName[]>;
}

/** More cycles than this say nothing new. */
const MAX_CYCLES = 5;

/** The declared needs and the container, without doubles. */
export const allNeeds = (node: GraphNode): readonly StepName[] =>
  node.partOf === null ? [...new Set(node.needs)] : [...new Set([...node.needs, node.partOf])];

/** The graph, or every fault found in it: unknown names first, and cycles only when all names are known. */
export const graphOf = (
  nodes: ReadonlyMap<StepName, GraphNode>,
): { readonly graph: Graph } | { readonly faults: readonly GraphFault[] } => {
  const unknown = unknownNames(nodes);
  if (unknown.length > 0) return { faults: unknown };
  const needs = new Map([...nodes].map(([name, node]) => [name, allNeeds(node)] as const));
  const { order, cycles } = walk(needs);
  if (cycles.length > 0) return { faults: cycles };
  return {
    graph: {
      order,
      depth: depths(order, needs),
      dependants: dependantsOf(needs),
      contains: containsOf(nodes),
    },
  };
};

const unknownNames = (nodes: ReadonlyMap<StepName, GraphNode>): readonly GraphFault[] => {
  const faults: GraphFault[] = [];
  for (const [step, node] of nodes) {
    for (const needed of new Set(node.needs))
      if (!nodes.has(needed)) faults.push({ kind: "unknown", step, needs: needed, as: "needs" });
    if (node.partOf !== null && !nodes.has(node.partOf))
      faults.push({ kind: "unknown", step, needs: node.partOf, as: "partOf" });
  }
  return faults;
};

type Needs = ReadonlyMap<StepName, readonly StepName[]>;

/** Depth first from each step in the file's order: a step follows its needs, and nothing moves without a reason. */
const walk = (needs: Needs): { order: StepName[]; cycles: GraphFault[] } => {
  const order: StepName[] = [];
  const cycles: GraphFault[] = [];
  const mark = new Map<StepName, "open" | "done">();
  for (const root of needs.keys()) {
    if (mark.has(root)) continue;
    const path = [{ name: root, rest: iterate(needs, root) }];
    mark.set(root, "open");
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) {
        mark.set(top.name, "done");
        order.push(top.name);
        path.pop();
        continue;
      }
      const seen = mark.get(next.value);
      if (seen === undefined) {
        mark.set(next.value, "open");
        path.push({ name: next.value, rest: iterate(needs, next.value) });
      } else if (seen === "open" && cycles.length < MAX_CYCLES) {
        const names = path.map((entry) => entry.name);
        cycles.push({ kind: "cycle", steps: names.slice(names.indexOf(next.value)) });
      }
    }
  }
  return { order, cycles };
};

const iterate = (needs: Needs, name: StepName): Iterator<StepName, undefined> => {
  const list = needs.get(name);
  return (list === undefined ? [] : list)[Symbol.iterator]();
};

const depths = (order: readonly StepName[], needs: Needs): ReadonlyMap<StepName, number> => {
  const depth = new Map<StepName, number>();
  for (const name of order) {
    let deepest = -1;
    for (const needed of needs.get(name) as readonly StepName[])
      deepest = Math.max(deepest, depth.get(needed) as number);
    depth.set(name, deepest + 1);
  }
  return depth;
};

const dependantsOf = (needs: Needs): ReadonlyMap<StepName, readonly StepName[]> => {
  const dependants = new Map<StepName, StepName[]>([...needs.keys()].map((name) => [name, []]));
  for (const [name, list] of needs) for (const needed of list) dependants.get(needed)?.push(name);
  return dependants;
};

const containsOf = (nodes: ReadonlyMap<StepName, GraphNode>): ReadonlyMap<StepName, readonly StepName[]> => {
  const contains = new Map<StepName, StepName[]>([...nodes.keys()].map((name) => [name, []]));
  for (const [name, node] of nodes) if (node.partOf !== null) contains.get(node.partOf)?.push(name);
  return contains;
};

/**
 * The nearest container of a step that fits, undefined where none does. It remembers what it passed, so all steps of a
 * deep stack are asked for in linear time. Ends at an unknown name, and at a loop (which `graphOf` refuses).
 */
export const nearestContainer = (
  nodes: ReadonlyMap<StepName, Pick<GraphNode, "partOf">>,
  fits: (container: StepName) => boolean,
): ((step: StepName) => StepName | undefined) => {
  /** That step itself, where it fits, else its nearest container. */
  const known = new Map<StepName, StepName | undefined>();
  const around = (step: StepName): StepName | null => {
    const node = nodes.get(step);
    return node === undefined ? null : node.partOf;
  };
  return (step) => {
    const passed = new Set<StepName>();
    let found: StepName | undefined;
    for (let at = around(step); at !== null && !passed.has(at); at = around(at)) {
      found = known.get(at);
      if (known.has(at)) break;
      passed.add(at);
      found = fits(at) ? at : undefined;
      if (found !== undefined) break;
    }
    for (const name of passed) known.set(name, found);
    return found;
  };
};

/** Everything reached from `step` by `next`, however far, itself not included: all that it contains, or all dependants. */
export const reachedFrom = (
  next: ReadonlyMap<StepName, readonly StepName[]>,
  step: StepName,
): ReadonlySet<StepName> => {
  const reached = new Set<StepName>();
  const queue: StepName[] = [step];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const onward = next.get(at);
    if (onward === undefined) continue;
    for (const name of onward) {
      if (reached.has(name) || name === step) continue;
      reached.add(name);
      queue.push(name);
    }
  }
  return reached;
};

/** One sentence for a person. */
export const graphFaultText = (fault: GraphFault): string => {
  if (fault.kind === "unknown")
    return fault.as === "partOf"
      ? `there is no step ${fault.needs} that ${fault.step} could be part of`
      : `there is no step ${fault.needs}, which ${fault.step} needs`;
  const shown =
    fault.steps.length > 12 ? [...fault.steps.slice(0, 6), "…", ...fault.steps.slice(-5)] : fault.steps;
  const [first] = fault.steps;
  return fault.steps.length === 1
    ? `step ${first} needs itself`
    : `these steps need each other in a circle: ${shown.join(" → ")} → ${first}; remove one of these needs`;
};
