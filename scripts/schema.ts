/**
 * Writes the published JSON Schemas from the schemas that check the files. `npm run schema` after a change; a test
 * (src/wire/stack-schema.test.ts) fails while a published one is stale. With `--check` it writes nothing and exits 1 then.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { stackJsonSchema } from "../src/wire/stack-schema.ts";

const target = new URL("../schema/stack.json", import.meta.url);
const text = `${JSON.stringify(stackJsonSchema(), null, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("schema/stack.json is stale; run npm run schema");
  process.exitCode = 1;
}
