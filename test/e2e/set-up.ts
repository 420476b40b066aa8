/**
 * vitest's global set-up on a real cluster. Where `ASFOUND_E2E_KUBECONFIG` names somebody's own, all commands are handed that
 * one, and it is looked at once: whether it answers, and whether its Pods and Services can be reached from here.
 */
import { execFile } from "node:child_process";
import { ownKubeconfig } from "../support/cluster-needs.ts";

const REACH_SECONDS = 3;

const kubectl = (
  ...words: readonly string[]
): Promise<{ readonly said: string } | { readonly why: string }> =>
  new Promise((resolve) => {
    execFile("kubectl", words, (error, stdout, stderr) =>
      resolve(error === null ? { said: stdout.trim() } : { why: stderr.trim() || error.message }),
    );
  });

/** Whether it is this API server that answers there, by its certificate: another network may use the same addresses. */
const isReached = async (address: string): Promise<boolean> => {
  const host = address.includes(":") ? `[${address}]` : address;
  const asked = ["--insecure-skip-tls-verify=false", `--server=https://${host}:443`, "get", "--raw=/version"];
  return "said" in (await kubectl(`--request-timeout=${REACH_SECONDS}s`, ...asked));
};

export const setup = async (): Promise<void> => {
  const own = ownKubeconfig(process.env);
  if (own === null) return;
  process.env["KUBECONFIG"] = own;
  const address = await kubectl(
    "get",
    "service",
    "kubernetes",
    "-n",
    "default",
    "-o=jsonpath={.spec.clusterIP}",
  );
  if ("why" in address) {
    process.env["ASFOUND_E2E_LACKS"] =
      `the cluster of ASFOUND_E2E_KUBECONFIG cannot be asked: ${address.why}`;
    return;
  }
  if (!(await isReached(address.said)))
    process.env["ASFOUND_E2E_OUT_OF_REACH"] =
      `it asks Pods and Services at their own addresses, and none of the cluster of ASFOUND_E2E_KUBECONFIG can be reached from here: ${address.said} is not its API server`;
};
