/** `config trace --read-files`: a trace, the question whether files may be read, the reading, and the trace once more with it. */
import type { ExitCode } from "../domain/exit.ts";
import { type LiveOptions, liveEvidence } from "../runtime/collect.ts";
import { NO_COMPARISON } from "../runtime/comparison.ts";
import { type FilesPlanned, filesPlanned, readFiles, withFiles } from "../runtime/config-files.ts";
import { type ConfigTrace, configTraceOf, traceQuestion } from "../runtime/config-trace.ts";
import type { Refused } from "../runtime/runtime.ts";
import { asking, type Live } from "./verify-cluster.ts";

/** null: go on. Else what the process exits with; nothing was run. */
export type Consent = (planned: readonly FilesPlanned[]) => Promise<ExitCode | null>;

export interface Declined {
  readonly kind: "declined";
  readonly exit: ExitCode;
}

export const traceWithFiles = (
  live: Live,
  target: Parameters<typeof traceQuestion>[0],
  consent: Consent,
): Promise<ConfigTrace | Refused | Declined> =>
  asking(live, traceQuestion(target), async (asked) => {
    const options: LiveOptions = { ...asked, comparison: NO_COMPARISON };
    const look = await liveEvidence(options).collect();
    const first = configTraceOf(look, options.question);
    const planned = filesPlanned(look, options.question, first.report.subject);
    if (planned.length === 0) return first;
    const declined = await consent(planned);
    if (declined !== null) return { kind: "declined", exit: declined };
    const { cluster, timeoutMs, stop } = options;
    const round = cluster.round({ deadlineMs: timeoutMs, stop });
    const read = await readFiles(round, planned).finally(() => round.end());
    // The objects are read once more, so that an edit in between never looks like a file that did not follow.
    return configTraceOf(withFiles(await liveEvidence(options).collect(), read), options.question);
  });
