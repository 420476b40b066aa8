/** config trace: which config each container start was given, of one workload or of many. Reads only. */
import type { StackFaults } from "../../../compose/place.ts";
import type { Consent, Declined } from "../../../compose/trace-files.ts";
import type { ConfigKind } from "../../../domain/config.ts";
import { EXIT } from "../../../domain/exit.ts";
import type { SweepQuestion } from "../../../domain/question.ts";
import { RESOURCES, resourceNamed } from "../../../domain/resource.ts";
import type { ConfigConsumers } from "../../../runtime/config-consumers.ts";
import type { ConfigTrace } from "../../../runtime/config-trace.ts";
import type { ConfigTraceList } from "../../../runtime/config-trace-sweep.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { configConsumer, configConsumers } from "../../../wire/api/config-consumers.ts";
import { configReference, configTrace } from "../../../wire/api/config-trace.ts";
import { configTraceItem, configTraceList } from "../../../wire/api/config-trace-list.ts";
import { mayGoOn } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { TracingFlags } from "../flags-config.ts";
import { configConsumersPage } from "../output/config-consumers-page.ts";
import { configTraceListPage } from "../output/config-trace-list-page.ts";
import { configTracePage } from "../output/config-trace-page.ts";
import { type Advice, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { typedOf } from "../output/verdict-advice.ts";
import { verdictForms } from "../output/verdict-forms.ts";
import { CONFIG } from "../texts/config.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag, targetIn } from "./cluster.ts";
import { selectingFlag, selectionBy } from "./verify-flags.ts";
import { refuse } from "./where.ts";

type Flags = TracingFlags & PrintFlags & Everywhere;

export async function configTraceOf(this: Cli, flags: Flags, typed?: string): Promise<void> {
  if (flags.from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  const asking =
    askingFlag(flags) ??
    (flags.secrets ? "--secrets" : undefined) ??
    (flags.readFiles ? "--read-files" : undefined);
  if (flags.from !== undefined && asking !== undefined) throw new Usage(VERDICT.asksNone(asking));
  const by = selectingFlag(flags);
  if (flags.readFiles && by !== undefined) throw new Usage(CONFIG.filesOfOne(by));
  if (by !== undefined) {
    const selection = selectionBy(flags, by, typed);
    return traceMany(this, flags, { ...selection, secrets: flags.secrets });
  }
  if (typed === undefined) throw new Usage(CONFIG.noSelection);
  if (!typed.includes("/")) throw new Usage(VERDICT.kindsAlone(typed));
  const target = targetIn(typed);
  const meant = resourceNamed(target.kind);
  if (flags.readFiles && !flags.yes && !this.terminal.canAsk) throw new Usage(CONFIG.noTerminal);
  if (meant === RESOURCES.ConfigMap || meant === RESOURCES.Secret) {
    if (flags.readFiles) throw new Usage(CONFIG.filesOfOne(typed));
    return traceObject(this, flags, {
      kind: meant === RESOURCES.Secret ? "Secret" : "ConfigMap",
      name: target.name,
    });
  }
  return traceOne(this, flags, typed);
}

const traceOne = async (cli: Cli, flags: Flags, typed: string): Promise<void> => {
  const traced = await tracedBy(cli, flags, targetIn(typed));
  if ("kind" in traced && traced.kind === "declined") return cli.exit(traced.exit);
  if ("kind" in traced) return void (await refuse(cli, traced));
  await print(cli, flags, {
    page: (page) => configTracePage(traced, adviceOn(typed, flags), page),
    json: () => configTrace(traced),
    stream: () => traced.rows.map(configReference),
    names: () => [...new Set(traced.rows.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`))],
    forms: verdictForms(traced.report),
  });
  cli.exit(traced.report.exit);
};

const tracedBy = async (
  cli: Cli,
  flags: Flags,
  target: { readonly kind: string; readonly name: string },
): Promise<ConfigTrace | StackFaults | Refused | Declined> => {
  const traced = { ...target, namespace: flags.namespace ?? "default", secrets: flags.secrets };
  if (flags.from !== undefined) {
    const { traceSaved } = await import("../../../compose/verify.ts");
    return traceSaved(savedIn(cli, flags, flags.from), traced);
  }
  if (flags.readFiles) {
    const { traceWithFiles } = await import("../../../compose/trace-files.ts");
    return askingCluster(cli, flags, (live) => traceWithFiles(live, traced, mayRead(cli, flags)));
  }
  const { traceLive } = await import("../../../compose/verify-cluster.ts");
  return askingCluster(cli, flags, (live) => traceLive(live, traced));
};

/** What is run where is told before it is run, with `--yes` too. */
const mayRead =
  (cli: Cli, flags: Flags): Consent =>
  async (planned) => {
    const files = planned.reduce((sum, { paths }) => sum + paths.length, 0);
    const pods = new Set(planned.map(({ pod }) => pod.name)).size;
    cli.terminal.err.write(`${CONFIG.runs(files, planned.length, pods)}\n`);
    return flags.yes ? null : mayGoOn(cli, CONFIG.mayRun);
  };

/** Outputs that only verdicts have. */
const OF_VERDICTS: ReadonlySet<string> = new Set(["junit", "sarif", "github", "markdown"]);

const traceObject = async (
  cli: Cli,
  flags: Flags,
  named: { readonly kind: ConfigKind; readonly name: string },
): Promise<void> => {
  if (OF_VERDICTS.has(flags.output)) throw new Usage(CONFIG.noForm(flags.output));
  const found = await consumersBy(cli, flags, named);
  if ("kind" in found) return void (await refuse(cli, found));
  await print(cli, flags, {
    page: (page) => configConsumersPage(found, adviceOnObject(found, flags), page),
    json: () => configConsumers(found),
    stream: () => found.consumers.map(configConsumer),
    names: () => found.consumers.map(({ target }) => `${target.kind.toLowerCase()}/${target.name}`),
  });
  cli.exit(found.exit);
};

const consumersBy = async (
  cli: Cli,
  flags: Flags,
  named: { readonly kind: ConfigKind; readonly name: string },
): Promise<ConfigConsumers | StackFaults | Refused> => {
  if (flags.from !== undefined) {
    const { consumersSaved } = await import("../../../compose/verify.ts");
    return consumersSaved(savedIn(cli, flags, flags.from), {
      ...named,
      namespace: flags.namespace ?? "default",
    });
  }
  const { consumersLive } = await import("../../../compose/verify-cluster.ts");
  return askingCluster(cli, flags, (live) => consumersLive(live, { ...named, secrets: flags.secrets }));
};

const traceMany = async (cli: Cli, flags: Flags, selection: Omit<SweepQuestion, "claims">): Promise<void> => {
  const traced = await manyTracedBy(cli, flags, selection);
  if ("kind" in traced) return void (await refuse(cli, traced));
  await print(cli, flags, {
    page: (page) => configTraceListPage(traced, adviceOnMany(traced, flags), page),
    json: () => configTraceList(traced),
    stream: () => traced.items.map(configTraceItem),
    names: () =>
      traced.items.map(
        ({ trace: { report } }) => `${report.target.kind.toLowerCase()}/${report.target.name}`,
      ),
    forms: verdictForms(traced.list),
  });
  cli.exit(traced.list.exit);
};

const manyTracedBy = async (
  cli: Cli,
  flags: Flags,
  selection: Omit<SweepQuestion, "claims">,
): Promise<ConfigTraceList | StackFaults | Refused> => {
  if (flags.from !== undefined) {
    const { traceSweepSaved } = await import("../../../compose/verify.ts");
    return traceSweepSaved(savedIn(cli, flags, flags.from), selection);
  }
  const { traceSweepLive } = await import("../../../compose/verify-cluster.ts");
  return askingCluster(cli, flags, (live) => traceSweepLive(live, selection, flags.allNamespaces));
};

const savedIn = (cli: Cli, flags: Flags, from: string) => ({
  from,
  at: flags.at ?? null,
  cwd: cli.terminal.cwd,
  held: flags.held,
});

const adviceOn = (typed: string, flags: Flags): Advice => ({
  next: [CONFIG.verify(commandFor("verify", typed, flags.namespace ?? null, flags))],
  notOffered: [],
});

/** More than this many commands help nobody at once. */
const TOLD = 3;

/** For many: the worst of them one by one. */
const adviceOnMany = ({ items, outlooks, list }: ConfigTraceList, flags: Flags): Advice => ({
  next: items
    .filter(({ next }) => next.outlook !== "same")
    .slice(0, TOLD)
    .map(({ trace: { report } }) =>
      CONFIG.each(commandFor("config trace", typedOf(report.target), report.target.namespace, flags)),
    ),
  notOffered: list.exit !== EXIT.proven && outlooks.breaks + outlooks.changes > 0 ? [CONFIG.noRestart] : [],
});

/** The worst of its consumers one by one. */
const adviceOnObject = ({ consumers }: ConfigConsumers, flags: Flags): Advice => ({
  next: consumers
    .slice(0, TOLD)
    .map(({ target }) => CONFIG.each(commandFor("config trace", typedOf(target), target.namespace, flags))),
  notOffered: consumers.length === 0 ? [CONFIG.noDelete] : [],
});

const commandFor = (verb: string, typed: string, namespace: string | null, flags: Flags): string =>
  [
    `asfound ${verb}`,
    ...[
      typed,
      ...(namespace === null ? [] : ["-n", namespace]),
      ...(flags.from === undefined ? [] : ["--from", flags.from]),
      ...(flags.context === undefined ? [] : ["--context", flags.context]),
      ...(flags.kubeconfig === undefined ? [] : ["--kubeconfig", flags.kubeconfig]),
    ].map(quoted),
  ].join(" ");
