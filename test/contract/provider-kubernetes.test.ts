/** The kubernetes provider over the fake API server: the kit's checks at its class. */
import { describe, expect, it } from "vitest";
import { kubernetesOver } from "../../src/compose/kubernetes.ts";
import type { Action } from "../../src/domain/step.ts";
import { type ApiFault, providerChecks, type Subject, startApiServer } from "../../src/testing.ts";
import { kubeconfigFile } from "../support/cluster.ts";
import { inputsFor, on, place, settings, status } from "../support/kubernetes-step.ts";

const subject = async (): Promise<Subject> => {
  const server = await startApiServer();
  const kubeconfig = kubeconfigFile(server.kubeconfig());
  const next = (action: Action, fault: ApiFault): void =>
    server.setFaults([on(action === "destroy" ? "delete" : "patch", "settings", fault)]);
  const after = (fault: ApiFault): ApiFault => (fault.do === "reply" ? { ...fault, after: true } : fault);
  return {
    provider: kubernetesOver({}),
    with: inputsFor(kubeconfig, settings("blue")),
    changed: inputsFor(kubeconfig, settings("green")),
    count: async () => (server.get(place()) === undefined ? 0 : 1),
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
      // Turned down already when it is rehearsed: then nothing at all was done.
      refuse: (action) =>
        server.setFaults([
          {
            verb: action === "destroy" ? "delete" : "patch",
            nth: 1,
            fault: status(403, "Forbidden", "not yours"),
          },
        ]),
      loseReply: (action) => next(action, { do: "cut", at: "after" }),
      failAfter: (action) => next(action, after(status(500, "InternalError", "etcd is away"))),
      late: (action, ms) => {
        const [verb, fault] = [
          action === "destroy" ? "delete" : "patch",
          { do: "cut", at: "after" },
        ] as const;
        server.setFaults([on(verb, "settings", { do: "slow", ms }), on(verb, "settings", fault)]);
      },
      hang: (action) => next(action, { do: "hang", after: true }),
    },
    end: () => server.close(),
  };
};

/** One name is one object there: the inventory's own name is the mark, so two of them cannot be. */
const IMPOSSIBLE = "of two things with one mark none is chosen (R4)";

describe("the kit's checks", () => {
  const checks = providerChecks(subject, "keyed");
  expect(checks.map(({ name }) => name)).toContain(IMPOSSIBLE);
  for (const check of checks.filter(({ name }) => name !== IMPOSSIBLE)) it(check.name, check.run);
});
