/**
 * Writes to a ledger until it is killed: `node writer.ts LEDGER STACK LANES MOST`. Each lane commits to a step of its own, all
 * at once, so that they share transactions and their rows are written late. Each commit that was acknowledged is a line `STEP NUMBER` on stdout.
 */
import { writeSync } from "node:fs";
import { stackName } from "../../../src/domain/ids.ts";
import { countUp } from "../../contract/store-increment.ts";
import { openStore } from "../../contract/store-sqlite-opener.ts";

const [ledger, stack, lanes, most] = process.argv.slice(2) as [string, string, string, string];
const store = await openStore(ledger);
const lane = async (step: string): Promise<void> => {
  // Synchronous: a line that is there was acknowledged before the process was stopped.
  for (let done = 0; done < Number(most); done += 1)
    writeSync(1, `${step} ${await store.commit(countUp(stackName(stack), step))}\n`);
};
await Promise.all(Array.from({ length: Number(lanes) }, (_, nth) => lane(`lane-${nth}`)));
// It waits for its end: who does not wait for the disk would soon have filled it.
await new Promise(() => setInterval(() => {}, 60_000));
