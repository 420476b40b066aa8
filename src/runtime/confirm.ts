/**
 * confirm: after a step was observed present and as declared, the judge that `verify` uses is asked about the step's own
 * objects, until it is proven, no waiting changes it, or the window is over. Reads only, and no intent is written for it.
 *
 * Laws: nothing is complete without the record of what proved it: until then it is `unconfirmed`, also after a crash. A
 * window that ended is its own thing (V4). A signal ends the waiting, and what was seen by then is recorded (N4).
 */
import { type ClaimName, isGitOpsClaim } from "../domain/claim.ts";
import { type Asking, awaitsConfirm, parseConfirm } from "../domain/confirm.ts";
import { exitOf } from "../domain/exit-of-step.ts";
import { isCommit } from "../domain/expected-commit.ts";
import type { Judgement } from "../domain/finding.ts";
import type { StepName } from "../domain/ids.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { StepState } from "../domain/state.ts";
import { verdictOf } from "../domain/verdict.ts";
import type { AskedOf, ClusterNamed, Verified } from "../ports/verifier.ts";
import { progress } from "./intend.ts";
import { type Ending, stopped, through, type Work } from "./work.ts";

/** The step's ending, once what it has to be confirmed by was asked; `ending` as it is where there is nothing to ask. */
export const confirmed = async (work: Work, step: StepName, ending: Ending): Promise<Ending> => {
  const state = work.session.state(step);
  if (ending.kind !== "through" || state === undefined || !awaitsConfirm(state)) return ending;
  // N4: nothing more is started; it stays as it is, and the next run asks.
  if (work.runtime.interrupt.drain.aborted) return standing(state);
  return askAgain(work, state, windowOf(state));
};

const windowOf = ({ policy }: StepState): number =>
  policy.confirm === undefined ? 0 : policy.confirm.windowMs;

/** Asks, and records what came of it. `windowMs` 0: one look. */
const askAgain = async (work: Work, state: StepState, windowMs: number): Promise<Ending> => {
  const { session, runtime } = work;
  const verified = await ask(work, state, windowMs);
  const sentence = clipped(runtime.scrubber.text(verified.sentence.toWellFormed()));
  const after = await session.decide(
    state.step,
    { what: "confirmed", finding: verified.finding, sentence },
    "what the file asks to be proven was judged",
  );
  return standing(after);
};

const standing = (state: StepState): Ending =>
  state.status === "complete" ? through : stopped(exitOf(state), state.reason);

const MOST_TEXT = 2_000;
const clipped = (text: string): string =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT).toWellFormed()}…`;

const undetermined = (sentence: string): Verified => ({ finding: "undetermined", sentence });

const ask = async (work: Work, state: StepState, windowMs: number): Promise<Verified> => {
  const { confirm } = state.policy;
  const parsed = parseConfirm(confirm === undefined ? [] : confirm.claims);
  if ("faults" in parsed)
    return undetermined(
      `its confirm cannot be read: ${parsed.faults.map(({ message }) => message).join("; ")}`,
    );
  const all = await Promise.all(parsed.askings.map((asking) => askOne(work, state, asking, windowMs)));
  return together(all.flat());
};

/** The worst of them; each that is not proven has its sentence, or all have where all are. */
const together = (all: readonly Verified[]): Verified => {
  const finding: Judgement = verdictOf(all.map(({ finding }) => ({ finding, required: true })));
  const open = all.filter((one) => one.finding !== "proven");
  return { finding, sentence: (open.length > 0 ? open : all).map(({ sentence }) => sentence).join("; ") };
};

const askOne = async (
  work: Work,
  state: StepState,
  asking: Asking,
  windowMs: number,
): Promise<readonly Verified[]> => {
  const { runtime, session } = work;
  const { target, namespace, claims, response } = asking;
  const asked =
    target === null
      ? ownObjects(state, asking)
      : [{ ...target, namespace, uid: null, claims, response, replaced: null, commit: null }];
  if ("fault" in asked) return [undetermined(asked.fault)];
  const verifier = await runtime.verifier(clusterOf(state, asking));
  if ("fault" in verifier) return [undetermined(verifier.fault)];
  const stop = AbortSignal.any([runtime.interrupt.drain, session.lost]);
  runtime.reporter.report({
    kind: "waiting",
    step: state.step,
    why: `for ${asked.map(({ kind, name }) => `${kind}/${name}`).join(", ")} to be confirmed`,
    untilMs: windowMs,
  });
  try {
    return await Promise.all(
      asked.map((one) => {
        const prefix = asked.length > 1 ? `${one.kind}/${one.name}: ` : "";
        const note = (text: string) => progress(work, state.step, `${prefix}${text}`);
        return verifier.verify(one, { windowMs, stop, note });
      }),
    );
  } finally {
    verifier.close();
  }
};

/** A step that has its own way to the cluster is asked about by that way. */
const clusterOf = ({ applied, uses }: StepState, { kubeconfig, context }: Asking): ClusterNamed => {
  const inputs: JsonObject = hasItsOwnWay(uses) && applied !== null ? applied.inputs : {};
  return {
    kubeconfig: kubeconfig === null ? textOf(inputs["kubeconfig"]) : kubeconfig,
    context: context === null ? textOf(inputs["context"]) : context,
  };
};

const hasItsOwnWay = (uses: string): boolean => uses.startsWith("kubernetes") || uses === "argocd";

const textOf = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);

/** What asfound can judge such a claim of; a Service's own endpoints before those of whoever has Pods. */
const WORKLOADS: ReadonlyMap<string, string> = new Map([
  ["Deployment", "apps"],
  ["StatefulSet", "apps"],
  ["DaemonSet", "apps"],
  ["ReplicaSet", "apps"],
  ["Job", "batch"],
  ["Pod", ""],
  ["Rollout", "argoproj.io"],
]);

/** The step's own objects, as its outputs name them: each with the claims that are about it. */
const ownObjects = (
  { outputs }: StepState,
  asking: Asking,
): readonly AskedOf[] | { readonly fault: string } => {
  const objects = objectsIn(outputs["objects"]);
  if (objects === undefined)
    return {
      fault:
        "its outputs name no objects (objects: a list of apiVersion, kind, namespace, name, uid), so there is nothing to ask about; name one: confirm: [{ target: KIND/NAME, claims: [...] }]",
    };
  const replaced = replacedIn(outputs);
  const commit = commitIn(outputs["commit"]);
  const applications = objects.filter(({ group, kind }) => group === "argoproj.io" && kind === "Application");
  const services = objects.filter(({ group, kind }) => group === "" && kind === "Service");
  const workloads = objects.filter(({ group, kind }) => WORKLOADS.get(kind) === group);
  if (asking.response !== null) return answering(objects.length, workloads, asking, replaced);
  const claims = asking.claims === null ? [] : asking.claims;
  const isRouted = (claim: string): boolean => claim === "endpoints-ready" && services.length > 0;
  const isOfApplication = (claim: ClaimName): boolean => applications.length > 0 && isGitOpsClaim(claim);
  const left = claims.filter((claim) => !isOfApplication(claim));
  const of = (all: readonly Named[], its: readonly ClaimName[]): readonly AskedOf[] =>
    its.length === 0 ? [] : all.map((one) => askedOf(one, { claims: its, response: null, replaced, commit }));
  const asked = [
    ...of(applications, claims.filter(isOfApplication)),
    ...of(
      workloads,
      left.filter((claim) => !isRouted(claim)),
    ),
    ...of(services, left.filter(isRouted)),
  ];
  const unasked = workloads.length === 0 ? left.filter((claim) => !isRouted(claim)) : [];
  return unasked.length > 0 || asked.length === 0
    ? {
        fault: `none of the ${objects.length} objects in its outputs is one that ${claims.join(", ")} can be asked of`,
      }
    : asked;
};

/** Whose reply it is has to be one object's: which of several stands behind a path is not told. */
const answering = (
  count: number,
  workloads: readonly Named[],
  asking: Asking,
  replaced: AskedOf["replaced"],
): readonly AskedOf[] | { readonly fault: string } => {
  const [only] = workloads;
  if (only !== undefined && workloads.length === 1)
    return [askedOf(only, { ...asking, replaced, commit: null })];
  return {
    fault:
      only === undefined
        ? `none of the ${count} objects in its outputs is one that a reply can be asked of`
        : `its outputs name ${workloads.length} objects that may reply, so say which one: confirm: [{ target: ${only.kind.toLowerCase()}/${only.name}, response: ... }]`,
  };
};

const askedOf = (
  { kind, group, namespace, name, uid }: Named,
  its: Pick<AskedOf, "claims" | "response" | "replaced" | "commit">,
): AskedOf => ({
  kind: group === "" ? kind : `${kind}.${group}`,
  ...{ namespace, name, uid, claims: its.claims, response: its.response },
  ...{ replaced: its.replaced, commit: its.commit },
});

/** To which an Application was pinned. */
const commitIn = (value: JsonValue | undefined): AskedOf["commit"] => {
  if (!isJsonObject(value)) return null;
  const { sha, repository } = value;
  return typeof sha === "string" && isCommit(sha)
    ? { sha, tree: null, repository: textOf(repository), source: null }
    : null;
};

/** The Pods that a drill removed, and those that ran on beside them. */
const replacedIn = ({ replaced, beside, reply }: JsonObject): AskedOf["replaced"] => {
  const uids = textsOf(replaced);
  if (uids === null || uids.length === 0) return null;
  return { uids, beside: textsOf(beside), by: null, reply: typeof reply === "string" ? reply : null };
};

const textsOf = (value: JsonValue | undefined): readonly string[] | null => {
  if (!Array.isArray(value)) return null;
  const texts = (value as readonly JsonValue[]).filter((one) => typeof one === "string");
  return texts.length === value.length ? texts : null;
};

interface Named {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string | null;
}

const objectsIn = (value: JsonValue | undefined): readonly Named[] | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const named = value.flatMap((one): Named[] => {
    if (!isJsonObject(one)) return [];
    const { apiVersion, kind, name } = one;
    if (typeof apiVersion !== "string" || typeof kind !== "string" || typeof name !== "string") return [];
    const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
    return [{ group, kind, name, namespace: textOf(one["namespace"]), uid: textOf(one["uid"]) }];
  });
  return named.length === value.length ? named : undefined;
};

/** What a recorded step is confirmed by is asked again by reconcile: `through` also where it was proven before. */
export const confirmAgain = async (
  work: Work,
  step: StepName,
  ending: Ending,
  wait: boolean,
): Promise<Ending> => {
  const state = work.session.state(step);
  if (ending.kind !== "through" || state?.policy.confirm === undefined) return ending;
  if (work.runtime.interrupt.drain.aborted || state.status === "retained") return ending;
  if (awaitsConfirm(state)) return askAgain(work, state, wait ? windowOf(state) : 0);
  return state.status === "complete" ? askAgain(work, state, 0) : ending;
};
