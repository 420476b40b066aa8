/**
 * A process of its own that writes to the ledger: `node store-child.ts OPENER TARGET STACK STEP COUNT [late]`.
 * OPENER is a module whose `openStore(target)` opens it. Each commit adds one to the step's `attempts` and one record;
 * each acknowledged one is a line with the number on stdout, each refused one the line `fault CODE MAYBE`.
 * COUNT 0 goes on until it is killed. `late`: with states whose rows may be written late (`countUp`).
 */
import { writeSync } from "node:fs";
import { stackName } from "../../src/domain/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { StoreFault } from "../../src/ports/store.ts";
import { countUp, increment } from "./store-increment.ts";

const [, , opener, target, stack, step, count, late] = process.argv as string[];
const next = late === undefined ? increment : countUp;
const { openStore } = (await import(opener as string)) as { openStore(target: string): Promise<Store> };
const store = await openStore(target as string);
for (let done = 0; count === "0" || done < Number(count); done += 1) {
  // Synchronous: what the reader of this pipe has seen was acknowledged, and the other way round.
  try {
    writeSync(1, `${await store.commit(next(stackName(stack as string), step as string))}\n`);
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error;
    writeSync(1, `fault ${error.code} ${error.maybe}\n`);
  }
}
await store.close();
