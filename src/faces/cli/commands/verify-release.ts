/** verify --release: what a recorded release expects. What it says is said there alone: a flag beside it would be a second word. */
import type { Question } from "../../../domain/question.ts";
import type { Refused } from "../../../runtime/runtime.ts";
import type { Cli } from "../context.ts";
import type { Verifying } from "../flags.ts";
import { VERDICT } from "../texts/verdict.ts";
import { Usage } from "../usage.ts";
import { targetIn } from "./cluster.ts";
import { placeIn } from "./release.ts";
import { selected, selectingFlag, type Wanted, type Wanting } from "./verify-flags.ts";

type One = Extract<Wanted, { kind: "one" }>;
type Placed = Wanting & Pick<Verifying, "releases" | "namespace">;

interface Asked<Flags> {
  readonly wanted: One;
  readonly flags: Flags;
}

/** Throws `Usage` where flags and release do not go together. `typed`: left out: the workload of the release. */
export const askedOfRelease = async <Flags extends Placed>(
  cli: Cli,
  flags: Flags,
  release: string,
  typed: string | undefined,
): Promise<Asked<Flags> | Refused> => {
  const by = selectingFlag(flags);
  if (by !== undefined) throw new Usage(VERDICT.releaseAndSelection(by));
  const twice = saidTwice(flags);
  if (twice !== undefined) throw new Usage(VERDICT.inRelease(twice));
  const { expectRelease } = await import("../../../compose/release-expected.ts");
  const own = flags.namespace ?? null;
  const named = typed === undefined ? null : { ...targetIn(typed), namespace: own };
  const expecting = await expectRelease(placeIn(cli, flags), release, named);
  if (expecting.kind === "refused") return expecting;
  const { kind, namespace, name } = expecting.target;
  if (own !== null && own !== namespace)
    throw new Usage(VERDICT.otherNamespaceOfRelease(release, namespace, own));
  const { repository, ...others }: Placed = flags;
  if (repository !== undefined && flags.application === undefined) throw new Usage(VERDICT.needsCommit);
  const wanted = selected(others, typed ?? `${kind}/${name}`);
  if (wanted.kind !== "one") throw new Usage(VERDICT.noSelection);
  return {
    wanted: {
      ...wanted,
      question: held({ ...wanted.question, namespace }, expecting, repository ?? null),
    },
    flags: { ...flags, namespace },
  };
};

/** A Verification file that names one: beside what else it expects. */
export const releasedInFile = async <Flags extends Placed, Rest extends Asked<Flags>>(
  cli: Cli,
  flags: Placed,
  asked: Rest,
  release: string,
): Promise<Rest | Refused> => {
  const { question } = asked.wanted;
  const { expectRelease } = await import("../../../compose/release-expected.ts");
  const named = { kind: question.kind, name: question.name, namespace: asked.flags.namespace ?? null };
  const expecting = await expectRelease(placeIn(cli, flags), release, named);
  if (expecting.kind === "refused") return expecting;
  const { namespace } = expecting.target;
  const wanted = { ...asked.wanted, question: held({ ...question, namespace }, expecting, null) };
  return { ...asked, wanted, flags: { ...asked.flags, namespace } };
};

/** The commit is judged where an Application says what it aims at; else it is only said. */
const held = (
  question: Question,
  { expected, commit }: { readonly expected: Partial<Question["expected"]>; readonly commit: string | null },
  repository: string | null,
): Question => ({
  ...question,
  expected: {
    ...question.expected,
    ...expected,
    ...(commit === null || question.expected.application === null
      ? {}
      : { commit: { sha: commit, tree: null, repository, source: null } }),
  },
});

const saidTwice = (flags: Wanting): string | undefined => {
  const names = ["commit", "image", "injected", "config"] as const;
  const given = names.find((name) => flags[name] !== undefined);
  return given === undefined ? undefined : `--${given}`;
};
