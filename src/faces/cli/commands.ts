/**
 * Every verb of asfound with its flags. A verb is made for the parser only when it is named, and what it does is loaded
 * only when it runs.
 */
import { buildCommand, type Command } from "@stricli/core";
import type { LabName } from "../../domain/lab.ts";
import type { Cli } from "./context.ts";
import { bothNamed, docs, eachNamed, knownSteps, manyNamed, named, optionallyNamed } from "./define.ts";
import * as flags from "./flags.ts";
import * as configFlags from "./flags-config.ts";
import { drillAliases, drilling } from "./flags-drill.ts";
import * as evidence from "./flags-evidence.ts";
import * as gate from "./flags-gate.ts";
import * as lab from "./flags-lab.ts";
import { recovering, recoveringByGit, recoverReportAliases } from "./flags-recover.ts";
import * as release from "./flags-release.ts";
import * as rollback from "./flags-rollback.ts";
import { FLAG } from "./texts/flags.ts";
import { ARGUMENT, VERB } from "./texts/verbs.ts";

const {
  everywhere,
  everywhereAliases,
  permitted,
  place,
  printedAliases,
  reason,
  stackName,
  tables,
  working,
} = flags;

/** A verb that reads the stack file. */
const reads = { ...everywhere, ...place, stack: stackName, ...tables };
const changes = { ...reads, ...working, ...permitted };
const decides = { ...reads, ...working, reason };
const aliases = printedAliases;

const step = named("STEP", ARGUMENT.step, knownSteps);

const deliveryLabCommand = (name: LabName): Command<Cli> =>
  buildCommand({
    docs: docs(VERB[`lab ${name}`]),
    loader: async () => (await import("./commands/lab.ts")).deliveryLab(name),
    parameters: {
      flags: {
        ...everywhere,
        ...lab.labFlags,
        ...lab.deliveryFlags,
        ...flags.printed("table", "wide", "json", "yaml", "jsonl", "markdown"),
      },
      aliases: lab.labAliases,
    },
  });

const labCommand = (name: LabName): Command<Cli> =>
  buildCommand({
    docs: docs(VERB[`lab ${name}`]),
    loader: async () => (await import("./commands/lab.ts")).lab(name),
    parameters: {
      flags: {
        ...everywhere,
        ...lab.labFlags,
        ...flags.printed("table", "wide", "json", "yaml", "jsonl", "markdown"),
      },
      aliases: lab.labAliases,
    },
  });

/** By the words that name it, in the order of the help. */
export const COMMANDS: Readonly<Record<string, () => Command<Cli>>> = {
  init: () =>
    buildCommand({
      docs: docs(VERB.init),
      loader: async () => (await import("./commands/init.ts")).init,
      parameters: { flags: { ...everywhere, ...flags.starting }, aliases: everywhereAliases },
    }),
  plan: () =>
    buildCommand({
      docs: docs(VERB.plan),
      loader: async () => (await import("./commands/plan.ts")).plan,
      parameters: { flags: { ...reads, allowDestroy: flags.allowDestroy, out: flags.files.out }, aliases },
    }),
  apply: () =>
    buildCommand({
      docs: docs(VERB.apply),
      loader: async () => (await import("./commands/apply.ts")).apply,
      parameters: {
        flags: { ...changes, allowDestroy: flags.allowDestroy, plan: flags.files.plan },
        aliases,
      },
    }),
  status: () =>
    buildCommand({
      docs: docs(VERB.status),
      loader: async () => (await import("./commands/status.ts")).status,
      parameters: { flags: reads, aliases },
    }),
  reconcile: () =>
    buildCommand({
      docs: docs(VERB.reconcile),
      loader: async () => (await import("./commands/reconcile.ts")).reconcile,
      parameters: {
        flags: { ...reads, ...working, ...flags.looking, parallelism: flags.parallelism, reason },
        aliases,
      },
    }),
  resume: () =>
    buildCommand({
      docs: docs(VERB.resume),
      loader: async () => (await import("./commands/resume.ts")).resume,
      parameters: { flags: { ...reads, ...working, dryRun: flags.dryRun, reason }, aliases },
    }),
  destroy: () =>
    buildCommand({
      docs: docs(VERB.destroy),
      loader: async () => (await import("./commands/destroy.ts")).destroy,
      parameters: {
        flags: changes,
        aliases,
        positional: manyNamed("STEP", ARGUMENT.destroySteps, 0, knownSteps),
      },
    }),
  compensate: () =>
    buildCommand({
      docs: docs(VERB.compensate),
      loader: async () => (await import("./commands/compensate.ts")).compensate,
      parameters: { flags: changes, aliases, positional: manyNamed("STEP", ARGUMENT.step, 1, knownSteps) },
    }),

  resolve: () =>
    buildCommand({
      docs: docs(VERB.resolve),
      loader: async () => (await import("./commands/decide.ts")).resolve,
      parameters: {
        flags: {
          ...decides,
          as: { kind: "enum", values: ["present", "absent"], brief: FLAG.as },
          id: flags.ids.known,
          owed: { kind: "enum", values: ["done", "again"], brief: FLAG.owed, optional: true },
        },
        aliases,
        positional: step,
      },
    }),
  retain: () =>
    buildCommand({
      docs: docs(VERB.retain),
      loader: async () => (await import("./commands/decide.ts")).retain,
      parameters: { flags: { ...decides, ...flags.retaining }, aliases, positional: step },
    }),
  forget: () =>
    buildCommand({
      docs: docs(VERB.forget),
      loader: async () => (await import("./commands/decide.ts")).forget,
      parameters: { flags: { ...decides, id: flags.ids.expected }, aliases, positional: step },
    }),
  import: () =>
    buildCommand({
      docs: docs(VERB.import),
      loader: async () => (await import("./commands/decide.ts")).importIt,
      parameters: {
        flags: { ...reads, ...working, reason, id: flags.ids.required },
        aliases,
        positional: named("STEP", ARGUMENT.step),
      },
    }),
  approve: () =>
    buildCommand({
      docs: docs(VERB.approve),
      loader: async () => (await import("./commands/decide.ts")).approve,
      parameters: {
        flags: {
          ...decides,
          before: {
            kind: "enum",
            values: ["create", "update", "destroy", "any"],
            brief: FLAG.before,
            optional: true,
          },
          plan: flags.files.approvePlan,
          ...gate.approving,
        },
        aliases: { ...aliases, n: "namespace" },
        positional: optionallyNamed("STEP", ARGUMENT.step, knownSteps),
      },
    }),

  verify: () =>
    buildCommand({
      docs: docs(VERB.verify),
      loader: async () => (await import("./commands/verify.ts")).verify,
      parameters: {
        flags: { ...everywhere, ...flags.verifying, ...flags.verdicts },
        aliases: flags.verifyingAliases,
        positional: optionallyNamed("KIND/NAME", ARGUMENT.targets),
      },
    }),
  snapshot: () =>
    buildCommand({
      docs: docs(VERB.snapshot),
      loader: async () => (await import("./commands/snapshot.ts")).snapshot,
      parameters: {
        flags: {
          ...everywhere,
          ...flags.ruled,
          ...flags.askingFlags,
          ...flags.selecting,
          ...flags.answering,
          held: flags.verifying.held,
          git: flags.verifying.git,
        },
        aliases: flags.snapshotAliases,
        positional: bothNamed(["DIR", ARGUMENT.newFolder], ["KIND/NAME", ARGUMENT.targets]),
      },
    }),
  watch: () =>
    buildCommand({
      docs: docs(VERB.watch),
      loader: async () => (await import("./commands/watch.ts")).watch,
      parameters: {
        flags: { ...everywhere, ...configFlags.recording, ...flags.printed("text", "json", "yaml", "jsonl") },
        aliases: configFlags.recordingAliases,
      },
    }),
  drill: () =>
    buildCommand({
      docs: docs(VERB.drill),
      loader: async () => (await import("./commands/drill.ts")).drill,
      parameters: {
        flags: { ...everywhere, ...drilling, ...flags.printed("table", "wide", "json", "yaml", "name") },
        aliases: drillAliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),
  "config trace": () =>
    buildCommand({
      docs: docs(VERB["config trace"]),
      loader: async () => (await import("./commands/config.ts")).configTraceOf,
      parameters: {
        flags: { ...everywhere, ...configFlags.tracing, ...flags.verdicts },
        aliases: configFlags.tracingAliases,
        positional: optionallyNamed("KIND/NAME", ARGUMENT.traced),
      },
    }),
  "config bind": () =>
    buildCommand({
      docs: docs(VERB["config bind"]),
      loader: async () => (await import("./commands/config-bind.ts")).configBind,
      parameters: {
        flags: { ...everywhere, ...configFlags.binding },
        aliases: configFlags.bindingAliases,
      },
    }),

  "release record": () =>
    buildCommand({
      docs: docs(VERB["release record"]),
      loader: async () => (await import("./commands/release-record.ts")).releaseRecord,
      parameters: {
        flags: { ...everywhere, ...release.recording, ...flags.printed("table", "json", "yaml", "name") },
        aliases: release.aliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),
  "release ls": () =>
    buildCommand({
      docs: docs(VERB["release ls"]),
      loader: async () => (await import("./commands/release.ts")).releaseList,
      parameters: {
        flags: { ...everywhere, ...release.reading, ...tables },
        aliases: release.aliases,
        positional: optionallyNamed("KIND/NAME", ARGUMENT.releasesOf),
      },
    }),
  "release show": () =>
    buildCommand({
      docs: docs(VERB["release show"]),
      loader: async () => (await import("./commands/release.ts")).releaseShow,
      parameters: {
        flags: {
          ...everywhere,
          ...release.reading,
          ...flags.printed("table", "wide", "json", "yaml", "name", "verification"),
        },
        aliases: release.aliases,
        positional: named("ID|NAME", ARGUMENT.release),
      },
    }),
  "release retention": () =>
    buildCommand({
      docs: docs(VERB["release retention"]),
      loader: async () => (await import("./commands/release-retention.ts")).releaseRetention,
      parameters: { flags: { ...everywhere, ...release.retention, ...tables }, aliases: release.aliases },
    }),
  "release diff": () =>
    buildCommand({
      docs: docs(VERB["release diff"]),
      loader: async () => (await import("./commands/release-diff.ts")).releaseDiff,
      parameters: {
        flags: {
          ...everywhere,
          ...release.store,
          ...flags.printed("table", "wide", "json", "yaml", "jsonl"),
        },
        aliases: release.storeAliases,
        positional: eachNamed(["A", ARGUMENT.earlierRelease], ["B", ARGUMENT.laterRelease]),
      },
    }),
  "evidence ls": () =>
    buildCommand({
      docs: docs(VERB["evidence ls"]),
      loader: async () => (await import("./commands/evidence-read.ts")).evidenceLs,
      parameters: {
        flags: { ...everywhere, ...evidence.listing, ...tables },
        aliases: evidence.listAliases,
        positional: optionallyNamed("KIND/NAME", ARGUMENT.evidenceTarget),
      },
    }),
  "evidence show": () =>
    buildCommand({
      docs: docs(VERB["evidence show"]),
      loader: async () => (await import("./commands/evidence-read.ts")).evidenceShow,
      parameters: {
        flags: { ...everywhere, ...evidence.evidence, ...tables },
        aliases: evidence.aliases,
        positional: named("RUN", ARGUMENT.evidenceRun),
      },
    }),
  "evidence export": () =>
    buildCommand({
      docs: docs(VERB["evidence export"]),
      loader: async () => (await import("./commands/evidence-replay.ts")).evidenceExport,
      parameters: {
        flags: { ...everywhere, ...evidence.evidence },
        aliases: everywhereAliases,
        positional: eachNamed(["RUN", ARGUMENT.evidenceRun], ["DIR|FILE.tar", ARGUMENT.exportTo]),
      },
    }),
  "evidence replay": () =>
    buildCommand({
      docs: docs(VERB["evidence replay"]),
      loader: async () => (await import("./commands/evidence-replay.ts")).evidenceReplay,
      parameters: {
        flags: { ...everywhere, ...evidence.replaying, ...tables },
        aliases: evidence.aliases,
        positional: named("RUN", ARGUMENT.evidenceRun),
      },
    }),
  "evidence verify": () =>
    buildCommand({
      docs: docs(VERB["evidence verify"]),
      loader: async () => (await import("./commands/evidence-verify.ts")).evidenceVerify,
      parameters: {
        flags: { ...everywhere, ...evidence.verifying, ...tables },
        aliases: evidence.aliases,
        positional: optionallyNamed("RUN", ARGUMENT.evidenceRun),
      },
    }),
  "evidence prune": () =>
    buildCommand({
      docs: docs(VERB["evidence prune"]),
      loader: async () => (await import("./commands/evidence-prune.ts")).evidencePrune,
      parameters: {
        flags: { ...everywhere, ...evidence.pruning, ...tables },
        aliases: evidence.aliases,
      },
    }),
  "gate check": () =>
    buildCommand({
      docs: docs(VERB["gate check"]),
      loader: async () => (await import("./commands/gate.ts")).gateCheck,
      parameters: {
        flags: { ...everywhere, ...gate.checking, ...flags.verdicts },
        aliases: gate.aliases,
      },
    }),
  "gate test": () =>
    buildCommand({
      docs: docs(VERB["gate test"]),
      loader: async () => (await import("./commands/gate.ts")).gateTest,
      parameters: {
        flags: { ...everywhere, ...gate.testing, ...flags.verdicts },
        aliases: { ...everywhereAliases, f: "file", o: "output" },
      },
    }),
  "key new": () =>
    buildCommand({
      docs: docs(VERB["key new"]),
      loader: async () => (await import("./commands/key.ts")).keyNew,
      parameters: {
        flags: { ...everywhere, ...evidence.evidence, ...flags.printed("table", "json", "yaml", "name") },
        aliases: evidence.aliases,
        positional: optionallyNamed("FILE", ARGUMENT.keyFile),
      },
    }),
  "key rotate": () =>
    buildCommand({
      docs: docs(VERB["key rotate"]),
      loader: async () => (await import("./commands/key.ts")).keyRotate,
      parameters: {
        flags: { ...everywhere, ...evidence.rotating, ...flags.printed("table", "json", "yaml", "name") },
        aliases: evidence.aliases,
        positional: named("PUBLIC.pem", ARGUMENT.publicKeyFile),
      },
    }),
  "rollback plan": () =>
    buildCommand({
      docs: docs(VERB["rollback plan"]),
      loader: async () => (await import("./commands/rollback.ts")).rollbackPlanOf,
      parameters: {
        flags: { ...everywhere, ...rollback.planning, ...tables },
        aliases: rollback.aliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),

  "recover report": () =>
    buildCommand({
      docs: docs(VERB["recover report"]),
      loader: async () => (await import("./commands/recover-report.ts")).recoverReport,
      parameters: {
        flags: {
          ...everywhere,
          ...recoveringByGit,
          ...flags.printed("table", "wide", "json", "yaml", "markdown", "html"),
        },
        aliases: recoverReportAliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),
  recover: () =>
    buildCommand({
      docs: docs(VERB.recover),
      loader: async () => (await import("./commands/recover.ts")).recover,
      parameters: {
        flags: {
          ...everywhere,
          ...recovering,
          ...flags.printed("table", "wide", "json", "yaml", "markdown"),
        },
        aliases: rollback.aliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),

  "rollback run": () =>
    buildCommand({
      docs: docs(VERB["rollback run"]),
      loader: async () => (await import("./commands/rollback-run.ts")).rollbackRun,
      parameters: {
        flags: { ...everywhere, ...rollback.running, ...tables },
        aliases: rollback.aliases,
        positional: named("KIND/NAME", ARGUMENT.target),
      },
    }),

  history: () =>
    buildCommand({
      docs: docs(VERB.history),
      loader: async () => (await import("./commands/history.ts")).history,
      parameters: { flags: { ...reads, limit: flags.limit }, aliases: { ...aliases, n: "limit" } },
    }),
  show: () =>
    buildCommand({
      docs: docs(VERB.show),
      loader: async () => (await import("./commands/show.ts")).show,
      parameters: {
        flags: { ...reads, ...flags.printed("table", "wide", "json", "yaml", "jsonl") },
        aliases,
        positional: named("OP", ARGUMENT.operation),
      },
    }),
  graph: () =>
    buildCommand({
      docs: docs(VERB.graph),
      loader: async () => (await import("./commands/graph.ts")).graph,
      parameters: {
        flags: { ...reads, ...flags.printed("text", "mermaid", "dot", "json", "yaml", "name") },
        aliases,
      },
    }),
  "ledger export": () =>
    buildCommand({
      docs: docs(VERB["ledger export"]),
      loader: async () => (await import("./commands/ledger.ts")).ledgerExport,
      parameters: { flags: { ...everywhere, ...place }, aliases: flags.placeAliases },
    }),
  "ledger import": () =>
    buildCommand({
      docs: docs(VERB["ledger import"]),
      loader: async () => (await import("./commands/ledger.ts")).ledgerImportFrom,
      parameters: {
        flags: { ...reads, ...flags.printed("text", "json", "yaml") },
        aliases,
        positional: named("FILE", ARGUMENT.exportFile),
      },
    }),
  "ledger backup": () =>
    buildCommand({
      docs: docs(VERB["ledger backup"]),
      loader: async () => (await import("./commands/ledger.ts")).ledgerBackupTo,
      parameters: {
        flags: { ...reads, ...flags.printed("text", "json", "yaml") },
        aliases,
        positional: named("FILE", ARGUMENT.backupFile),
      },
    }),
  "lab rollback-config": () => labCommand("rollback-config"),
  "lab stale-process": () => labCommand("stale-process"),
  "lab synced-not-served": () => deliveryLabCommand("synced-not-served"),
  "lab git-recovery": () => deliveryLabCommand("git-recovery"),
  doctor: () =>
    buildCommand({
      docs: docs(VERB.doctor),
      loader: async () => (await import("./commands/doctor.ts")).doctor,
      parameters: { flags: reads, aliases },
    }),
  completion: () =>
    buildCommand({
      docs: docs(VERB.completion),
      loader: async () => (await import("./commands/completion.ts")).completion,
      parameters: {
        flags: everywhere,
        aliases: everywhereAliases,
        positional: named("SHELL", ARGUMENT.shell, async () => ["bash", "zsh", "fish"]),
      },
    }),
};
