/** Words of the config verbs' pages. */

import type { ConfigTraceRow } from "../../../wire/api/config-trace.ts";
import type { Outlook } from "../../../wire/api/config-trace-list.ts";

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
    stale: "started with another",
    "will-change-on-restart": "started with another",
    propagating: "may not have read it",
    "not-knowable": "not knowable",
    "reference-missing": "not knowable",
  } satisfies Readonly<Record<ConfigTraceRow["state"], string>>,
  notStarted: "not started",
  noSelection:
    "say what to trace: KIND/NAME, as in deployment/web; or -l SELECTOR, --all or -A, with kinds or without",
  workloads: (count: number) => `${count} ${count === 1 ? "workload" : "workloads"}`,
  outlook: {
    breaks: "Would break on a restart:",
    changes: "A restart would give them other config than they run with:",
    "not-knowable": "Not knowable:",
    follows: "Files are on their way:",
    same: "Given what is there now:",
  } satisfies Readonly<Record<Outlook, string>>,
  moreSame: (count: number) => `${count} ${count === 1 ? "workload" : "workloads"} (-o wide names them)`,
  timeBomb: (why: string) => `time bomb: ${why}`,
  references: (references: number, pods: number) =>
    references === 0 ? "its template" : `${references} in ${pods} ${pods === 1 ? "Pod" : "Pods"}`,
  idle: "Take nothing from a ConfigMap or Secret, or run nothing now; not counted:",
  moreIdle: (count: number) => `${count} (-o wide names them)`,
  each: (command: string) => ({ command, why: "tells it reference by reference" }),
  noRestart: {
    command: "restarting them",
    why: "what would break does not start again, and the others would run with config that they have not run with before",
  },
  verify: (command: string) => ({ command, why: "judges the whole rollout with it" }),
} as const;
