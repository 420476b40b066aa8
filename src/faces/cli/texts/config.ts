/** Words of the config verbs' pages. */

import type { ConfigTraceRow } from "../../../wire/api/config-trace.ts";
import type { Outlook } from "../../../wire/api/config-trace-list.ts";
import type { BoundConfig, Checksum, NamedPlace } from "../../../wire/bind/bind.ts";

const references = (count: number): string => `${count} ${count === 1 ? "reference" : "references"}`;

export const CONFIG = {
  untraceable: "Cannot be followed:",
  checksums: "Checksums:",
  checksumOn: (on: "template" | "metadata", says: string): string =>
    on === "template" ? `on the Pod template: ${says}` : says,
  claims: "Judged:",
  source: {
    absent: "not there",
    "not-read": "not read",
  } satisfies Readonly<Record<Exclude<ConfigTraceRow["source"]["found"], "there">, string>>,
  written: (time: string | null, immutable: boolean): string =>
    `${time === null ? "there" : `not written after ${time}`}${immutable ? ", immutable" : ""}`,
  file: {
    "as-the-object": "as the object",
    another: "another than the object",
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
  filesOfOne: (what: string) =>
    `--read-files runs \`cat\` in the containers of one workload, and ${what} is not one; name it: deployment/web`,
  noTerminal:
    "--read-files runs `cat` in containers, and there is no terminal to ask on; give --yes where that is meant",
  runs: (files: number, containers: number, pods: number) =>
    `asfound: runs \`cat\` for ${files} ${files === 1 ? "file" : "files"} in ${containers} ${containers === 1 ? "container" : "containers"} of ${pods} ${pods === 1 ? "Pod" : "Pods"}; of what they hold digests alone are kept`,
  mayRun: "Run it there?",
  noForm: (output: string) =>
    `-o ${output} is for verdicts about workloads; of one object there are table, wide, json, yaml, jsonl and name`,
  consumers: "Taken by:",
  template: "its template",
  noContainer: "no container of it runs",
  inPods: (count: number) => `${count} ${count === 1 ? "Pod" : "Pods"}`,
  kept: "Kept for a rollback, and naming it:",
  revision: (name: string, owner: string, revision: string | null) =>
    `ReplicaSet ${name} of Deployment ${owner}${revision === null ? "" : `, revision ${revision}`}`,
  edit: "An edit of it would reach:",
  editImmutable: "nobody: it is immutable, and the API server refuses an edit",
  editOf: {
    start: (count: number) => `${references(count)} at the container's next start (env, envFrom, subPath)`,
    follow: (count: number) =>
      `the files of ${references(count)} within about two minutes, and the process when it reads them (volume, projected)`,
  },
  noDelete: {
    command: "deleting it",
    why: "that nothing of what was looked at names it does not show that nobody needs it",
  },
  noRestart: {
    command: "restarting them",
    why: "what would break does not start again, and the others would run with config that they have not run with before",
  },
  boundAs: ({ name, boundAs, references, from, added }: BoundConfig): string =>
    `ConfigMap ${name} is bound as ${boundAs} (${references === 1 ? "1 reference" : `${references} references`}), ${added ? "made from" : "as it stands in"} ${from}`,
  nothingRefers: (name: string): string => `nothing refers to ${name}`,
  leftPlace: ({ of, kind, name, naming, why }: NamedPlace): string =>
    `left: ${of} names ${kind} ${name === null ? "by something else than a text" : name} (${naming}): ${why}`,
  leftConfig: (sentence: string): string => `left: ${sentence}`,
  checksum: ({ of, from, to }: Checksum): string =>
    `${of}: checksum/config ${from === null ? "is" : from === to ? "stays" : "was another; it is now"} ${to}`,
  unchanged: "everything is bound already; nothing was changed",
  wrote: (file: string): string => `wrote ${file}`,
  checkTakesNone: (flag: string): string =>
    `${flag} is for binding, and --check binds nothing; leave one of them out`,
  onlyChecks: (format: string): string =>
    `-o ${format} shows what --check finds; binding prints yaml or json`,
  checked: (templates: number, findings: number): string =>
    `${templates === 1 ? "1 Pod template takes" : `${templates} Pod templates take`} config: ${findings === 0 ? "nothing is wrong with how it is tied to them" : findings === 1 ? "1 thing is wrong" : `${findings} things are wrong`}.`,
  nothingTakes: "No Pod template here takes anything from a ConfigMap, so nothing was checked.",
  notJudged: "Not judged:",
  bindIt: (command: string) => ({ command, why: "binds them, and shows what it changes" }),
  writesFiles: "--write writes files back, and -f - is none; leave it out, and take what is printed",
  verify: (command: string) => ({ command, why: "judges the whole rollout with it" }),
} as const;
