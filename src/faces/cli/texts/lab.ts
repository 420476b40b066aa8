/** Words of the labs and their report. */
export const LAB = {
  noImage:
    "say which image the lab's Pods run: --image, an nginx that the cluster can pull (ASFOUND_LAB_IMAGE says it for all labs)",
  noContext:
    "--yes needs --context beside it: a lab makes a namespace in a cluster, and which one has to be said",
  noRepository:
    "say where the lab may push its commits: --repository URL, of a Git repository that Argo CD can read too; it makes a branch of its own there, and removes it",
  repository: (fault: string) => `--repository: ${fault}`,
  question: (
    namespace: string,
    server: string,
    context: string | null,
    delivery: { readonly repository: string; readonly branch: string; readonly application: string } | null,
  ) =>
    `Make the namespace ${namespace} on ${server}${context === null ? "" : ` (context ${context})`}${
      delivery === null
        ? ", and remove it afterwards?"
        : `, the Application ${delivery.application}, and the branch ${delivery.branch} in ${delivery.repository}, and remove all three afterwards?`
    }`,
  delivery: (repository: string, branch: string, application: string) =>
    `branch ${branch} of ${repository}, Application ${application}`,
  headers: ["Step", "What happened", "kubectl", "asfound", "Evidence"],
  kubectl: "kubectl rollout status, by its rule",
  nothing: "-",
  shows: "Shows",
  did: "Did",
  saw: "Saw",
  missed: "Not as told:",
  ended: (why: string) => `It ended before its last step: ${why}`,
  asTold: (count: number) => `${count} ${count === 1 ? "step" : "steps"}, each as told`,
  notAsTold: (count: number, all: number) => `${count} of ${all} steps came otherwise than told`,
  evidenceOf: (count: number) =>
    `${count} ${count === 1 ? "field" : "fields"} and readings, listed with -o json`,
  again: (command: string) => ({ command, why: "removes what is left of it" }),
  look: (command: string) => ({
    command,
    why: "what it did, with every call; a lab is an operation like any other",
  }),
  wrote: (file: string) => `the report was written to ${file}`,
} as const;
