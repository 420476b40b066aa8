/**
 * config trace configmap/NAME: who takes something from one object, and in which state each is; so whom an edit of it, or a
 * rollback to it, touches. Pure.
 *
 * Laws: that nobody names it is said only over lists that were answered, and with what was looked at (V5, R2); it proves
 * nothing about a process, so the exit is that of an empty sweep.
 */
import type { ConfigKind } from "../domain/config.ts";
import type { Seen } from "../domain/evidence.ts";
import type { ExitCode } from "../domain/exit.ts";
import type { Judgement } from "../domain/finding.ts";
import type { Known } from "../domain/known.ts";
import type { SweepQuestion } from "../domain/question.ts";
import { RESOURCES } from "../domain/resource.ts";
import { EXIT_OF_VERDICT } from "../domain/verdict.ts";
import { Collection } from "../judge/collection.ts";
import { keptNamings, namingOf } from "../judge/config/named-by.ts";
import { FLAG, hint, TEXT } from "../judge/read.ts";
import { counted, listed, nameOf } from "../judge/words.ts";
import type { ConfigConsumer, ConfigConsumersInput } from "../wire/api/config-consumers.ts";
import type { Outlook } from "../wire/api/config-trace-list.ts";
import { OUTLOOK_OF } from "./config-outlook.ts";
import { foundOf, sha256Of } from "./config-source.ts";
import { type ConfigTrace, configTraceIn, STATES } from "./config-trace.ts";
import { traceSweepQuestion } from "./config-trace-sweep.ts";
import { type SweepEvidence, sweepBy } from "./sweep.ts";

export interface ConfigConsumers extends ConfigConsumersInput {
  readonly verdict: Judgement;
  readonly exit: ExitCode;
}

export interface ConfigNamed {
  readonly kind: ConfigKind;
  readonly namespace: string;
  readonly name: string;
}

/** Everything of its namespace that runs Pods. */
export const consumersQuestion = (
  { namespace }: Pick<ConfigNamed, "namespace">,
  secrets = false,
): SweepQuestion => traceSweepQuestion({ kinds: null, namespace, selector: null, secrets });

export const configConsumersOf = (evidence: SweepEvidence, named: ConfigNamed): ConfigConsumers => {
  const traces: ConfigTrace[] = [];
  const { list } = sweepBy(
    {
      report: (collection, collected, its) => {
        const trace = configTraceIn(collection, collected, its);
        traces.push(trace);
        return trace.report;
      },
      place: () => "counted",
    },
    evidence,
    consumersQuestion(named),
  );
  const { collected } = evidence;
  const collection = new Collection(collected.evidence);
  const object = collection.object(RESOURCES[named.kind], named.namespace, named.name);
  const unread = [...list.unread];
  const consumers = traces.flatMap((trace): readonly ConfigConsumer[] => {
    const { report, rows } = trace;
    if (report.subject === null) {
      unread.push(report.statement);
      return [];
    }
    const { references, faults } = namingOf(report.subject, named);
    unread.push(...faults.map((fault) => `${fault} cannot be read`));
    const its = rows.filter(({ kind, name }) => kind === named.kind && name === named.name);
    return its.length + references.length === 0
      ? []
      : [{ target: report.target, rows: its, template: references }];
  });
  const kept = keptNamings(collection, named.namespace, named);
  const verdict = verdictOf(consumers, object, unread);
  return {
    object: { ...named, ...objectOf(object, named.kind) },
    verdict,
    window: { from: collected.from, to: collected.to },
    consumers: [...consumers].sort(byState),
    kept: kept.map(({ template, owner, revision }) => ({
      name: template.name,
      uid: template.uid,
      owner,
      revision,
    })),
    statement: statementOf(named, object, consumers, kept.length),
    unread,
    trust: { tier: "T0", limits: [...collected.evidence.limits, ...limitsOf(named.kind)] },
    exit: EXIT_OF_VERDICT[verdict],
  };
};

const objectOf = (
  source: Known<Seen>,
  kind: ConfigKind,
): Pick<ConfigConsumersInput["object"], "found" | "uid" | "resourceVersion" | "immutable" | "sha256"> => {
  const found = foundOf(source);
  if (source.kind !== "known")
    return { found, uid: null, resourceVersion: null, immutable: false, sha256: null };
  const { uid, raw } = source.value;
  return {
    found,
    uid,
    resourceVersion: hint(raw, ["metadata", "resourceVersion"], TEXT) ?? null,
    immutable: hint(raw, ["immutable"], FLAG) === true,
    sha256: sha256Of(source.value, kind),
  };
};

const JUDGED: Readonly<Record<Outlook, Judgement>> = {
  breaks: "refuted",
  changes: "refuted",
  follows: "progressing",
  "not-knowable": "undetermined",
  same: "proven",
};

const ORDER: readonly Judgement[] = ["refuted", "undetermined", "progressing", "proven"];

const verdictOf = (
  consumers: readonly ConfigConsumer[],
  object: Known<Seen>,
  unread: readonly string[],
): Judgement => {
  const found = consumers.flatMap(({ rows }) => rows.map(({ state }) => JUDGED[OUTLOOK_OF[state]]));
  if (found.includes("refuted")) return "refuted";
  // Nobody has to take it for its absence to be a fact.
  if (object.kind === "absent" && (consumers.length === 0 || consumers.some(isNeeded))) return "refuted";
  if (found.length === 0 || unread.length > 0) return "undetermined";
  return ORDER.find((one) => found.includes(one)) ?? "undetermined";
};

/** The next container would not start without it. */
const isNeeded = ({ template }: ConfigConsumer): boolean => template.some(({ optional }) => !optional);

const worstOf = ({ rows }: ConfigConsumer): number =>
  rows.length === 0 ? STATES.length : Math.min(...rows.map(({ state }) => STATES.indexOf(state)));

const byState = (a: ConfigConsumer, b: ConfigConsumer): number => worstOf(a) - worstOf(b);

const statementOf = (
  named: ConfigNamed,
  object: Known<Seen>,
  consumers: readonly ConfigConsumer[],
  kept: number,
): string => {
  const there = object.kind === "absent" ? `there is no ${nameOf(named)}` : null;
  const rows = consumers.flatMap((one) => one.rows);
  const old =
    kept === 0
      ? []
      : [`${counted(kept, "ReplicaSet")} of an earlier template ${kept === 1 ? "names" : "name"} it`];
  if (consumers.length === 0)
    return `${[
      there,
      `nothing of what was read takes anything from ${there === null ? nameOf(named) : "it"}`,
      ...old,
    ]
      .filter((part) => part !== null)
      .join("; ")}.`;
  const states = STATES.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const pods = new Set(rows.map(({ pod }) => pod)).size;
  const running =
    rows.length === 0
      ? "no container runs with it"
      : `${counted(rows.length, "reference")} of ${counted(pods, "Pod")}: ${listed(states)}`;
  const taken = `${counted(consumers.length, "workload")} ${consumers.length === 1 ? "takes" : "take"} something from ${there === null ? nameOf(named) : "it"}`;
  return `${[there, taken, running, ...old].filter((part) => part !== null).join("; ")}.`;
};

const limitsOf = (kind: ConfigKind): readonly string[] => [
  "looked at: Deployments, StatefulSets, DaemonSets, ReplicaSets, Jobs, CronJobs and Pods of the namespace",
  kind === "Secret"
    ? "not looked at: imagePullSecrets, ServiceAccounts, certificates of Ingresses and Gateways, volumes of CSI drivers, custom resources that name it, and whoever reads it by the API"
    : "not looked at: custom resources that name it, earlier templates of StatefulSets and DaemonSets, and whoever reads it by the API",
];
