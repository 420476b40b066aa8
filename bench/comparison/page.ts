/** The page docs/comparison.md, from what a run recorded and nothing else. */
export interface Said {
  readonly exit: number;
  readonly words: string;
}

export interface Recorded {
  readonly versions: { readonly kubectl: string; readonly helm: string | null; readonly kubernetes: string };
  readonly windowSeconds: number;
  readonly states: readonly {
    readonly name: string;
    readonly truth: string;
    readonly asfound: Said;
    readonly kubectl: Said;
    readonly helm: Said | null;
  }[];
}

const cell = (said: Said | null): string =>
  said === null
    ? "not asked"
    : `**${said.exit}** ${said.words.replaceAll("|", "\\|").replaceAll("<", "&lt;")}`;

export const pageOf = ({ versions, windowSeconds, states }: Recorded): string => {
  const tools =
    versions.helm === null
      ? `kubectl ${versions.kubectl}`
      : `kubectl ${versions.kubectl}, Helm ${versions.helm}`;
  const withHelm = versions.helm !== null;
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = ["state", "what is true", "asfound", "kubectl", ...(withHelm ? ["Helm"] : [])];
  return `# Who said what

Made by \`npm run comparison\` on the testbed's real cluster (Kubernetes ${versions.kubernetes}; ${tools}), from
[comparison.json](../bench/comparison.json): do not edit. Each state was made on purpose, so what is true of it was known
before anybody was asked; the run fails if asfound's exit code is not the one that follows from it. A cell has the exit code and the last words.

- asfound: \`verify TARGET --watch --window ${windowSeconds}s\`. 0 proven, 10 refuted, 20 undetermined, 30 progressing.
- kubectl: \`rollout status TARGET --timeout=${windowSeconds}s\`, at the same time on the same object; for a Job, which has no rollout,
  \`wait --for=condition=Complete\`; for a Service, \`wait\` for an address in its EndpointSlice.
${withHelm ? `- Helm: \`upgrade --install --wait --wait-for-jobs --timeout ${windowSeconds}s\` of the same objects as a chart, in a namespace of its own.\n` : "- Helm is not in this run.\n"}
${row(head)}
${row(head.map(() => "---"))}
${states
  .map((one) =>
    row([one.name, one.truth, cell(one.asfound), cell(one.kubectl), ...(withHelm ? [cell(one.helm)] : [])]),
  )
  .join("\n")}

The others' answers are no faults where they answer another question: \`rollout status\` says whether the controller is done with its
update, which is so for zero replicas and while old Pods end. Where it answers 1, the change had not come through, and it is
right; one code then stands for what failed, what is not over, and what it cannot ask.
`;
};
