import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type * as z from "zod";
import type { StackDefinition } from "./manifest/define-stack.ts";
import { stackJsonSchema, type stackSchema } from "./stack-schema.ts";

const published = readFileSync(new URL("../../schema/stack.json", import.meta.url), "utf8");

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
}

describe("the published schema", () => {
  it("is the one that checks the files (npm run schema writes it)", () => {
    expect(published).toBe(`${JSON.stringify(stackJsonSchema(), null, 2)}\n`);
  });

  it("describes every field of a step, for editors", () => {
    const schema = JSON.parse(published) as Node & { $schema: string };
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const steps = schema.properties?.["steps"]?.additionalProperties as Node;
    const undescribed = [
      ...Object.entries(schema.properties ?? {}),
      ...Object.entries(steps.properties ?? {}),
    ]
      .filter(([field, node]) => node.description === undefined && field !== "onChange")
      .map(([field]) => field);
    expect(undescribed).toEqual([]);
    expect(Object.keys(steps.properties ?? {})).toHaveLength(18);
  });

  it("the types for TypeScript stacks fit it", () => {
    expectTypeOf<StackDefinition["kind"]>().toEqualTypeOf<z.input<typeof stackSchema>["kind"]>();
    expectTypeOf<keyof StackDefinition["steps"][string]>().toEqualTypeOf<
      keyof z.input<typeof stackSchema>["steps"][string]
    >();
  });
});
