/** What `confirm` asks: `verify --watch` over a cluster. Loaded only when a step has something to be confirmed by. */
import { openCluster } from "../adapters/cluster-https/open.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { Finding } from "../domain/finding.ts";
import type { Question } from "../domain/question.ts";
import type { AskedOf, ClusterNamed, Looking, Verified, Verifier } from "../ports/verifier.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import type { VerdictReport } from "../runtime/verify.ts";
import { watchVerdict } from "../runtime/watch.ts";
import { proberFor } from "./prober.ts";

/** For one look. */
const TIMEOUT_MS = 30_000;
/** A watch tells of the target itself; what goes on around it is looked for this often. */
const EVERY_MS = 5_000;

export const openVerifier = async (
  { kubeconfig, context }: ClusterNamed,
  workingDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Verifier | { readonly fault: string }> => {
  const opened = await openCluster({
    clock: systemClock,
    environment,
    workingDirectory,
    kubeconfig,
    context,
    namespace: null,
    exec: { allow: [], show: () => undefined },
  });
  if (opened.kind === "refused") return { fault: `no cluster could be asked: ${opened.sentence}` };
  const { cluster } = opened;
  return {
    verify: async (asked: AskedOf, { windowMs, stop, note }: Looking): Promise<Verified> => {
      const made = proberFor(asked.response === null ? null : asked.response.ca, workingDirectory);
      if ("fault" in made) return { finding: "undetermined", sentence: made.fault };
      const { prober } = made;
      const question = questionOf(asked, cluster.facts.namespace);
      const report = await watchVerdict(
        {
          cluster,
          prober,
          clock: systemClock,
          question,
          comparison: NO_COMPARISON,
          timeoutMs: TIMEOUT_MS,
          stop,
        },
        { windowMs, everyMs: EVERY_MS, failFast: false },
        { report: (event) => ("text" in event ? note(event.text) : undefined) },
      );
      return { finding: report.verdict, sentence: sentenceOf(report, stop.aborted) };
    },
    close: () => cluster.close(),
  };
};

const questionOf = (
  { kind, name, namespace, uid, claims, response, replaced, commit }: AskedOf,
  otherwise: string,
): Question => ({
  kind,
  name,
  namespace: namespace === null ? otherwise : namespace,
  expected: { ...NOTHING_EXPECTED, uid, response, replaced, commit },
  claims,
});

const MOST_FINDINGS = 3;

/** The statement; and what of the claims that count is not proven, or is refuted whether it counts or not. */
const sentenceOf = ({ target, verdict, statement, findings }: VerdictReport, stopped: boolean): string => {
  const name = `${target.kind}/${target.name}`;
  if (verdict === "proven") return `${name}: ${statement}`;
  const counts = ({ finding, required }: Finding): boolean =>
    finding === "refuted" || (required && finding !== "proven");
  const open = findings.filter(counts);
  const said = open
    .slice(0, MOST_FINDINGS)
    .map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`);
  const more = open.length > MOST_FINDINGS ? [`and ${open.length - MOST_FINDINGS} more`] : [];
  const early = stopped ? ["the waiting was ended before its window was over"] : [];
  return `${name}: ${statement} ${[...said, ...more, ...early].join("; ")}`;
};
