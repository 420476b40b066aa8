import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containersOf, type GraphNode, graphFaultText, graphOf, reachedFrom } from "./graph.ts";
import { type StepName, stepName } from "./ids.ts";

const nodes = (spec: Record<string, { needs?: string[]; partOf?: string }>): Map<StepName, GraphNode> =>
  new Map(
    Object.entries(spec).map(([name, { needs, partOf }]) => [
      stepName(name),
      { needs: (needs ?? []).map(stepName), partOf: partOf === undefined ? null : stepName(partOf) },
    ]),
  );

const graph = (spec: Parameters<typeof nodes>[0]) => {
  const built = graphOf(nodes(spec));
  if ("faults" in built) throw new Error(built.faults.map(graphFaultText).join("; "));
  return built.graph;
};

const faults = (spec: Parameters<typeof nodes>[0]): string[] => {
  const built = graphOf(nodes(spec));
  return "faults" in built ? built.faults.map(graphFaultText) : [];
};

describe("the order of steps", () => {
  it("keeps the file's order where it can, and puts needs first where it must", () => {
    expect(graph({ b: {}, a: {}, c: { needs: ["a"] } }).order).toEqual(["b", "a", "c"]);
    expect(graph({ c: { needs: ["a"] }, b: {}, a: {} }).order).toEqual(["a", "c", "b"]);
  });

  it("knows depth, dependants and what contains what", () => {
    const built = graph({
      a: {},
      b: { needs: ["a"] },
      c: { needs: ["a", "b"], partOf: "b" },
      d: { partOf: "c" },
    });
    expect([...built.depth]).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
      ["d", 3],
    ]);
    expect(built.dependants.get(stepName("a"))).toEqual(["b", "c"]);
    expect(built.dependants.get(stepName("c"))).toEqual(["d"]);
    expect(built.contains.get(stepName("b"))).toEqual(["c"]);
    expect([...reachedFrom(built.contains, stepName("b"))]).toEqual(["c", "d"]);
    expect(containersOf(nodes({ b: {}, c: { partOf: "b" }, d: { partOf: "c" } }), stepName("d"))).toEqual([
      "c",
      "b",
    ]);
  });

  it("names an unknown step, as need and as container", () => {
    expect(faults({ a: { needs: ["zz"] }, b: { partOf: "yy" } })).toEqual([
      "there is no step zz, which a needs",
      "there is no step yy that b could be part of",
    ]);
  });

  it("names a circle in order, also one through partOf, and a step that needs itself", () => {
    expect(faults({ a: { needs: ["b"] }, b: { needs: ["c"] }, c: { partOf: "a" } })).toEqual([
      "these steps need each other in a circle: a → b → c → a; remove one of these needs",
    ]);
    expect(faults({ a: {}, b: { needs: ["a", "b"] } })).toEqual(["step b needs itself"]);
    expect(faults({ x: { needs: ["a"] }, a: { needs: ["b"] }, b: { needs: ["a"] } })).toEqual([
      "these steps need each other in a circle: a → b → a; remove one of these needs",
    ]);
  });

  it("finds several circles at once", () => {
    expect(faults({ a: { needs: ["a"] }, b: { needs: ["b"] } })).toHaveLength(2);
  });

  it("a circle of containers ends", () => {
    expect(containersOf(nodes({ a: { partOf: "b" }, b: { partOf: "a" } }), stepName("a"))).toEqual([
      "b",
      "a",
    ]);
  });

  it("takes 10,000 steps, in one chain written backwards, and side by side", () => {
    const size = 10_000;
    const chain = Object.fromEntries(
      Array.from({ length: size }, (_, i) => [`s${i}`, i + 1 < size ? { needs: [`s${i + 1}`] } : {}]),
    );
    expect(graph(chain).order[0]).toBe(`s${size - 1}`);
    expect(graph(chain).depth.get(stepName("s0"))).toBe(size - 1);
    const wide = Object.fromEntries([
      ["root", {}],
      ...Array.from({ length: size }, (_, i) => [`w${i}`, { needs: ["root"] }]),
    ]);
    expect(graph(wide).dependants.get(stepName("root"))).toHaveLength(size);
    const circle = { ...chain, [`s${size - 1}`]: { needs: ["s0"] } };
    const [said] = faults(circle);
    expect(said).toContain("s0 → s1 →");
    expect(said?.length).toBeLessThan(200);
  });

  it("any graph whose needs point backwards in some order is sorted, and every need comes first", () => {
    const dag = fc
      .array(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
      .chain((lists) =>
        fc.tuple(fc.constant(lists), fc.shuffledSubarray([...lists.keys()], { minLength: lists.length })),
      );
    fc.assert(
      fc.property(dag, ([lists, fileOrder]) => {
        const spec = Object.fromEntries(
          fileOrder.map((i) => [
            `n${i}`,
            { needs: (lists[i] ?? []).filter((j) => j < i).map((j) => `n${j}`) },
          ]),
        );
        const { order, depth } = graph(spec);
        expect([...order].sort()).toEqual(Object.keys(spec).sort());
        for (const [name, node] of nodes(spec))
          for (const needed of node.needs) {
            expect(order.indexOf(needed)).toBeLessThan(order.indexOf(name));
            expect(depth.get(needed)).toBeLessThan(depth.get(name) ?? -1);
          }
      }),
    );
  });
});
