import { expect, it } from "vitest";
import { selects, serviceSelects } from "./selector.ts";

const labels = new Map([
  ["app", "web"],
  ["tier", "front"],
]);

it.each([
  [{ matchLabels: { app: "web" } }, true],
  [{ matchLabels: { app: "db" } }, false],
  [
    {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "tier", operator: "In", values: ["front", "back"] }],
    },
    true,
  ],
  [{ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["front"] }] }, false],
  [{ matchExpressions: [{ key: "zone", operator: "NotIn", values: ["a"] }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
  [{ matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
  [{ matchExpressions: [{ key: "app", operator: "Near" }] }, undefined],
  [{ matchExpressions: [7] }, undefined],
  [{}, false],
])("%j", (selector, wanted) => expect(selects(selector as never, labels)).toBe(wanted));

it("a Service without a selector selects nothing", () => {
  expect(serviceSelects(new Map(), labels)).toBe(false);
  expect(serviceSelects(new Map([["app", "web"]]), labels)).toBe(true);
  expect(
    serviceSelects(
      new Map([
        ["app", "web"],
        ["tier", "back"],
      ]),
      labels,
    ),
  ).toBe(false);
});
