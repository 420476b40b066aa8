/**
 * The steps of a rollback, from a plan that nothing stands against: config first, then the template, each only where something
 * has to be written. Pure. What a step's provider needs is all in its inputs, and no secret: a template of which a value is
 * never written is named by what keeps it in the cluster, and not stored.
 */
import { CLAIMS, type ClaimName } from "../domain/claim.ts";
import type { ExpectedConfig } from "../domain/config.ts";
import { EXIT } from "../domain/exit.ts";
import { NOTHING_EXPECTED } from "../domain/expected.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Question } from "../domain/question.ts";
import { resourceOf } from "../domain/resource.ts";
import type { ConfigStep, RollbackLayers } from "../domain/rollback.ts";
import type { DrillReportInput } from "../wire/api/drill-report.ts";
import { canonicalJson } from "../wire/canonical.ts";
import type { RollbackPlan } from "./rollback-plan.ts";
import type { VerdictReport } from "./verify.ts";

/** How its cluster is reached again, also later and without the verb. */
export interface RollbackWay {
  /** The uid of its Namespace kube-system. */
  readonly cluster: string | null;
  readonly kubeconfig: string | null;
  readonly context: string | null;
  readonly allowExec: readonly string[];
}

export interface RollbackStep {
  readonly name: "config" | "template";
  readonly uses: "kubernetes-config" | "kubernetes-template";
  readonly with: JsonObject;
}

export const rollbackSteps = (
  plan: RollbackPlan,
  way: RollbackWay,
): readonly RollbackStep[] | { readonly fault: string } => {
  const { target, report } = plan;
  const live = report.subject;
  if (target === null || live === null) return { fault: "there is nothing to roll back to" };
  const resource = resourceOf(live.group, live.kind);
  const { uid, resourceVersion } = report.target;
  if (resource === undefined || uid === null || resourceVersion === null || live.namespace === null)
    return { fault: "it does not say its UID, namespace and resourceVersion" };
  const common: JsonObject = {
    workload: {
      apiVersion: apiVersionOf(live),
      kind: live.kind,
      resource: resource.plural,
      namespace: live.namespace,
      name: live.name,
      uid,
    },
    cluster: way.cluster,
    kubeconfig: way.kubeconfig,
    context: way.context,
    allowExec: [...way.allowExec],
  };
  const written = plan.config.filter((one) => one.do !== "leave");
  const config: readonly RollbackStep[] =
    written.length === 0
      ? []
      : [
          {
            name: "config",
            uses: "kubernetes-config",
            with: { ...common, objects: written.map((one) => objectOf(one, plan)) },
          },
        ];
  const template: readonly RollbackStep[] = plan.templateIsThere
    ? []
    : [
        {
          name: "template",
          uses: "kubernetes-template",
          with: { ...common, resourceVersion, ...holderOf(target) },
        },
      ];
  return [...config, ...template];
};

const apiVersionOf = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === "" ? version : `${group}/${version}`;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as Uint8Array).toString("base64");

const objectOf = (one: ConfigStep, { target }: RollbackPlan): JsonObject => {
  const recorded = target?.release?.config.find(({ kind, name }) => kind === one.kind && name === one.name);
  return {
    name: one.name,
    do: one.do,
    immutable: one.do === "make" && recorded?.immutable === true,
    uid: one.uid,
    resourceVersion: one.resourceVersion,
    content: [...(recorded?.content ?? [])]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, bytes]) => ({ key, bytes: base64(bytes) })),
  };
};

const holderOf = (target: NonNullable<RollbackPlan["target"]>): JsonObject => {
  const object = target.revision?.object;
  if (object === undefined || object.uid === null)
    return { from: null, template: base64(new TextEncoder().encode(canonicalJson(target.template))) };
  return {
    from: {
      apiVersion: apiVersionOf(object),
      kind: object.kind,
      resource: object.kind === "ReplicaSet" ? "replicasets" : "controllerrevisions",
      name: object.name,
      uid: object.uid,
    },
    template: null,
  };
};

/** What was decided by; another one afterwards is another decision. */
export const positionOf = (plan: RollbackPlan): string =>
  canonicalJson({
    uid: plan.report.target.uid,
    generation: plan.report.target.generation,
    to: plan.to === null ? null : { text: plan.to.text, revision: plan.to.revision?.uid ?? null },
    config: plan.config.map(({ kind, name, do: doing, uid, now, immutable }) => ({
      kind,
      name,
      doing,
      uid,
      now,
      immutable,
    })),
    decision: plan.decision,
  });

const CONFIG_CLAIMS: readonly ClaimName[] = ["config-loaded", "config-bound"];
const USUAL: readonly ClaimName[] = ["spec-observed", "rollout-complete", "old-gone", "capacity"];

/** What has to hold afterwards: the rollout, and of a target that takes config that it was loaded, and will be. */
export const questionAfter = (plan: RollbackPlan, question: Question): Question => {
  const release = plan.target?.release ?? null;
  const expected = new Map<string, ExpectedConfig>(
    release === null
      ? []
      : release.config.flatMap(({ kind, name, digest }) =>
          kind === "ConfigMap" && plan.config.some((one) => one.kind === kind && one.name === name)
            ? [[name, { sha256: digest, version: release.name }] as const]
            : [],
        ),
  );
  return {
    ...question,
    expected: { ...NOTHING_EXPECTED, uid: plan.report.target.uid, config: expected },
    claims: plan.config.length === 0 ? null : [...USUAL, ...CONFIG_CLAIMS],
  };
};

export const layersOf = ({ findings }: Pick<VerdictReport, "findings">): RollbackLayers => {
  const of = (claim: ClaimName) => findings.find((one) => one.claim === claim);
  const finding = (claim: ClaimName) => of(claim)?.finding ?? null;
  return {
    rollout: finding("rollout-complete"),
    configLoaded: finding("config-loaded"),
    configBound: finding("config-bound"),
    timeBomb: of("config-bound")?.finding === "refuted",
  };
};

/** For a person: what was shown, and what only a replaced Pod would show. */
export const layersText = (layers: RollbackLayers): string => {
  const rollout = `${CLAIMS["rollout-complete"].says}: ${layers.rollout ?? "not judged"}`;
  if (layers.configBound === null)
    return `The rollout is ${layers.rollout ?? "not judged"}; that it is a recovery only a replaced Pod would show.`;
  if (layers.timeBomb)
    return `Not recovered: the rollout is ${layers.rollout ?? "not judged"}, and the next Pod is not given the config that these were (a time bomb); what it is given, a drill shows.`;
  return layers.rollout === "proven" && layers.configBound === "proven" && layers.configLoaded !== "refuted"
    ? "Rolled back: the rollout is complete and the next Pod would be given the same config; confirmed it is once a replaced Pod has come up right."
    : `Rolled back, and not shown to be recovered (${rollout}; config-loaded ${layers.configLoaded ?? "not judged"}, config-bound ${layers.configBound}).`;
};

/** What a drill after the rollback came to. `report`: of the look before it; null: there was none. */
export const drilledText = (
  { exit, refused, verdict }: Pick<DrillReportInput, "exit" | "refused" | "verdict">,
  report: Pick<VerdictReport, "verdict" | "findings"> | null,
): string => {
  if (refused !== null) return `Rolled back, and not confirmed: the drill was refused: ${refused.sentence}`;
  if (exit !== EXIT.proven)
    return `Rolled back, and not recovered: the Pod that came in the place of another one is not right${verdict === null ? "" : ` (${verdict.verdict}: ${verdict.statement})`}`;
  if (report?.verdict === "proven") return "Rolled back, and confirmed: a replaced Pod came up right.";
  const open = (report === null ? [] : report.findings).filter(
    ({ finding, required }) => finding === "refuted" || (required && finding !== "proven"),
  );
  const why = open.slice(0, 3).map(({ claim, finding, sentence }) => `${claim} is ${finding}: ${sentence}`);
  return `Rolled back, and a replaced Pod came up right; not confirmed, since ${why.length === 0 ? "the rollout could not be judged" : why.join("; ")}`;
};
