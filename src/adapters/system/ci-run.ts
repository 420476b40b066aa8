/** Which CI run this is, by the variables that CI systems set (each from its own documentation). */
type Environment = Readonly<Record<string, string | undefined>>;

/** In this order; the first whose variable is set. */
const RUNS: readonly { readonly variable: string; readonly name: string; readonly attempt?: string }[] = [
  { variable: "GITHUB_RUN_ID", name: "GitHub Actions", attempt: "GITHUB_RUN_ATTEMPT" },
  { variable: "CI_JOB_URL", name: "GitLab" },
  { variable: "CI_PIPELINE_ID", name: "GitLab pipeline" },
  { variable: "BUILDKITE_BUILD_URL", name: "Buildkite" },
  { variable: "CIRCLE_BUILD_URL", name: "CircleCI" },
  { variable: "BUILD_BUILDID", name: "Azure Pipelines" },
  { variable: "BITBUCKET_BUILD_NUMBER", name: "Bitbucket Pipelines" },
  { variable: "TRAVIS_BUILD_WEB_URL", name: "Travis CI" },
  { variable: "CODEBUILD_BUILD_ID", name: "CodeBuild" },
  { variable: "DRONE_BUILD_LINK", name: "Drone" },
  { variable: "TEKTON_PIPELINE_RUN", name: "Tekton" },
  { variable: "BUILD_URL", name: "Jenkins" },
];

/** A short text such as `GitHub Actions 123 attempt 2`; null outside of CI. */
export const ciRunOf = (environment: Environment): string | null => {
  for (const { variable, name, attempt } of RUNS) {
    const run = environment[variable];
    if (run === undefined || run === "") continue;
    const again = attempt === undefined ? undefined : environment[attempt];
    const text = `${name} ${run}${again === undefined ? "" : ` attempt ${again}`}`;
    // A URL may carry a password, and a variable anything at all.
    return text
      .replace(/\/\/[^/@\s]*@/g, "//")
      .replace(/\p{Cc}/gu, " ")
      .slice(0, 200);
  }
  return null;
};
