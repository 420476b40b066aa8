/** The published schemas are those of the code. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { API_SCHEMAS, apiSchemaText } from "./schemas.ts";

const folder = new URL("../../../schema/", import.meta.url);

it.each(Object.keys(API_SCHEMAS))("schema/%s.json is up to date (node scripts/api-schema.ts)", (name) => {
  expect(readFileSync(new URL(`${name}.json`, folder), "utf8")).toBe(apiSchemaText(name));
});

it("no schema is published that nothing stands behind", () => {
  const published = readdirSync(folder).filter(
    (file) => !["gate.json", "rules.json", "stack.json", "verification.json"].includes(file),
  );
  expect(published.sort()).toEqual(
    Object.keys(API_SCHEMAS)
      .map((name) => `${name}.json`)
      .sort(),
  );
});
