/**
 * kill -9 of `rollback run`, a real process, at every point between its intent and its report: the template is written at
 * most once, what is in doubt is settled by asking, and the next run comes to its end.
 */
import { describe, expect, it } from "vitest";
import { stackOf } from "../../../src/compose/recovery.ts";
import { PAST_CALL_BY_MS } from "../../scenarios/place.ts";
import { changesOf, imageOf, rollbackWorld } from "../../support/rollback-world.ts";
import { asfound as child } from "./cli.ts";

const STACK = stackOf({
  cluster: "the-cluster",
  group: "apps",
  kind: "Deployment",
  namespace: "shop",
  name: "web",
});

/** By the point: whether the template was written when it died. */
const POINTS = {
  "lease-granted": false,
  "slot-taken": false,
  "intent-durable": false,
  "fence-passed": false,
  "write-connected": false,
  "write-replied": true,
  "outcome-told": true,
  "outcome-durable": true,
  "answer-told": true,
  "reading-durable": true,
  "operation-ending": true,
  "operation-ended": true,
} as const;

const writes = (changes: readonly string[]): number =>
  changes.filter((one) => one === "updated deployments/web").length;

describe("kill -9 of rollback run", () => {
  it.each(Object.entries(POINTS))("at %s", { timeout: 60_000 }, async (point, isWritten) => {
    const at = await rollbackWorld();
    const words = [
      "rollback",
      "run",
      "deployment/web",
      "--to",
      "v1",
      "--yes",
      "--window",
      "1s",
      "--progress",
      "quiet",
      "-n",
      "shop",
      "--kubeconfig",
      at.kubeconfig,
    ];
    const died = await child(at.cwd, words, { crashAt: point });
    expect(died.signal, died.err).toBe("SIGKILL");
    expect(writes(changesOf(at.server))).toBe(isWritten ? 1 : 0);

    // Whatever it died of: asking settles it, and changes nothing.
    const settled = await child(at.cwd, ["reconcile", "--stack", STACK, "--yes"], {
      aheadMs: PAST_CALL_BY_MS,
    });
    expect(settled.exit, settled.out + settled.err).toBe(0);
    expect(writes(changesOf(at.server))).toBe(isWritten ? 1 : 0);

    const again = await child(at.cwd, words, { aheadMs: PAST_CALL_BY_MS });
    // No controller follows here: the rollout is under way, and that is said.
    expect([again.exit, again.err], again.out).toEqual([30, expect.any(String)]);
    expect(imageOf(at.server)).toBe("web:v1");
    expect(writes(changesOf(at.server))).toBe(1);
    const status = await child(at.cwd, ["status", "--stack", STACK, "-o", "json"]);
    expect(JSON.parse(status.out).steps).toMatchObject([{ step: "template", status: "complete" }]);
  });
});
