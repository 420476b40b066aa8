/** config trace: which config each container start was given. Reads only. */
import type { StackFaults } from "../../../compose/place.ts";
import type { ConfigTrace } from "../../../runtime/config-trace.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { configReference, configTrace } from "../../../wire/api/config-trace.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, TracingFlags } from "../flags.ts";
import { configTracePage } from "../output/config-trace-page.ts";
import { quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { CONFIG } from "../texts/config.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag, targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = TracingFlags & PrintFlags & Everywhere;

export async function configTraceOf(this: Cli, flags: Flags, typed: string): Promise<void> {
  const target = targetIn(typed);
  if (flags.from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  const asking = askingFlag(flags);
  if (flags.from !== undefined && asking !== undefined) throw new Usage(VERDICT.asksNone(asking));
  const traced = await tracedBy(this, flags, target);
  if ("kind" in traced) return void (await refuse(this, traced));
  await print(this, flags, {
    page: (page) => configTracePage(traced, adviceOn(typed, flags), page),
    json: () => configTrace(traced),
    stream: () => traced.rows.map(configReference),
    names: () => [...new Set(traced.rows.map(({ kind, name }) => `${kind.toLowerCase()}/${name}`))],
  });
  this.exit(traced.report.exit);
}

const tracedBy = async (
  cli: Cli,
  flags: Flags,
  target: { readonly kind: string; readonly name: string },
): Promise<ConfigTrace | StackFaults | Refused> => {
  const traced = { ...target, namespace: flags.namespace ?? "default" };
  if (flags.from !== undefined) {
    const { traceSaved } = await import("../../../compose/verify.ts");
    return traceSaved({ from: flags.from, at: flags.at ?? null, cwd: cli.terminal.cwd }, traced);
  }
  const { traceLive } = await import("../../../compose/verify-cluster.ts");
  return askingCluster(cli, flags, (live) => traceLive(live, traced));
};

const adviceOn = (typed: string, { namespace, from }: Flags) => {
  const where = namespace === undefined ? "" : ` -n ${quoted(namespace)}`;
  const files = from === undefined ? "" : ` --from ${quoted(from)}`;
  return { next: [CONFIG.verify(`asfound verify ${quoted(typed)}${where}${files}`)], notOffered: [] };
};
