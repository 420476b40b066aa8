/** Where a lab meets a cluster: opened, told where it is, run, and its namespace removed whatever came of it. */
import { openCluster } from "../../adapters/cluster-https/open.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import type { Io } from "../../compose.ts";
import { EXIT, type ExitCode, worstExit } from "../../domain/exit.ts";
import type { LabName, LabReport, LabStep } from "../../domain/lab.ts";
import { type Refused, refused } from "../../runtime/runtime.ts";
import { ids, type Where } from "../place.ts";
import { proberFor } from "../prober.ts";
import type { Delivering } from "./commits.ts";
import { Eyes } from "./eyes.ts";
import { gitRecovery } from "./git-recovery.ts";
import { rollbackConfig } from "./rollback-config.ts";
import { LabEnd, Scene, type Stage } from "./scene.ts";
import { staleProcess } from "./stale-process.ts";
import { syncedNotServed } from "./synced-not-served.ts";

export interface LabOptions {
  readonly lab: LabName;
  readonly image: string;
  /** How long it is waited for what a step is to show. */
  readonly withinMs: number;
  /** Leaves the namespace. */
  readonly keep: boolean;
  readonly where: Omit<Where, "file" | "stack" | "needsFile">;
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly allowExec: readonly string[];
  /** Of a lab of deliveries: where it may push to, and where Argo CD is. */
  readonly delivery: { readonly repository: string; readonly argocdNamespace: string } | null;
}

export interface OpenedLab {
  readonly kind: "lab";
  /** Of the cluster, before anything is asked of it. */
  readonly server: string;
  readonly context: string | null;
  readonly namespace: string;
  readonly delivery: LabReport["delivery"];
  run(io: Io): Promise<LabReport>;
  close(): void;
}

interface Story {
  readonly about: string;
  readonly steps: (scene: Scene, eyes: Eyes, image: string) => AsyncGenerator<LabStep>;
}

const STORIES: Readonly<Record<LabName, Story>> = {
  "rollback-config": {
    about: "what a rollback of the template brings back of config, and what not",
    steps: rollbackConfig,
  },
  "stale-process": {
    about: "an edit of config that reaches an object, a file or a process, each in its own time or never",
    steps: staleProcess,
  },
  "synced-not-served": {
    about: "a commit that is synced and does not serve, with old Pods that answer and without any",
    steps: syncedNotServed,
  },
  "git-recovery": {
    about: "a recovery by git revert, a pin that follows no branch, and a live edit that is undone",
    steps: gitRecovery,
  },
};

export const openLab = async (options: LabOptions): Promise<OpenedLab | Refused> => {
  const { kubeconfig, context, allowExec, where } = options;
  const opened = await openCluster({
    clock: systemClock,
    environment: where.environment,
    workingDirectory: where.cwd,
    kubeconfig,
    context,
    namespace: null,
    exec: { allow: allowExec, show: () => undefined },
  });
  if (opened.kind === "refused") return refused(EXIT.usage, opened.sentence);
  const { cluster } = opened;
  // Nobody else has it: eight digits of a random number.
  const own = ids.uuid().slice(-8);
  const namespace = `asfound-lab-${own}`;
  const delivering: Delivering | null =
    options.delivery === null
      ? null
      : {
          url: options.delivery.repository,
          branch: namespace,
          application: { namespace: options.delivery.argocdNamespace, name: namespace },
        };
  return {
    kind: "lab",
    server: cluster.facts.server,
    context: cluster.facts.context,
    namespace,
    delivery: toldOf(delivering),
    run: (io) =>
      run(options, {
        where,
        io,
        cluster,
        kubeconfig,
        context,
        allowExec,
        stackName: `lab-${options.lab}-${own}`,
        namespace,
        withinMs: options.withinMs,
        delivering,
      }),
    close: () => cluster.close(),
  };
};

const run = async ({ lab, image, keep }: LabOptions, stage: Stage): Promise<LabReport> => {
  const { about, steps } = STORIES[lab];
  const from = systemClock.now();
  const scene = new Scene(stage);
  const told: LabStep[] = [];
  let ended: string | null = null;
  try {
    const begun = await scene.begin();
    if (!begun.through) throw new LabEnd(begun.why.join("; "));
    const made = proberFor(null, stage.where.cwd);
    if ("fault" in made) throw new LabEnd(made.fault);
    for await (const step of steps(scene, new Eyes(stage, made.prober), image)) {
      told.push(step);
      stage.io.reporter.report({ kind: "note", text: `${told.length}. ${step.title}: ${wordOf(step)}` });
      if (stage.io.interrupt.drain.aborted) throw new LabEnd("it was told to end");
    }
  } catch (error) {
    if (!(error instanceof LabEnd)) throw error;
    ended = error.message;
  }
  const removal = await removed(scene, stage, keep);
  return {
    lab,
    about,
    cluster: { server: stage.cluster.facts.server, context: stage.cluster.facts.context },
    namespace: stage.namespace,
    image,
    delivery: toldOf(stage.delivering),
    from,
    to: systemClock.now(),
    steps: told,
    ended,
    removal,
    stack: stage.stackName,
    exit: exitOf(stage, told, ended, removal.removed || keep),
  };
};

const toldOf = (delivering: Delivering | null): LabReport["delivery"] =>
  delivering === null
    ? null
    : {
        repository: delivering.url,
        branch: delivering.branch,
        application: `${delivering.application.namespace}/${delivering.application.name}`,
      };

const wordOf = ({ missed }: LabStep): string =>
  missed.length === 0 ? "as told" : `not as told: ${missed.join("; ")}`;

const removed = async (
  scene: Scene,
  { stackName, namespace, delivering, io }: Stage,
  keep: boolean,
): Promise<LabReport["removal"]> => {
  const beside =
    delivering === null ? "" : `; so are its Application and branch ${delivering.branch} of its repository`;
  const later = `asfound destroy --stack ${stackName} --yes removes it`;
  if (keep) return { removed: false, says: `namespace ${namespace} was kept; ${later}` };
  if (io.interrupt.drain.aborted)
    return { removed: false, says: `namespace ${namespace} is left, as it was told to end; ${later}` };
  try {
    const { through, why } = await scene.end();
    return through
      ? { removed: true, says: `namespace ${namespace} is gone, with all that was in it${beside}` }
      : {
          removed: false,
          says: `namespace ${namespace} is not seen to be gone: ${why.join("; ")}; ${later}`,
        };
  } catch (error) {
    if (!(error instanceof LabEnd)) throw error;
    return { removed: false, says: `namespace ${namespace} is left: ${error.message}; ${later}` };
  }
};

const exitOf = ({ io }: Stage, told: readonly LabStep[], ended: string | null, isOver: boolean): ExitCode => {
  const signal = io.interrupt.first();
  return worstExit([
    ...(signal === null ? [] : [signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated]),
    ...(isOver ? [] : [EXIT.unresolved]),
    ...(told.some(({ missed }) => missed.length > 0) ? [EXIT.refuted] : []),
    ...(ended === null ? [] : [EXIT.undetermined]),
    EXIT.proven,
  ]);
};
