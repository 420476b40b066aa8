/** `config trace -l, --all, -A -o json`: kind `ConfigTraceList`, a ConfigTrace for each workload. Pure; every field is always there. */
import type { JsonObject } from "../../domain/json.ts";
import { type ConfigTraceInput, configTraceBody } from "./config-trace.ts";
import { document } from "./document.ts";
import { targetIn, type VerdictListInput, verdictListBody } from "./verdict-list.ts";

/**
 * What the next start comes to: `breaks` it would not start; `changes` it is given another content or object than the running
 * one was; `follows` files are on their way; `same` it is given the same.
 */
export type Outlook = "breaks" | "changes" | "not-knowable" | "follows" | "same";

export interface ConfigOutlook {
  readonly outlook: Outlook;
  /** The running containers are fine, and the next one is not. */
  readonly isTimeBomb: boolean;
  /** How many references make it so, and of how many Pods; 0: its template does, or nothing was read. */
  readonly references: number;
  readonly pods: number;
  /** A sentence without its full stop, about the first of them. */
  readonly why: string;
}

export interface ConfigTraceListInput {
  /** Of the same workloads, in the same order. */
  readonly list: VerdictListInput;
  readonly items: readonly { readonly trace: ConfigTraceInput; readonly next: ConfigOutlook }[];
  readonly outlooks: Readonly<Record<Outlook, number>>;
  /** They take nothing from a ConfigMap or Secret, or run to an end and do not run now: not counted (V5). */
  readonly idle: readonly VerdictListInput["scaledToZero"][number][];
}

export const configTraceList = (given: ConfigTraceListInput): JsonObject =>
  document("ConfigTraceList", {
    ...verdictListBody(given.list),
    outlooks: { ...given.outlooks },
    items: given.items.map(configTraceItem),
    idle: given.idle.map(targetIn),
  });

/** One workload, as it also stands on a line of `-o jsonl`. */
export const configTraceItem = ({ trace, next }: ConfigTraceListInput["items"][number]): JsonObject => ({
  ...document("ConfigTrace", configTraceBody(trace)),
  next: {
    outlook: next.outlook,
    timeBomb: next.isTimeBomb,
    references: next.references,
    pods: next.pods,
    why: next.why,
  },
});
