/** snapshot: keeps what a verdict about one object rests on, as files for verify --from. Reads only. */
import { printable } from "../../../wire/redact/printable.ts";
import type { Cli } from "../context.ts";
import type { Answering, Asking, Everywhere, Ruled } from "../flags.ts";
import { quoted } from "../output/next.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { responseOf, unfitAnswering } from "./answering.ts";
import { askingCluster, targetIn } from "./cluster.ts";
import { declaredRules, ruledBy } from "./declared-rules.ts";
import { refuse } from "./where.ts";

export async function snapshot(
  this: Cli,
  flags: Asking & Answering & Ruled & Everywhere,
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
  const rules = await declaredRules(this, flags);
  if ("kind" in rules) return void (await refuse(this, rules));
  const saved = await askingCluster(this, flags, (live) =>
    saveSnapshot(live, ruledBy(question, rules), folder),
  );
  if (saved.kind === "refused") return void (await refuse(this, saved));
  const { out, err } = this.terminal;
  out.write(`${printable(VERDICT.saved(saved.files, folder))}\n`);
  for (const why of saved.unanswered) err.write(`asfound: ${printable(why)}\n`);
  const where = saved.namespace === null ? "" : ` -n ${quoted(saved.namespace)}`;
  const by = (flags.rules ?? []).map((file) => ` --rules ${quoted(file)}`).join("");
  err.write(
    `${printable(VERDICT.judge(`asfound verify ${quoted(typed)}${where}${by} --from ${quoted(folder)}`))}\n`,
  );
  this.exit(saved.exit);
}
