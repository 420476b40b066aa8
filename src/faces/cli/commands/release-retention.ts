/** release retention: who still names which config. Reads only. */
import type { StackFaults } from "../../../compose/place.ts";
import type { RetentionReport } from "../../../runtime/release-retention.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import { retentionReport as retentionDocument, retentionObject } from "../../../wire/api/retention-report.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { RetentionFlags } from "../flags-release.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { retentionPage } from "../output/retention-page.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, askingFlag } from "./cluster.ts";
import { placeIn } from "./release.ts";
import { refuse } from "./where.ts";

type Flags = RetentionFlags & PrintFlags & Everywhere;

export async function releaseRetention(this: Cli, flags: Flags): Promise<void> {
  const asking = askingFlag(flags);
  if (flags.from !== undefined && asking !== undefined) throw new Usage(VERDICT.asksNone(asking));
  if (flags.from === undefined && flags.at !== undefined) throw new Usage(VERDICT.isNow);
  const report = await reportBy(this, flags);
  if ("kind" in report) return void (await refuse(this, report));
  await print(this, flags, {
    page: (page) => retentionPage(report, page),
    json: () => retentionDocument(report),
    stream: () => report.objects.map(retentionObject),
    names: () =>
      report.objects.flatMap(({ proposed, kind, name }) =>
        proposed ? [`${kind.toLowerCase()}/${name}`] : [],
      ),
  });
  this.exit(report.exit);
}

const reportBy = async (cli: Cli, flags: Flags): Promise<RetentionReport | Refused | StackFaults> => {
  const { retentionLive, retentionSaved } = await import("../../../compose/release-retention.ts");
  const place = placeIn(cli, flags);
  if (flags.from === undefined)
    return askingCluster(cli, flags, (live) => retentionLive(live, place, flags.secrets));
  return retentionSaved({ from: flags.from, at: flags.at ?? null, cwd: cli.terminal.cwd }, place, {
    namespace: flags.namespace ?? "default",
    secrets: flags.secrets,
  });
};
