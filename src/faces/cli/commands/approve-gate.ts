/** approve --gate: a person lets one verdict pass, after the live service was looked at again (E4). */
import { EXIT } from "../../../domain/exit.ts";
import { gateApproval } from "../../../wire/api/gate-report.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { reasonFor } from "../ask.ts";
import type { Cli } from "../context.ts";
import type { Everywhere } from "../flags.ts";
import type { ApprovingFlags } from "../flags-gate.ts";
import { block } from "../output/block.ts";
import { adviceLines, quoted } from "../output/next.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { GATE } from "../texts/gate.ts";
import { version } from "../version.ts";
import { askingCluster } from "./cluster.ts";
import { evidencePlace } from "./evidence-verify.ts";
import { refuse } from "./where.ts";

type Flags = ApprovingFlags & PrintFlags & Everywhere & { readonly actor?: string; readonly reason?: string };

export const approveGate = async (cli: Cli, flags: Flags, file: string): Promise<void> => {
  const reason = await reasonFor(cli, flags, "approve");
  if (reason === null) return cli.exit(EXIT.interrupted);
  const { openGate, recordsFor } = await import("../../../compose/gate.ts");
  const opened = await openGate(file, cli.terminal.cwd);
  if (opened.kind === "faults") return void (await refuse(cli, opened));
  const place = evidencePlace(cli, flags);
  const records = recordsFor(opened, place, flags.checkpoint ?? null);
  if ("kind" in records) return void (await refuse(cli, records));
  const { approveVerdict } = await import("../../../compose/gate-approve.ts");
  const tool = `asfound ${await version()}`;
  const done = await askingCluster(cli, flags, (live) =>
    approveVerdict(live, opened, records, place, {
      run: flags.run ?? null,
      actor: flags.actor ?? null,
      reason,
      signingKey: flags.signingKey ?? null,
      tool,
    }),
  );
  if (done.kind === "refused") return void (await refuse(cli, done));
  const limits = [done.trust.limit, GATE.claimed];
  const next = [GATE.again(`asfound gate check -f ${quoted(file)}`)];
  await print(cli, flags, {
    page: (page) => [
      page.style("bold", printable(GATE.approved(done.actor, done.approves.run))),
      printable(done.why === null ? GATE.counts(done.given, done.wanted) : GATE.countsNot(done.why)),
      ...block(GATE.notes, done.notes, page),
      ...block(GATE.limits, limits, page),
      ...adviceLines({ next, notOffered: [] }, page),
    ],
    json: () => gateApproval(done, limits),
    names: () => [done.link.run],
  });
  cli.exit(done.exit);
};
