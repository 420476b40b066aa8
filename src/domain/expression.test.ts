import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atPath, type Look, referencesIn, resolve, substituteVars } from "./expression.ts";
import { stepName } from "./ids.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import { escapeText, type Piece, type Reference, readText, writeReference, writeText } from "./reference.ts";

const D = "$";
const ref = (inside: string): string => `${D}{${inside}}`;

const read = (text: string): readonly Piece[] => {
  const pieces = readText(text);
  if ("fault" in pieces) throw new Error(pieces.fault);
  return pieces;
};

describe("references as written", () => {
  it("knows the four kinds", () => {
    expect(read(`a${ref("steps.net.outputs.ids.0.x-y")}b${ref("secret.env.TOKEN")}`)).toEqual([
      "a",
      { kind: "output", step: "net", path: ["ids", "0", "x-y"] },
      "b",
      { kind: "env", name: "TOKEN" },
    ]);
    expect(read(ref("secret.file./run/secrets/a.b.txt"))).toEqual([
      { kind: "file", path: "/run/secrets/a.b.txt" },
    ]);
    expect(read(ref("var.region"))).toEqual([{ kind: "var", name: "region" }]);
  });

  it("two dollars before a brace are a literal, three a dollar and a reference", () => {
    expect(read(`${D}${ref("HOME")}`)).toEqual([ref("HOME")]);
    expect(read(`${D}${D}${ref("var.a")}`)).toEqual([D, { kind: "var", name: "a" }]);
    expect(read(`${D}HOME ${D}${D} ${D}`)).toEqual([`${D}HOME ${D}${D} ${D}`]);
  });

  it.each([
    ["HOME"],
    [""],
    ["steps.a"],
    ["steps.a.outputs"],
    ["steps.a.outputs."],
    ["steps.a.output.x"],
    ["steps.~x.outputs.y"],
    ["steps.a.outputs. x"],
    ["secret.env.A-B"],
    ["secret.env."],
    ["secret.file."],
    ["secret.vault.x"],
    ["var"],
    ["var.a.b"],
    [" var.a"],
    [`secret.file.${D}{x`],
  ])("refuses a malformed %j, and says what would do", (inside) => {
    const pieces = readText(ref(inside));
    expect("fault" in pieces && pieces.fault).toContain("references are");
  });

  it("refuses one that is not closed", () => {
    expect("fault" in readText(`x ${D}{var.a`)).toBe(true);
  });

  it("any text, and any pieces, survive writing and reading", () => {
    const text = fc.string({ unit: fc.constantFrom(D, "{", "}", "a", ".", "var.x") });
    fc.assert(
      fc.property(text, (literal) => {
        expect(read(escapeText(literal)).join("")).toBe(literal);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(text, arbitraryReference)), (pieces) => {
        expect(read(writeText(pieces))).toEqual(joined(pieces));
      }),
    );
  });
});

const arbitraryReference: fc.Arbitrary<Reference> = fc.oneof(
  fc
    .constantFrom("a", "b-1")
    .map((name) => ({ kind: "output" as const, step: stepName(name), path: ["x", "0"] })),
  fc.constantFrom("A", "_B9").map((name) => ({ kind: "env" as const, name })),
  fc.constantFrom("p", "../q r", `${D}x`).map((path) => ({ kind: "file" as const, path })),
);

const joined = (pieces: readonly Piece[]): Piece[] => {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (piece === "") continue;
    if (typeof piece === "string" && typeof last === "string") out[out.length - 1] = last + piece;
    else out.push(piece);
  }
  return out;
};

describe("finding", () => {
  it("says where each is, in order, and every fault at once", () => {
    const found = referencesIn({
      a: [1, ref("var.x")],
      b: { c: ref("secret.env.Y") },
      d: ref("zz"),
      [ref("var.k")]: 1,
    });
    expect(found.references.map((entry) => entry.path)).toEqual([
      ["a", 1],
      ["b", "c"],
    ]);
    expect(found.faults.map((fault) => fault.path)).toEqual([[ref("var.k")], ["d"]]);
  });

  it("refuses a value nested too deep instead of overflowing", () => {
    let deep: JsonValue = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(referencesIn({ deep }).faults[0]?.message).toContain("nested deeper");
    const looked = resolve({ a: ref("steps.a.outputs.x") }, () => ({ value: deep, secret: false }));
    expect("faults" in looked).toBe(true);
  });
});

describe("variables", () => {
  it("are replaced, are text, and are literal whatever they hold", () => {
    const vars = new Map([
      ["a", `x${ref("secret.env.T")}${D}`],
      ["n", "3"],
    ]);
    const done = substituteVars(
      { s: `<${ref("var.a")}${ref("secret.env.Q")}>`, n: ref("var.n"), o: ref("steps.s.outputs.k") },
      vars,
    );
    if ("faults" in done) throw new Error("faults");
    expect(done.value["n"]).toBe("3");
    expect(done.value["o"]).toBe(ref("steps.s.outputs.k"));
    expect(read(String(done.value["s"]))).toEqual([
      `<x${ref("secret.env.T")}${D}`,
      { kind: "env", name: "Q" },
      ">",
    ]);
    expect([...done.used]).toEqual(["a", "n"]);
  });

  it("without a value are faults that name --var", () => {
    const done = substituteVars({ l: [ref("var.zone")] }, new Map());
    expect(done).toEqual({
      faults: [{ path: ["l", 0], message: "the variable zone has no value; give it with --var zone=VALUE" }],
    });
  });
});

const world: Record<string, { value: JsonValue; secret: boolean }> = {
  [ref("steps.a.outputs.x.0")]: { value: { k: `${D}{lit} ${D}${D}{`, list: [1, null, "t"] }, secret: false },
  [ref("steps.b-1.outputs.x.0")]: { value: "", secret: false },
  [ref("secret.env.A")]: { value: "hunter2", secret: true },
  [ref("secret.env._B9")]: { value: 42, secret: true },
  [ref("secret.file.p")]: { value: { user: "u", pass: "s3cret" }, secret: true },
  [ref("secret.file.../q r")]: { value: D, secret: false },
  [ref(`secret.file.${D}x`)]: { value: `a${D}`, secret: false },
};
const look: Look = (reference) =>
  world[writeReference(reference)] ?? { fault: `no ${writeReference(reference)}` };

describe("resolving", () => {
  it("a whole reference keeps its type, one among text becomes text", () => {
    const done = resolve(
      { w: ref("secret.env._B9"), t: `n=${ref("secret.env._B9")}`, o: ref("steps.a.outputs.x.0") },
      look,
    );
    expect(done).toMatchObject({
      resolved: { w: 42, t: "n=42", o: { k: `${D}{lit} ${D}${D}{`, list: [1, null, "t"] } },
      secretValues: ["42"],
      secretPaths: ["/w", "/t"],
    });
  });

  it("E5: what may be stored holds the reference, never the value; the rest is resolved", () => {
    const done = resolve(
      { "a/b~": [`x${ref("secret.env.A")}${ref("secret.file.../q r")}`], o: ref("secret.file.p") },
      look,
    );
    if ("faults" in done) throw new Error("faults");
    expect(done.resolved).toEqual({ "a/b~": [`xhunter2${D}`], o: { user: "u", pass: "s3cret" } });
    expect(done.kept).toEqual({ "a/b~": [`x${ref("secret.env.A")}${D}`], o: ref("secret.file.p") });
    expect(done.secretValues).toEqual(["hunter2", "s3cret", "u"].sort());
    expect(done.secretPaths).toEqual(["/a~1b~0/0", "/o"]);
  });

  it("collects every fault, with its place", () => {
    const done = resolve({ a: ref("var.q"), b: [`x${ref("secret.file.p")}`] }, look);
    expect("faults" in done && done.faults.map((fault) => [fault.path, fault.message])).toEqual([
      [["a"], `no ${ref("var.q")}`],
      [
        ["b", 0],
        `${ref("secret.file.p")} is an object, and only text, a number or true/false can stand inside other text`,
      ],
    ]);
  });

  it("keeps a key called __proto__ an ordinary key", () => {
    const written = JSON.parse(`{"__proto__":{"x":"${ref("secret.env.A")}"}}`) as JsonObject;
    const done = resolve(written, look);
    expect("resolved" in done && JSON.stringify(done.resolved)).toBe('{"__proto__":{"x":"hunter2"}}');
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  const scalarText = fc
    .array(
      fc.oneof(
        fc.constantFrom(D, "{", "a", ""),
        arbitraryReference.filter((r) => typeof look(r) === "object"),
      ),
      { maxLength: 5 },
    )
    .map(writeText);
  const written = fc.dictionary(
    fc.constantFrom("a", "b", "c/d", "1"),
    fc.oneof(
      scalarText,
      fc.array(scalarText, { maxLength: 3 }),
      fc.record({ x: scalarText, n: fc.integer() }),
    ),
  );

  it("resolving what was kept gives the same again, and is kept the same again", () => {
    let resolvedOnes = 0;
    fc.assert(
      fc.property(written, (value) => {
        const once = resolve(value, look);
        if ("faults" in once) return;
        resolvedOnes += 1;
        const again = resolve(once.kept, look);
        expect(again).toEqual(once);
        for (const secret of ["hunter2", "s3cret"]) expect(JSON.stringify(once.kept)).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
    expect(resolvedOnes).toBeGreaterThan(100);
  });

  it("control: an empty neighbour of a number does not turn the kept text into a number", () => {
    const done = resolve({ t: `${ref("steps.b-1.outputs.x.0")}${ref("secret.env._B9")}` }, look);
    if ("faults" in done) throw new Error("faults");
    expect(done.resolved).toEqual({ t: "42" });
    expect(resolve(done.kept, look)).toMatchObject({ resolved: { t: "42" } });
  });
});

describe("paths into outputs", () => {
  it("reach keys and indexes, and nothing inherited", () => {
    const outputs = { a: { "0": "k" }, l: [{ x: 1 }] };
    expect(atPath(outputs, ["l", "0", "x"])).toBe(1);
    expect(atPath(outputs, ["a", "0"])).toBe("k");
    expect(
      [["l", "1"], ["l", "-1"], ["l", "length"], ["constructor"], ["a", "0", "0"], ["z"]].map((path) =>
        atPath(outputs, path),
      ),
    ).toEqual(Array.from({ length: 6 }));
  });
});
