/**
 * A recorder's writer as a process of its own: appends `read` records, the n-th dated n seconds after the beginning, and
 * prints each number when it is durable. Ends when a record cannot be kept, and says why.
 */
import { systemClock } from "../../src/adapters/system/clock.ts";
import { openHeldWriter } from "../../src/adapters/system/held/writer.ts";
import { systemHost } from "../../src/adapters/system/host.ts";
import { HeldFault } from "../../src/ports/held-records.ts";
import { began, read, second, version } from "../support/held.ts";

const [folder = "", maxBytes = "1048576", perBatch = "1"] = process.argv.slice(2);
const opened = await openHeldWriter({
  folder,
  host: systemHost({ clock: systemClock }),
  clock: systemClock,
  actor: "child",
  keepMs: 30 * 24 * 3_600_000,
  maxBytes: Number(maxBytes),
  stop: new AbortController().signal,
  note: (text) => process.stdout.write(`note ${text}\n`),
});
if (opened.kind !== "opened") {
  process.stdout.write(`${opened.kind} ${opened.why}\n`);
  process.exit(1);
}
const whole = () => [began(0), version(1, 1)];
try {
  for (let number = 2; ; number += Number(perBatch)) {
    const batch = Array.from({ length: Number(perBatch) }, (_, more) => read(number + more));
    await opened.writer.append(batch, second(number), whole);
    process.stdout.write(`kept ${number + Number(perBatch) - 1}\n`);
  }
} catch (error) {
  if (!(error instanceof HeldFault)) throw error;
  process.stdout.write(`fault ${error.message}\n`);
  process.exit(22);
}
