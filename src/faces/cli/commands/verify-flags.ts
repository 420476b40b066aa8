/** What the words and flags of verify ask for, and which of them mean nothing beside each other. */
import type { Question, SweepQuestion } from "../../../domain/question.ts";
import type { Answering, Everywhere, Verifying } from "../flags.ts";
import type { PrintFlags } from "../output/print.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { responseOf, unfitAnswering } from "./answering.ts";
import { askingFlag, targetIn } from "./cluster.ts";

export type VerifyFlags = Verifying & PrintFlags & Everywhere;

/** The flags that say what is meant, and what is expected of it. */
export type Wanting = Answering &
  Pick<
    Verifying,
    | "file"
    | "selector"
    | "all"
    | "allNamespaces"
    | "namespace"
    | "uid"
    | "commit"
    | "application"
    | "repository"
    | "replicas"
    | "image"
    | "injected"
    | "release"
    | "bystanders"
    | "bystander"
    | "bystanderVia"
    | "config"
    | "replaced"
    | "since"
    | "claims"
  > &
  Partial<Pick<Verifying, "secrets" | "git">>;

/** What is to be judged: one object, or all that a selection takes in. */
export type Wanted =
  | { readonly kind: "one"; readonly typed: string; readonly question: Question }
  | { readonly kind: "sweep"; readonly question: SweepQuestion };

/** Throws `Usage` where nothing, or two things, are named. */
export const selected = (flags: Wanting, typed: string | undefined): Wanted => {
  const by = selectingFlag(flags);
  if (by === undefined) {
    if (typed === undefined) throw new Usage(VERDICT.noSelection);
    if (/^[^/\s]+$/.test(typed)) throw new Usage(VERDICT.kindsAlone(typed));
    return { kind: "one", typed, question: questionOf(flags, typed) };
  }
  const selection = selectionBy(flags, by, typed);
  const unfit = unfitForMany(flags);
  if (unfit !== undefined) throw new Usage(unfit);
  return {
    kind: "sweep",
    question: { ...selection, claims: flags.claims ?? null, secrets: flags.secrets ?? false },
  };
};

/** `by`: the flag that selects. */
export const selectionBy = (
  flags: Pick<Wanting, "selector" | "allNamespaces" | "namespace">,
  by: string,
  typed: string | undefined,
): Omit<SweepQuestion, "claims"> => {
  if (typed?.includes("/") === true) throw new Usage(VERDICT.oneTarget(by, typed));
  if (flags.allNamespaces && flags.namespace !== undefined) throw new Usage(VERDICT.twoPlaces);
  return {
    kinds: typed === undefined ? null : kindsIn(typed),
    namespace: flags.allNamespaces ? null : (flags.namespace ?? "default"),
    selector: flags.selector ?? null,
  };
};

const kindsIn = (typed: string): readonly string[] => {
  const kinds = typed.split(",").map((kind) => kind.trim());
  if (kinds.includes("")) throw new Usage(VERDICT.kindsAlone(typed));
  return [...new Set(kinds)];
};

export const selectingFlag = (
  flags: Pick<Wanting, "selector" | "all" | "allNamespaces">,
): string | undefined => {
  if (flags.selector !== undefined) return "-l";
  if (flags.all) return "--all";
  return flags.allNamespaces ? "-A" : undefined;
};

const unfitForMany = (flags: Wanting): string | undefined => {
  const single = [
    ["--uid", flags.uid],
    ["--commit", flags.commit],
    ["--application", flags.application],
    ["--repository", flags.repository],
    ["--git", flags.git],
    ["--replicas", flags.replicas],
    ["--image", flags.image],
    ["--injected", flags.injected],
    ["--config", flags.config],
    ["--replaced", flags.replaced],
    ["--since", flags.since],
    ["--release", flags.release],
    ["--bystanders", flags.bystanders],
    ["--bystander", flags.bystander],
    ["--bystander-via", flags.bystanderVia],
    ["--via", flags.via],
  ] as const;
  const [named] = single.filter(([, value]) => value !== undefined);
  if (named !== undefined) return VERDICT.notForMany(named[0]);
  return flags.claims?.includes("absent") === true ? VERDICT.absentOfMany : undefined;
};

/** A folder for it asks for it too. */
export const isRecording = ({ record, evidence }: Pick<Verifying, "record" | "evidence">): boolean =>
  record || evidence !== undefined;

/** A flag that means nothing beside the others, as a sentence; undefined: all fit. */
export const unfitFlag = (
  flags: Verifying,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  const more = [
    ["--ca", flags.ca],
    ["--watch", flags.watch || undefined],
    ["--secrets", flags.secrets || undefined],
    ["--proven", flags.proven],
  ] as const;
  const asking = askingFlag(flags) ?? more.find(([, value]) => value !== undefined)?.[0];
  if (flags.from !== undefined && asking !== undefined) return VERDICT.asksNone(asking);
  if (flags.releases !== undefined && flags.release === undefined && flags.file === undefined)
    return VERDICT.needsRelease;
  if (flags.signingKey !== undefined && !isRecording(flags)) return VERDICT.needsRecord("--signing-key");
  const pathless = unfitAnswering(flags);
  if (pathless !== undefined) return pathless;
  if (flags.from === undefined && flags.at !== undefined) return VERDICT.isNow;
  if (flags.stepSummary && (environment["GITHUB_STEP_SUMMARY"] ?? "") === "") return VERDICT.noSummary;
  if (flags.watch) return undefined;
  if (flags.window !== undefined) return VERDICT.needsWatch("--window");
  return flags.failFast ? VERDICT.needsWatch("--fail-fast") : undefined;
};

const commitIn = ({ commit, repository }: Wanting): Question["expected"]["commit"] => {
  if (commit !== undefined) return { sha: commit, tree: null, repository: repository ?? null, source: null };
  if (repository !== undefined) throw new Usage(VERDICT.needsCommit);
  return null;
};

const questionOf = (flags: Wanting, typed: string): Question => ({
  ...targetIn(typed),
  namespace: flags.namespace ?? "default",
  expected: {
    uid: flags.uid ?? null,
    replicas: flags.replicas ?? null,
    images: new Map(flags.image ?? []),
    injected: flags.injected ?? [],
    config: new Map(flags.config ?? []),
    response: responseOf(flags),
    bystanders: null,
    replaced:
      flags.replaced === undefined ? null : { uids: flags.replaced, beside: null, by: null, reply: null },
    commit: commitIn(flags),
    application: flags.application ?? null,
    release: null,
    since: flags.since ?? null,
  },
  claims: flags.claims ?? null,
  secrets: flags.secrets ?? false,
});
