/** snapshot: keeps what a verdict about one object rests on, as files for verify --from. Reads only. */
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Answering, Asking, Everywhere } from "../flags.ts";
import { quoted } from "../output/next.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { responseOf, unfitAnswering } from "./answering.ts";
import { askingCluster, targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

export async function snapshot(
  this: Cli,
  flags: Asking & Answering & Everywhere,
  folder: string,
  typed: string,
): Promise<void> {
  const pathless = unfitAnswering(flags);
  if (pathless !== undefined) throw new Usage(pathless);
  const { saveSnapshot } = await import("../../../compose/verify-cluster.ts");
  const question = {
    ...targetIn(typed),
    namespace: null,
    expected: {
      uid: null,
      replicas: null,
      images: new Map(),
      injected: [],
      response: responseOf(flags),
      since: null,
    },
    claims: null,
  };
  const saved = await askingCluster(this, flags, (live) => saveSnapshot(live, question, folder));
  if (saved.kind === "refused") return void (await refuse(this, saved));
  const { out, err } = this.terminal;
  out.write(`${printable(VERDICT.saved(saved.files, folder))}\n`);
  for (const why of saved.unanswered) err.write(`asfound: ${printable(why)}\n`);
  const where = saved.namespace === null ? "" : ` -n ${quoted(saved.namespace)}`;
  err.write(
    `${printable(VERDICT.judge(`asfound verify ${quoted(typed)}${where} --from ${quoted(folder)}`))}\n`,
  );
  this.exit(saved.exit);
}
