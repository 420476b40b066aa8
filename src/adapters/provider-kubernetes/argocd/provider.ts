/**
 * `uses: argocd`: pins an Application of Argo CD to a commit, and syncs it. See docs/guide/argocd-provider.md.
 *
 * Laws: the Application is never made and never deleted; only that incarnation is changed (UID, D4), and only as it was read
 * (resourceVersion); a sync that goes on is never written over; whose a pin is, is told by its mark (R4).
 */
import { deploymentsOf, isAutomatic, rolledBack, underwayIn } from "../../../domain/argo-application.ts";
import type { JsonObject } from "../../../domain/json.ts";
import { unreadable } from "../../../domain/known.ts";
import type { Outcome, Reading } from "../../../domain/outcome.ts";
import type {
  CallIo,
  InputFault,
  Previewed,
  Provider,
  ProviderFacts,
  Question,
} from "../../../ports/provider.ts";
import { printable } from "../../../wire/redact/printable.ts";
import { markOf, nameOf } from "../inventory.ts";
import { type ClusterReach, clusterReachOf, found, lookAt, type Parts, type There } from "../reach.ts";
import { carryOut, pinFault } from "./change.ts";
import { declaredBy, markIn, pinning, type Source, sourceOf } from "./pin.ts";
import { type PinSpec, parsePin } from "./spec.ts";
import { deploymentText, isDeployed, outputsOf, shortOf, standingOf, underwayText } from "./standing.ts";

const describe = (inputs: JsonObject): ProviderFacts | readonly InputFault[] => {
  const parsed = parsePin(inputs, true);
  if ("faults" in parsed) return parsed.faults;
  const { sync, adopt } = parsed.spec;
  return {
    can: { observe: true, create: true, update: true, destroy: true, compensate: false, owed: false },
    retry: "keyed",
    inputFiles: [],
    cannotKnow: [
      "A destroy puts targetRevision back to what it was, and syncs nothing; an Application that is synced automatically then deploys what is there.",
      ...(sync
        ? []
        : ["Nothing is synced by this step: it is pinned, and whatever syncs the Application does."]),
      ...(adopt ? ["A pin of another step is taken over, and lifted with this one."] : []),
    ],
  };
};

const failed = (reason: string): Reading => ({ kind: "failed", reason });
const messages = (faults: readonly InputFault[]): string => faults.map(({ message }) => message).join("; ");

const expectedCluster = ({ identity, outputs }: Question): string | null => {
  const { cluster } = outputs;
  return identity !== null && typeof cluster === "string" ? cluster : null;
};

const marksOf = ({ keys, key }: Question): readonly string[] =>
  [...new Set([...keys, ...(key === null ? [] : [key])])].map(markOf);

/** Which of our marks it carries. With an identity alone (an import) whatever pin is there is meant. */
const ours = ({ object, uid }: There, question: Question): string | null => {
  const mark = markIn(object);
  if (question.identity !== null && question.identity.id !== uid) return null;
  const marks = marksOf(question);
  return mark !== null && (marks.includes(mark) || (marks.length === 0 && question.identity !== null))
    ? mark
    : null;
};

const look = async (reach: ClusterReach, spec: PinSpec, question: Question): Promise<Reading> => {
  const looked = await lookAt(reach, [spec.application]);
  if (!("looks" in looked)) return { kind: looked.kind, reason: looked.sentence };
  const [there] = found(looked.looks);
  const mark = there === undefined ? null : ours(there, question);
  if (there === undefined || mark === null) return { kind: "absent" };
  const source = sourceOf(there.object, spec);
  if ("fault" in source)
    return {
      kind: "observed",
      id: there.uid,
      outputs: {},
      asDeclared: unreadable(source.fault),
      reason: null,
    };
  const outputs = outputsOf(reach.clusterUid, there, source, spec);
  return { kind: "observed", id: there.uid, outputs, ...standingOf(there, source, spec, mark) };
};

const observe = async (parts: Parts, question: Question, io: CallIo): Promise<Reading> => {
  const parsed = parsePin(question.inputs, false);
  if ("faults" in parsed) return failed(`'with' cannot be used: ${messages(parsed.faults)}`);
  const reach = await clusterReachOf(parts, parsed.spec, io, expectedCluster(question));
  if ("fault" in reach) return failed(reach.fault);
  try {
    return await look(reach, parsed.spec, question);
  } finally {
    reach.cluster.close();
  }
};

/** What a person should know before: which way this goes, and who else has a hand in it. */
const notesOf = ({ object }: There, source: Source, { revision, sync }: PinSpec): readonly string[] => {
  const before = deploymentsOf(object, source.index).findLast((one) => one.revision === revision);
  const back = source.revision === null ? null : rolledBack(object, source.index, source.revision);
  const declarer = declaredBy(object);
  const underway = underwayIn(object);
  const isThere = isDeployed(object, source, revision);
  return [
    ...(back === null
      ? []
      : [
          `what is deployed now is the older commit ${shortOf(back.deployed.revision)} (${deploymentText(back.deployed)}): a rollback in Argo CD, which left targetRevision as it is`,
        ]),
    ...(before === undefined || isThere
      ? []
      : [
          `${shortOf(revision)} was deployed before (${deploymentText(before)}): this moves the pin back to it. It is no revert in Git, where the branch stays as it is, and no 'argocd app rollback', which leaves targetRevision`,
        ]),
    ...(underway === null ? [] : [`${underwayText(underway)}: it is waited for`]),
    ...(sync && isAutomatic(object)
      ? [
          "it is synced automatically: 'argocd app rollback' is refused by Argo CD, and a sync to another commit would be undone",
        ]
      : []),
    ...(declarer === null
      ? []
      : [`it may be declared by ${declarer}: that one then puts targetRevision back when it syncs`]),
  ];
};

const shown = (revision: string | null): string =>
  revision === null ? "nothing (HEAD)" : printable(revision);

const previewOf = async (reach: ClusterReach, spec: PinSpec, question: Question): Promise<Previewed> => {
  const of = nameOf(spec.application);
  const looked = await lookAt(reach, [spec.application]);
  if (!("looks" in looked)) return { what: "unknown", of, lines: [looked.sentence] };
  const [there] = found(looked.looks);
  const mark = question.key === null ? "asfound-not-made-yet" : markOf(question.key);
  const fault = pinFault(there, spec, mark, question.identity?.id ?? null);
  if (there === undefined || fault !== undefined) return { what: "refused", of, lines: [fault ?? ""] };
  const source = sourceOf(there.object, spec);
  if ("fault" in source) return { what: "refused", of, lines: [source.fault] };
  const isSync =
    spec.sync && !(source.revision === spec.revision && isDeployed(there.object, source, spec.revision));
  const { uid, resourceVersion } = there;
  const operations = pinning(there, source, spec, { call: rehearsedBy(question), mark, sync: isSync });
  const said = await reach.writer.rehearsePatch(
    { ref: spec.application, preconditions: { uid, resourceVersion }, patch: { kind: "json", operations } },
    reach.limits(),
  );
  if (said.kind !== "applied")
    return { what: said.kind === "refused" ? "refused" : "unknown", of, lines: [said.sentence] };
  const at = source.at.slice(1).replaceAll("/", ".");
  const lines = [
    ...(source.revision === spec.revision
      ? []
      : [`${at}.targetRevision: ${shown(source.revision)} → ${spec.revision}`]),
    ...(isSync ? [`a sync to ${shortOf(spec.revision)} is asked for`] : []),
  ];
  const isSame = lines.length === 0 && markIn(there.object) === mark;
  return { what: isSame ? "leave" : "change", of, lines: [...lines, ...notesOf(there, source, spec)] };
};

/** Names for the rehearsal alone: nothing of it is kept. */
const rehearsedBy = ({ stack, step, operation, attempt }: Question) => ({ stack, step, operation, attempt });

const preview = async (parts: Parts, question: Question, io: CallIo): Promise<readonly Previewed[]> => {
  const parsed = parsePin(question.inputs, false);
  if ("faults" in parsed) return [{ what: "unknown", of: "with", lines: [messages(parsed.faults)] }];
  const reach = await clusterReachOf(parts, parsed.spec, io, expectedCluster(question));
  if ("fault" in reach) return [{ what: "unknown", of: "the cluster", lines: [reach.fault] }];
  try {
    return [await previewOf(reach, parsed.spec, question)];
  } finally {
    reach.cluster.close();
  }
};

const nothing = (what: string): Outcome => ({ kind: "refused", reason: `nothing was changed: ${what}` });

export const argocdProvider = (parts: Parts): Provider => ({
  name: "argocd",
  describe,
  observe: (question, io) => observe(parts, question, io),
  preview: (question, io) => preview(parts, question, io),
  create: (intent, io) => carryOut(parts, intent, io),
  update: (intent, io) => carryOut(parts, intent, io),
  destroy: (intent, io) => carryOut(parts, intent, io),
  compensate: async () => nothing("a pin has nothing to compensate with"),
  owed: async () => nothing("a pin owes nothing"),
});
