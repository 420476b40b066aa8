import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GraphNode, graphFaultText, graphOf, nearestContainer, reachedFrom } from "./graph.ts";
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

  describe("the nearest container that fits", () => {
    const nested = nodes({ a: {}, b: { partOf: "a" }, c: { partOf: "b" }, d: { partOf: "c" }, e: {} });

    it("is never the step itself, and the same whoever is asked for first", () => {
      const expected = { a: undefined, b: "a", c: "a", d: "c", e: undefined };
      for (const order of [
        ["a", "b", "c", "d", "e"],
        ["d", "c", "b", "a", "e"],
      ]) {
        const nearest = nearestContainer(nested, (name) => name === "a" || name === "c");
        expect(Object.fromEntries(order.map((name) => [name, nearest(stepName(name))]))).toEqual(expected);
      }
    });

    it("ends at an unknown name and in a circle", () => {
      const odd = nodes({ a: { partOf: "b" }, b: { partOf: "a" }, c: { partOf: "gone" } });
      expect(["a", "b", "c"].map((name) => nearestContainer(odd, () => false)(stepName(name)))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(nearestContainer(odd, (name) => name === "a")(stepName("a"))).toBe("a");
    });

    it("looks at each container of a chain of 2,000 once, from either end", () => {
      const chain = Array.from({ length: 2_000 }, (_, at) => `s${at}`);
      const deep = nodes(
        Object.fromEntries(chain.map((name, at) => [name, at === 0 ? {} : { partOf: `s${at - 1}` }])),
      );
      for (const order of [chain, chain.toReversed()]) {
        let looked = 0;
        const nearest = nearestContainer(deep, () => {
          looked += 1;
          return false;
        });
        for (const name of order) nearest(stepName(name));
        expect(looked).toBe(1_999);
      }
    });
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
