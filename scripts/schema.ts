/**
 * Writes the published JSON Schemas of the files that people write from the schemas that check them. `npm run schema` after a
 * change; tests (src/wire/stack-schema.test.ts, test/faces/verify-file.test.ts, rules.test.ts, gate.test.ts) fail while a published one is stale. With
 * `--check` it writes nothing and exits 1 then.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gateJsonSchema } from "../src/wire/gate/schema.ts";
import { rulesJsonSchema } from "../src/wire/rules/schema.ts";
import { stackJsonSchema } from "../src/wire/stack-schema.ts";
import { verificationJsonSchema } from "../src/wire/verification/schema.ts";

const files = {
  "schema/stack.json": `${JSON.stringify(stackJsonSchema(), null, 2)}\n`,
  "schema/verification.json": verificationJsonSchema(),
  "schema/rules.json": rulesJsonSchema(),
  "schema/gate.json": gateJsonSchema(),
};

for (const [name, text] of Object.entries(files)) {
  const target = new URL(`../${name}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`${name} is stale; run npm run schema`);
    process.exitCode = 1;
  }
}
