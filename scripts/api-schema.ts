/**
 * Writes schema/*.json, the published schemas of what asfound prints, from `src/wire/api/schemas.ts`. Run it after a
 * change there; `src/wire/api/schemas.test.ts` fails while one of them is stale.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { API_SCHEMAS, apiSchemaText } from "../src/wire/api/schemas.ts";

const folder = new URL("../schema/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(API_SCHEMAS))
  writeFileSync(new URL(`${name}.json`, folder), apiSchemaText(name));
