/** kubectl's rule over the states that its own tests have (k8s.io/kubectl, rollout_status_test.go): done or not. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../domain/json.ts";
import { rolloutWord } from "./rollout-word.ts";

const deployment = (
  generation: number,
  observed: number,
  replicas: number,
  status: JsonObject,
): JsonObject => ({
  metadata: { generation },
  spec: { replicas },
  status: { observedGeneration: observed, ...status },
});

it.each([
  ["not seen yet", deployment(2, 1, 1, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }), false],
  [
    "no Pod updated, which Kubernetes leaves out",
    deployment(1, 1, 1, { replicas: 1, availableReplicas: 1 }),
    false,
  ],
  ["old ones left", deployment(1, 1, 1, { replicas: 2, updatedReplicas: 1, availableReplicas: 2 }), false],
  [
    "not all available",
    deployment(1, 1, 2, { replicas: 2, updatedReplicas: 2, availableReplicas: 1 }),
    false,
  ],
  ["done", deployment(1, 1, 2, { replicas: 2, updatedReplicas: 2, availableReplicas: 2 }), true],
  [
    "done, of an older observed generation that is newer",
    deployment(1, 2, 2, { replicas: 2, updatedReplicas: 2, availableReplicas: 2 }),
    true,
  ],
  [
    "its deadline is over",
    deployment(1, 1, 2, {
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }],
    }),
    false,
  ],
])("%s", (_what, object, done) => {
  expect(rolloutWord(object).done).toBe(done);
});
