/**
 * The place of a lab: a namespace that it makes, and all that it puts there, as one stack of the ledger like any other (W1):
 * a lab that was killed is seen by `status --stack` and removed by `destroy --stack`. Everything is in the namespace, and
 * nothing else is touched: the other steps are contained in it, and are called with its name. A lab of deliveries has two things
 * outside of it, each of a name of its own: a branch in the person's repository, and an Application in Argo CD's namespace.
 */

import { systemClock } from "../../adapters/system/clock.ts";
import { type Io, openProject, type Project } from "../../compose.ts";
import { stepName } from "../../domain/ids.ts";
import type { JsonObject } from "../../domain/json.ts";
import { DEFAULTS, type Stack, type Step } from "../../domain/step.ts";
import type { Cluster } from "../../ports/cluster.ts";
import { apply } from "../../runtime/apply.ts";
import { destroy } from "../../runtime/destroy.ts";
import { isRefused, type Refused } from "../../runtime/runtime.ts";
import { digestOf } from "../../wire/digest.ts";
import type { StackFaults, Where } from "../place.ts";
import {
  applicationOf,
  type Delivering,
  type Following,
  type LabCommit,
  pushing,
  withCommit,
  withRevert,
} from "./commits.ts";
import { keyOf } from "./objects.ts";

/** Which cluster, as whom, and where it is recorded. */
export interface Stage {
  readonly where: Omit<Where, "file" | "stack" | "needsFile">;
  readonly io: Io;
  readonly cluster: Cluster;
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly allowExec: readonly string[];
  readonly stackName: string;
  readonly namespace: string;
  /** How long it is waited for what a step is to show. */
  readonly withinMs: number;
  /** Of a lab of deliveries. */
  readonly delivering: Delivering | null;
}

export interface Came {
  /** Every step is as declared. */
  readonly through: boolean;
  /** Why not, each a sentence. */
  readonly why: readonly string[];
}

/** A lab that cannot go on; `why` is a sentence. */
export class LabEnd extends Error {
  readonly code = "ASFOUND_LAB_END";
}

/** The server shows its old picture for no longer than this after its reply. */
const SETTLE_MS = 1_000;
const DEADLINE_MS = 180_000;

export class Scene {
  readonly stage: Stage;
  /** By kind and name, in the order in which they were put first. */
  #objects = new Map<string, JsonObject>();
  #drill: JsonObject | null = null;
  #commits: readonly LabCommit[] = [];
  #following: Following = { pin: null, selfHeal: false };
  #edit: JsonObject | null = null;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  /** The namespace, alone. */
  begin(): Promise<Came> {
    return this.#apply("a lab's namespace");
  }

  /** Adds these objects, or changes them. What is refused is not kept. */
  async put(objects: readonly JsonObject[], why: string): Promise<Came> {
    const before = this.#objects;
    this.#objects = new Map([...before, ...objects.map((one) => [keyOf(one), one] as const)]);
    const came = await this.#apply(why);
    if (!came.through) this.#objects = before;
    return came;
  }

  /** Commits these objects and pushes them to the lab's branch, which an Application follows from the first commit on. */
  async commit(subject: string, objects: readonly JsonObject[]): Promise<LabCommit> {
    this.#commits = withCommit(this.#commits, subject, objects, nowS());
    return this.#push();
  }

  /** Pushes what `git revert` makes of the last commit. */
  async revert(): Promise<LabCommit> {
    this.#commits = withRevert(this.#commits, nowS());
    return this.#push();
  }

  async #push(): Promise<LabCommit> {
    const made = this.#commits.at(-1);
    if (made === undefined) throw new LabEnd("there is no commit");
    const came = await this.#apply(`a commit: ${made.subject}`);
    if (!came.through) throw new LabEnd(`${made.subject}: ${came.why.join("; ")}`);
    return made;
  }

  /** Has the Application follow something else. */
  async follow(following: Following, why: string): Promise<void> {
    this.#following = following;
    const came = await this.#apply(why);
    if (!came.through) throw new LabEnd(`${why}: ${came.why.join("; ")}`);
  }

  /** Changes fields of an object that somebody else declares, as an edit by hand does; they may be undone before they are read. */
  async edit(object: JsonObject, why: string): Promise<Came> {
    this.#edit = object;
    return this.#apply(why);
  }

  /** Evicts this Pod, if it is still as it was read. */
  async evict(pod: JsonObject, workload: JsonObject, why: string): Promise<Came> {
    const { metadata } = pod as { readonly metadata: JsonObject };
    const { metadata: its } = workload as { readonly metadata: JsonObject };
    const { uid, name, resourceVersion } = metadata;
    this.#drill = {
      workload: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        resource: "deployments",
        namespace: this.stage.namespace,
        name: its["name"] ?? "",
        uid: its["uid"] ?? "",
      },
      pod: { name: name ?? "", uid: uid ?? "", resourceVersion: resourceVersion ?? "" },
      by: "evict",
      allowNamespaces: [this.stage.namespace],
      cluster: null,
      ...this.#way(),
    };
    return this.#apply(why);
  }

  /** Removes the namespace, and waits until it is gone; all that is in it goes with it. */
  async end(): Promise<Came> {
    const came = await this.#opened("write", async (project) => {
      const done = await destroy(project.runtime, {
        stack: project.stackName,
        stackId: project.stackId,
        file: project.stack,
        described: project.described,
        fileDigest: project.fileDigest,
        options: { only: [], allowDestroy: true, failFast: false, parallelism: 4 },
        reason: "a lab is over",
        leaseWaitMs: 0,
      });
      if (isRefused(done)) return done.exit === 0 ? THROUGH : { through: false, why: [done.why] };
      return { through: done.exit === 0, why: done.exit === 0 ? [] : [done.summary, ...done.notes] };
    });
    return cameOf(came);
  }

  async #apply(reason: string): Promise<Came> {
    const came = await this.#opened("create", async (project) => {
      const { stack, fileDigest } = project;
      if (stack === null || fileDigest === null) throw new LabEnd("the lab has no stack");
      const done = await apply(project.runtime, {
        stack,
        stackId: project.stackId,
        described: project.described,
        fileDigest,
        options: { only: [], allowDestroy: false, failFast: true, parallelism: 1 },
        reason,
        leaseWaitMs: 0,
        plan: null,
      });
      if (isRefused(done)) throw new LabEnd(done.why);
      const stopped = [...done.endings.values()].flatMap((one) => (one.kind === "stopped" ? [one.why] : []));
      return {
        through: done.exit === 0,
        why: stopped.length > 0 || done.exit === 0 ? stopped : [done.summary],
      };
    });
    return cameOf(came);
  }

  async #opened<T>(
    access: "create" | "write",
    use: (project: Project) => Promise<T>,
  ): Promise<T | Refused | StackFaults> {
    const { where, io, stackName } = this.stage;
    const stack = this.#stack();
    const fileDigest = digestOf([...stack.steps.values()].map(({ name, with: inputs }) => [name, inputs]));
    const at: Where = { ...where, file: null, stack: stackName, needsFile: true };
    const opened = await openProject(at, access, io, {
      stack: { stack, fileDigest, directory: where.cwd },
    });
    if (opened.kind !== "project") return opened;
    try {
      return await use(opened);
    } finally {
      await opened.close();
    }
  }

  #way(): JsonObject {
    const { kubeconfig, context, allowExec } = this.stage;
    return {
      ...(kubeconfig === null ? {} : { kubeconfig }),
      ...(context === null ? {} : { context }),
      allowExec: [...allowExec],
    };
  }

  /** Neither is in the namespace, so both are removed for themselves: the Application first, which would miss its branch. */
  #delivery(): readonly Step[] {
    const { namespace, delivering, where } = this.stage;
    if (delivering === null || this.#commits.length === 0) return [];
    const agent = where.environment["SSH_AUTH_SOCK"];
    const inputs = {
      objects: [applicationOf(delivering, namespace, this.#following)],
      namespace: delivering.application.namespace,
      inventory: namespace,
      ...this.#way(),
    };
    return [
      stepOf("commits", "exec", pushing(delivering, this.#commits, agent), { needs: ["namespace"] }),
      stepOf("application", "kubernetes", inputs, { needs: ["namespace", "commits"] }),
    ];
  }

  #stack(): Stack {
    const { namespace, stackName } = this.stage;
    const inside = { partOf: "namespace", needs: ["namespace"] };
    const steps = [
      stepOf("namespace", "kubernetes-namespace", { name: namespace, ...this.#way() }),
      ...(this.#objects.size === 0
        ? []
        : [
            stepOf(
              "objects",
              "kubernetes",
              { objects: [...this.#objects.values()], namespace, ...this.#way() },
              inside,
            ),
          ]),
      ...this.#delivery(),
      ...(this.#edit === null
        ? []
        : [
            stepOf(
              "edit",
              "kubernetes",
              { objects: [this.#edit], namespace, adopt: true, force: true, ...this.#way() },
              { ...inside, needs: ["namespace", "application"] },
            ),
          ]),
      ...(this.#drill === null
        ? []
        : [stepOf("drill", "kubernetes-drill", this.#drill, { ...inside, needs: ["namespace", "objects"] })]),
    ];
    return {
      name: stackName as Stack["name"],
      steps: new Map(steps.map((step) => [step.name, step])),
      ledger: null,
      directory: null,
    };
  }
}

const nowS = (): number => Math.floor(systemClock.now() / 1_000);

const THROUGH: Came = { through: true, why: [] };

const cameOf = (came: Came | Refused | StackFaults): Came => {
  if ("through" in came) return came;
  throw new LabEnd(came.kind === "refused" ? came.why : came.faults.map(({ message }) => message).join("; "));
};

const stepOf = (
  name: string,
  uses: string,
  inputs: JsonObject,
  { needs = [], partOf = null }: { readonly needs?: readonly string[]; readonly partOf?: string | null } = {},
): Step => ({
  name: stepName(name),
  uses,
  with: inputs,
  needs: needs.map(stepName),
  partOf: partOf === null ? null : stepName(partOf),
  confirm: [],
  retry: null,
  keyLifetimeMs: DEFAULTS.keyLifetimeMs,
  settleMs: SETTLE_MS,
  deadlineMs: DEADLINE_MS,
  windowMs: DEFAULTS.windowMs,
  files: [],
  onChange: null,
  retain: null,
  approve: null,
  compensate: null,
  public: [],
  keepSecrets: false,
  renamedFrom: null,
});
