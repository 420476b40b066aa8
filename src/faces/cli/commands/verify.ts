/** verify: judges one object, of a live cluster or of what was saved of one. Changes nothing. */
import type { StackFaults } from "../../../compose/place.ts";
import { expectedReply, type ResponseExpectation } from "../../../domain/response.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import type { Question, VerdictReport } from "../../../runtime/verify.ts";
import { finding, verdictReport } from "../../../wire/api/verdict-report.ts";
import type { Cli } from "../context.ts";
import type { Everywhere, Verifying } from "../flags.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { adviceOn } from "../output/verdict-advice.ts";
import { verdictPage } from "../output/verdict-page.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { askingCluster, targetIn } from "./cluster.ts";
import { refuse } from "./where.ts";

type Flags = Verifying & PrintFlags & Everywhere;

export async function verify(this: Cli, flags: Flags, target: string): Promise<void> {
  const question = questionOf(flags, target);
  const unfit = unfitFlag(flags);
  if (unfit !== undefined) throw new Usage(unfit);
  const report = await (flags.from === undefined
    ? live(this, flags, question)
    : saved(this, flags.from, flags, question));
  if ("kind" in report) return void (await refuse(this, report));
  await print(this, flags, {
    page: (page) => verdictPage(report, adviceOn(report, target, flags), page),
    json: () => verdictReport(report),
    stream: () => report.findings.map(finding),
    names: () => [`${report.target.kind.toLowerCase()}/${report.target.name}`],
  });
  this.exit(report.exit);
}

const saved = async (
  cli: Cli,
  from: string,
  flags: Flags,
  question: Question,
): Promise<VerdictReport | StackFaults> => {
  const { verifySaved } = await import("../../../compose/verify.ts");
  return verifySaved({ from, at: flags.at ?? null, cwd: cli.terminal.cwd }, question);
};

const WINDOW_MS = 5 * 60_000;
/** A watch tells of the target itself; what goes on around it is looked for this often. */
const EVERY_MS = 5_000;

const live = async (cli: Cli, flags: Flags, question: Question): Promise<VerdictReport | Refused> => {
  const { verifyLive } = await import("../../../compose/verify-cluster.ts");
  const watching = flags.watch
    ? { windowMs: flags.window ?? WINDOW_MS, everyMs: EVERY_MS, failFast: flags.failFast }
    : null;
  return askingCluster(cli, flags, (asked) => verifyLive(asked, question, watching));
};

/** A flag that means nothing beside the others, as a sentence; undefined: all fit. */
const unfitFlag = (flags: Flags): string | undefined => {
  const asks = [
    ["--context", flags.context],
    ["--kubeconfig", flags.kubeconfig],
    ["--allow-exec", flags.allowExec],
    ["--timeout", flags.timeout],
    ["--watch", flags.watch || undefined],
  ] as const;
  const [asking] = asks.filter(([, value]) => value !== undefined);
  if (flags.from !== undefined && asking !== undefined) return VERDICT.asksNone(asking[0]);
  const [answering] = [
    ["--path", flags.path],
    ["--host", flags.host],
    ["--port", flags.port],
    ["--expect", flags.expect],
    ["--pod", flags.pod],
    ["--samples", flags.samples],
  ].filter(([, value]) => value !== undefined);
  if (flags.via === undefined && answering !== undefined) return VERDICT.needsVia(String(answering[0]));
  if (flags.from === undefined && flags.at !== undefined) return VERDICT.isNow;
  if (flags.watch) return undefined;
  if (flags.window !== undefined) return VERDICT.needsWatch("--window");
  return flags.failFast ? VERDICT.needsWatch("--fail-fast") : undefined;
};

const SAMPLES = 3;

const responseOf = (flags: Flags): ResponseExpectation | null => {
  if (flags.via === undefined) return null;
  return {
    via: flags.via,
    path: flags.path ?? "/",
    host: flags.host ?? null,
    port: flags.port ?? null,
    expect: expectedReply(flags.expect ?? []),
    pod: flags.pod ?? null,
    samples: flags.samples ?? SAMPLES,
  };
};

const questionOf = (flags: Flags, typed: string): Question => ({
  ...targetIn(typed),
  namespace: flags.namespace ?? "default",
  expected: {
    uid: flags.uid ?? null,
    replicas: flags.replicas ?? null,
    images: new Map(flags.image ?? []),
    injected: flags.injected ?? [],
    response: responseOf(flags),
    since: flags.since ?? null,
  },
  claims: flags.claims ?? null,
});
