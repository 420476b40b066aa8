/** What Secrets among a step's own objects hold is in no sentence of ours, whatever a server or a webhook says of them (E5). */
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { Scrubber } from "../../wire/redact.ts";

export type Cleaner = (text: string) => string;

export const cleanerOf = (objects: readonly JsonObject[]): Cleaner => {
  const scrubber = new Scrubber();
  for (const { kind, data, stringData } of objects) {
    if (kind !== "Secret") continue;
    if (isJsonObject(stringData)) scrubber.add(stringData);
    if (!isJsonObject(data)) continue;
    scrubber.add(data);
    for (const encoded of Object.values(data))
      if (typeof encoded === "string") scrubber.add(Buffer.from(encoded, "base64").toString("utf8"));
  }
  return (text) => scrubber.text(text);
};

export const cleaned = (outcome: Outcome, clean: Cleaner): Outcome =>
  outcome.kind === "done" ? outcome : { ...outcome, reason: clean(outcome.reason) };
