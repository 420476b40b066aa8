/** The page docs/comparison.md, from what a run recorded and nothing else. */
export interface Said {
  readonly exit: number;
  readonly words: string;
  /** Until it answered. */
  readonly seconds: number;
}

export interface Recorded {
  readonly versions: { readonly kubectl: string; readonly helm: string; readonly kubernetes: string };
  readonly windowSeconds: number;
  readonly states: readonly {
    readonly name: string;
    readonly truth: string;
    readonly asfound: Said;
    readonly kubectl: Said;
    readonly helm: Said;
  }[];
}

const cell = ({ exit, words, seconds }: Said): string =>
  `**${exit}**, ${seconds} s: ${words.replaceAll("|", "\\|").replaceAll("<", "&lt;")}`;

/** More than the second by which two that end at once may differ. */
const LATER_SECONDS = 2;

type State = Recorded["states"][number];

const named = (states: readonly State[]): string =>
  states.length === 0 ? "none" : states.map(({ name }) => name).join(", ");

/** Where another had said the same, good or bad, and sooner. */
const laterThan = (states: readonly State[], of: (state: State) => Said): readonly State[] =>
  states.filter((state) => {
    const other = of(state);
    const isSame = (other.exit === 0) === (state.asfound.exit === 0);
    return isSame && state.asfound.seconds - other.seconds >= LATER_SECONDS;
  });

/** Where another answered 0 of what is not proven. */
const passed = (states: readonly State[], of: (state: State) => Said): readonly State[] =>
  states.filter((state) => of(state).exit === 0 && state.asfound.exit !== 0);

export const pageOf = ({ versions, windowSeconds, states }: Recorded): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["state", "what is true", "asfound", "kubectl", "Helm"];
  return `# Who said what

Made by \`npm run comparison\` on the testbed's real cluster (Kubernetes ${versions.kubernetes}; kubectl ${versions.kubectl}, Helm ${versions.helm}), from
[comparison.json](../bench/comparison.json): do not edit. Each state was made on purpose, so what is true of it was known
before anybody was asked; the run fails if asfound's exit code is not the one that follows from it. A cell has the exit code, how long the answer took on a
busy machine of two cores, and the last words.

- asfound: \`verify TARGET --watch --window ${windowSeconds}s\`. 0 proven, 10 refuted, 20 undetermined, 30 progressing.
- kubectl: \`rollout status TARGET --timeout=${windowSeconds}s\`, at the same time on the same object; for a Job, which has no rollout,
  \`wait --for=condition=Complete\`; for a Service, \`wait\` for an address in its EndpointSlice.
- Helm: \`upgrade --install --wait --wait-for-jobs --timeout ${windowSeconds}s\` of the same objects as a chart, in a namespace of its own; its time
  includes applying them.

${row(head)}
${row(head.map(() => "---"))}
${states.map(({ name, truth, asfound, kubectl, helm }) => row([name, truth, cell(asfound), cell(kubectl), cell(helm)])).join("\n")}

## What the columns ask

The others' answers are no faults where they answer another question. \`rollout status\` says whether the controller is done with its
update; \`--wait\` whether, of each object of the chart, enough is ready by Helm's own count (for a Deployment its replicas less
\`maxUnavailable\`). Where they answer 1 the change had not come through, and they are right; one code then stands for what failed, what is
not over, and what cannot be asked.

- kubectl answered 0 where asfound did not: ${named(passed(states, ({ kubectl }) => kubectl))}.
- Helm answered 0 where asfound did not: ${named(passed(states, ({ helm }) => helm))}.

## Where asfound is later, or says less

- Later than kubectl with an answer of the same kind: ${named(laterThan(states, ({ kubectl }) => kubectl))}.
- Later than Helm: ${named(laterThan(states, ({ helm }) => helm))}.
- A verdict that may still change is watched to the end of its window, unless \`--fail-fast\` is given: a crash loop is told after
  ${windowSeconds} s, though it was seen before. kubectl and Helm wait as long, and then have less to say.
- kubectl prints each step of a rollout as it comes, and Helm acts on what it finds (\`--atomic\` rolls back): \`verify\` only tells, and of one
  target. Helm waits for all objects of a chart in one command, volume claims and load balancers' addresses among them; that takes a sweep or several targets here.
- asfound reads Pods, ReplicaSets, events and endpoints for its answer; \`rollout status\` reads one object, and needs no more rights than that.
`;
};
