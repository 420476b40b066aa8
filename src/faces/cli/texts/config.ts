/** Words of the config verbs' pages. */
import type { ConfigTraceRow } from "../../../wire/api/config-trace.ts";

export const CONFIG = {
  untraceable: "Cannot be followed:",
  claims: "Judged:",
  source: {
    absent: "not there",
    "not-read": "not read",
  } satisfies Readonly<Record<Exclude<ConfigTraceRow["source"]["found"], "there">, string>>,
  written: (time: string | null, immutable: boolean): string =>
    `${time === null ? "there" : `not written after ${time}`}${immutable ? ", immutable" : ""}`,
  file: {
    "as-the-object": "as the object",
    "as-mounted": "as mounted at its start",
    "not-knowable": "not knowable",
  } satisfies Readonly<Record<NonNullable<ConfigTraceRow["file"]>, string>>,
  process: {
    fresh: "started with it",
    "will-change-on-restart": "started with another",
    propagating: "may not have read it",
    "not-knowable": "not knowable",
    "reference-missing": "not knowable",
  } satisfies Readonly<Record<ConfigTraceRow["state"], string>>,
  notStarted: "not started",
  verify: (command: string) => ({ command, why: "judges the whole rollout with it" }),
} as const;
