import { describe, expect, it } from "vitest";
import { sameTemplate } from "./template.ts";

const of = (labels: Record<string, string>, spec: Record<string, never> | object = {}) => ({
  metadata: { labels },
  spec: spec as never,
});

describe("two templates are one", () => {
  it("whatever their pod-template-hash, and however their keys are ordered", () => {
    expect(
      sameTemplate(of({ app: "a", "pod-template-hash": "1" }), of({ "pod-template-hash": "2", app: "a" })),
    ).toBe(true);
    expect(sameTemplate(of({ app: "a" }), of({ app: "a", "pod-template-hash": "2" }))).toBe(true);
  });
  it("where one leaves out what is null or an empty list in the other, as Go reads them", () => {
    expect(sameTemplate(of({ app: "a" }, { a: null, b: [] }), of({ app: "a" }, {}))).toBe(true);
  });
});

describe("two templates are not one", () => {
  it.each([
    ["another label", of({ app: "a" }), of({ app: "b" })],
    ["a label more", of({ app: "a" }), of({ app: "a", tier: "x" })],
    [
      "an empty object, which is a pointer to a struct",
      of({ app: "a" }, { securityContext: {} }),
      of({ app: "a" }, {}),
    ],
    ["another order of a list", of({ app: "a" }, { c: [1, 2] }), of({ app: "a" }, { c: [2, 1] })],
    ["a number and its text", of({ app: "a" }, { port: 80 }), of({ app: "a" }, { port: "80" })],
    ["a member of a prototype", of({ app: "a" }, { toString: 1 }), of({ app: "a" }, {})],
  ])("%s", (_, a, b) => expect(sameTemplate(a, b)).toBe(false));
});
