/** watch: records from when to when which config was there. Reads only. */
import type { HeldRecord } from "../../../domain/held-record.ts";
import { heldRecording, heldRecordLine, heldRecordStream } from "../../../wire/api/held-recording.ts";
import { printableJson } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RecordingFlags } from "../flags-config.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { VERDICT } from "../texts/verdict.ts";
import { WATCH } from "../texts/watch.ts";
import { Usage } from "../usage.ts";
import { askingCluster } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = RecordingFlags & PrintFlags & Everywhere;

export async function watch(this: Cli, flags: Flags): Promise<void> {
  if (flags.allNamespaces && flags.namespace !== undefined) throw new Usage(VERDICT.twoPlaces);
  const { recordLive } = await import("../../../compose/recorder.ts");
  const isStream = flags.output === "jsonl";
  const line = (value: Parameters<typeof JSON.stringify>[0]): void =>
    this.terminal.out.write(`${printableJson(JSON.stringify(value))}\n`);
  if (isStream) line(heldRecordStream);
  const recorded = await askingCluster(this, flags, (live) =>
    recordLive(live, {
      folder: flags.to,
      everywhere: flags.allNamespaces,
      selector: flags.selector === undefined ? null : flags.selector.text,
      kinds: flags.secrets ? ["ConfigMap", "Secret"] : ["ConfigMap"],
      forMs: flags.for ?? null,
      keepMs: flags.keep,
      maxBytes: flags.maxSize,
      told: (record: HeldRecord) => (isStream ? line(heldRecordLine(record)) : undefined),
    }),
  );
  if ("kind" in recorded) return void (await refuse(this, recorded));
  if (!isStream)
    await print(this, flags, {
      page: () => [recorded.statement, ...WATCH.next(flags.to)],
      json: () => heldRecording(recorded, flags.to),
    });
  this.exit(recorded.exit);
}
