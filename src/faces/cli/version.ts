/** The version of this package, as its package.json has it. */
import { createRequire } from "node:module";

const read = createRequire(import.meta.url);
export const VERSION: string = (read("../../../package.json") as { version: string }).version;
