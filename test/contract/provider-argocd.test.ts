/** The argocd provider over the fake API server and a scripted controller: the kit's checks at its class. */
import { describe, expect, it } from "vitest";
import { argocdOver } from "../../src/compose/kubernetes.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import { type ApiFault, providerChecks, type Subject, startApiServer } from "../../src/testing.ts";
import { appOf, argoController, onPatch, pinTo, SHOP } from "../support/argo.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { COMMIT } from "../support/kubernetes/application.ts";
import { KUBE_SYSTEM, status } from "../support/kubernetes-step.ts";

const subject = async (): Promise<Subject> => {
  const server = await startApiServer();
  server.put(KUBE_SYSTEM, {});
  server.put(SHOP, appOf({}));
  argoController(server);
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const next = (fault: ApiFault): void => server.setFaults([onPatch(fault)]);
  return {
    provider: argocdOver({}),
    with: pinTo(kubeconfig, COMMIT.v2),
    changed: pinTo(kubeconfig, COMMIT.v3),
    count: async () => {
      const metadata = server.get(SHOP)?.["metadata"];
      const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
      return isJsonObject(annotations) && "asfound.dev/pin" in annotations ? 1 : 0;
    },
    switches: {
      reads: (how) =>
        server.setFaults(
          how === null
            ? []
            : [
                {
                  verb: "get",
                  fault: how === "denied" ? { do: "reply", status: 403, body: "no" } : { do: "half" },
                },
              ],
        ),
      refuse: () => next(status(403, "Forbidden", "not yours")),
      loseReply: () => next({ do: "cut", at: "after" }),
      failAfter: () => {
        const fault = status(500, "InternalError", "etcd is away");
        next(fault.do === "reply" ? { ...fault, after: true } : fault);
      },
      late: (_action, ms) =>
        server.setFaults([onPatch({ do: "slow", ms }), onPatch({ do: "cut", at: "after" })]),
      hang: () => next({ do: "hang", after: true }),
    },
    end: () => server.close(),
  };
};

/** A mark stands on one Application by one name: two of them cannot be. */
const IMPOSSIBLE = "of two things with one mark none is chosen (R4)";

describe("the kit's checks", () => {
  const checks = providerChecks(subject, "keyed");
  expect(checks.map(({ name }) => name)).toContain(IMPOSSIBLE);
  for (const check of checks.filter(({ name }) => name !== IMPOSSIBLE)) it(check.name, check.run);
});
