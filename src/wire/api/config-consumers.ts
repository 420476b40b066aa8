/** `config trace configmap/NAME -o json`: kind `ConfigConsumers`: whoever takes something from one object. Pure; every field is always there. */
import type { ConfigKind, ConfigReference } from "../../domain/config.ts";
import type { JsonObject } from "../../domain/json.ts";
import { type ConfigTraceRow, configReference } from "./config-trace.ts";
import { document, time } from "./document.ts";
import { targetIn, type VerdictListInput } from "./verdict-list.ts";

type Target = VerdictListInput["scaledToZero"][number];

export interface ConfigConsumersInput {
  readonly object: {
    readonly kind: ConfigKind;
    readonly namespace: string;
    readonly name: string;
    readonly found: ConfigTraceRow["source"]["found"];
    readonly uid: string | null;
    readonly resourceVersion: string | null;
    readonly immutable: boolean;
    /** Of its keys as files (C3); null: it was not read, or is a Secret. */
    readonly sha256: string | null;
  };
  readonly verdict: string;
  readonly window: { readonly from: number; readonly to: number };
  /** The worst first. */
  readonly consumers: readonly ConfigConsumer[];
  /** ReplicaSets of earlier templates that name it: a rollback to one of them needs it. */
  readonly kept: readonly {
    readonly name: string;
    readonly uid: string | null;
    readonly owner: string;
    readonly revision: string | null;
  }[];
  readonly statement: string;
  /** What could not be read, each a sentence: it leaves the verdict open. */
  readonly unread: readonly string[];
  readonly trust: { readonly tier: string; readonly limits: readonly string[] };
  readonly exit: number;
}

export interface ConfigConsumer {
  readonly target: Target;
  /** Of running containers. */
  readonly rows: readonly ConfigTraceRow[];
  /** Of its template: what the next Pod takes. */
  readonly template: readonly ConfigReference[];
}

export const configConsumers = (given: ConfigConsumersInput): JsonObject =>
  document("ConfigConsumers", {
    object: { ...given.object },
    verdict: given.verdict,
    window: { from: time(given.window.from), to: time(given.window.to) },
    consumers: given.consumers.map(configConsumer),
    kept: given.kept.map((one) => ({ ...one })),
    statement: given.statement,
    unread: [...given.unread],
    trust: { tier: given.trust.tier, limits: [...given.trust.limits] },
    exit: given.exit,
  });

/** One workload, as it also stands on a line of `-o jsonl`. */
export const configConsumer = ({ target, rows, template }: ConfigConsumer): JsonObject => ({
  target: targetIn(target),
  references: rows.map(configReference),
  template: template.map(({ container, role, keys, delivery, as, inArguments, optional }) => ({
    container,
    role,
    keys: keys === null ? null : [...keys],
    delivery,
    as,
    inArguments,
    optional,
  })),
});
