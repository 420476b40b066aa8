/** Words of the rollback verbs. */
import type { ConfigStep } from "../../../domain/rollback.ts";

export const ROLLBACK = {
  noTarget:
    "say what to roll back to: --to RELEASE, a recorded one, or --to-revision N, one that the workload keeps",
  to: "to",
  checks: "Checks:",
  todo: "What to do:",
  changes: "What would change of the template:",
  config: "Config of the target:",
  bystanders: "Would be touched as well, since they take config from the same objects:",
  limits: "What the checks do not tell:",
  now: "Now:",
  decision: {
    proven: "may be rolled back",
    refuted: "refused",
    undetermined: "not decided",
    progressing: "not decided",
  } as Readonly<Record<string, string>>,
  accepted: "accepted",
  do: {
    make: "would be made again from the release",
    "write-back": "would be written back from the release",
    leave: "left as it is",
  } satisfies Readonly<Record<ConfigStep["do"], string>>,
  configLine: (what: string, does: string, sharers: readonly string[]): string =>
    `${what}: ${does}${sharers.length === 0 ? "" : `; also taken by ${sharers.join(", ")}`}`,
  change: (path: string, now: string, then: string): string => `${path}: ${now} -> ${then}`,
  there: "the live template is the target's already",
  verify: (command: string) => ({ command, why: "says how the workload is now, layer by layer" }),
  trace: (command: string) => ({ command, why: "says which config its containers were given" }),
  notUndone: (command: string) => ({
    command,
    why: "it brings back the template alone, and none of what stands against it here would be different",
  }),
} as const;
