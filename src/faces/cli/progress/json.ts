/** One event a line, for programs: `{"elapsedMs":…,"kind":…,…}`, after a first line that names the stream. */
import { iso } from "../../../domain/ids.ts";
import type { Clock } from "../../../ports/clock.ts";
import { printableJson } from "../../../wire/redact/printable.ts";
import type { Sink } from "../context.ts";
import type { Progress } from "./progress.ts";

export const jsonProgress = (sink: Sink, clock: Clock): Progress => {
  const beganMs = clock.monotonicMs();
  const write = (value: object): void => sink.write(`${printableJson(JSON.stringify(value))}\n`);
  write({ apiVersion: "asfound.dev/v1alpha1", kind: "ProgressStream", version: 1 });
  return {
    report: (event) =>
      write({
        elapsedMs: Math.round(clock.monotonicMs() - beganMs),
        ...event,
        ...(event.kind === "looked" ? { at: iso(event.at) } : {}),
      }),
    stop: () => {},
  };
};
