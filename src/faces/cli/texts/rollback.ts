/** Words of the rollback verbs. */
import type { ConfigStep, RollbackLayers } from "../../../domain/rollback.ts";

export const ROLLBACK = {
  noTarget:
    "say what to roll back to: --to RELEASE, a recorded one, or --to-revision N, one that the workload keeps",
  drillScope:
    "--drill replaces a Pod, and needs --allow-namespace NAMESPACE, the one in which it may; neither goes without the other",
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
  layers: "Each layer by itself:",
  layerLines: (
    { rollout, configLoaded, configBound, timeBomb }: RollbackLayers,
    confirmed: string,
  ): readonly string[] => [
    `rollout complete: ${rollout ?? "not judged"}`,
    `config as loaded: ${configLoaded ?? "not judged"}`,
    `config of the next Pod: ${configBound ?? "not judged"}${timeBomb ? " (a time bomb)" : ""}`,
    `confirmed by a replaced Pod: ${confirmed}`,
  ],
  notDrilled: "no",
  done: "Done:",
  operation: (id: string, summary: string): string => `operation ${id}: ${summary}`,
  did: {
    make: "made again from the release",
    "write-back": "written back from the release",
    leave: "left as it is",
  } satisfies Readonly<Record<ConfigStep["do"], string>>,
  judged: "Judged afterwards:",
  goOn: (what: string): string => `Roll ${what} back like this?`,
  run: (command: string) => ({ command, why: "looks at all of it again, and carries it out" }),
  notRun: (command: string, decision: string) => ({
    command,
    why:
      decision === "refuted"
        ? "it is refused, for the reasons above"
        : "it would not be begun while that is not known",
  }),
  reconcile: (command: string) => ({
    command,
    why: "asks the cluster what became of the call that is in doubt",
  }),
  notAgain: (command: string) => ({ command, why: "a call of it is in doubt, and is settled first" }),
  drill: (command: string) => ({ command, why: "replaces one Pod, and shows whether the recovery holds" }),
  history: (command: string) => ({ command, why: "tells what was attempted on this workload, and why" }),
  notDone: (command: string) => ({ command, why: "it would be green, and says nothing of the next Pod" }),
  verify: (command: string) => ({ command, why: "says how the workload is now, layer by layer" }),
  trace: (command: string) => ({ command, why: "says which config its containers were given" }),
  notUndone: (command: string) => ({
    command,
    why: "it brings back the template alone, and looks at none of this",
  }),
} as const;
