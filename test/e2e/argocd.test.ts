/** A step that pins an Application, on a real Argo CD: pinned, synced and proven; killed after the write; lifted. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { CRASH_VARIABLE } from "../../src/adapters/system/crash-at.ts";
import { ARGOCD_NAMESPACE } from "../../testbed/place.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type Delivery, delivery, web } from "./application.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { has } from "./lack.ts";
import { testbed } from "./testbed.ts";

const story = storyWith("testbed");

beforeAll(async () => {
  if (has("testbed")) await testbed("start", "argocd");
});

interface Ran {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly told: string;
}

interface Step {
  pin(revision: string): void;
  asfound(words: readonly string[], more?: NodeJS.ProcessEnv): Promise<Ran>;
}

const stepFor = ({ name }: Delivery): Step => {
  const cwd = tempFolder("argocd-step");
  return {
    pin: (revision) =>
      writeFileSync(
        join(cwd, "asfound.yaml"),
        [
          "apiVersion: asfound.dev/v1alpha1",
          "kind: Stack",
          `metadata: { name: ${name} }`,
          "steps:",
          "  web:",
          "    uses: argocd",
          "    settle: 1s",
          `    with: { application: ${ARGOCD_NAMESPACE}/${name}, revision: ${revision} }`,
          "    confirm: [intended-commit, synced-revision, controller-health, rollout-complete]",
          "",
        ].join("\n"),
      ),
    asfound: (words, more = {}) =>
      new Promise((resolve, reject) => {
        // The ledger stays beside the file, which CI would not keep.
        const child = spawn(LAUNCHER, words, { cwd, env: { ...process.env, CI: "", ...more } });
        child.stdin.end();
        let told = "";
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => {
            told += text;
          });
        child.once("error", reject);
        child.once("close", (exit, signal) => resolve({ exit, signal, told }));
      }),
  };
};

const revisionOf = async (shop: Delivery): Promise<unknown> =>
  (await shop.object()).spec.source.targetRevision;

describe("on a real Argo CD", () => {
  story("pinned and synced by one write, proven, not moved by the branch, and lifted", async () => {
    await using shop = await delivery();
    const good = await shop.repository.commit("web", { "deploy/web.yaml": web() });
    await shop.declare({ automated: null });
    await shop.becomes({ sync: "OutOfSync" });
    const step = stepFor(shop);
    step.pin(good);
    const applied = await step.asfound(["apply", "--yes"]);
    expect(applied.exit, applied.told).toBe(0);
    const { status, metadata } = await shop.object();
    expect(await revisionOf(shop)).toBe(good);
    expect(status.operationState.phase).toBe("Succeeded");
    expect(status.history).toHaveLength(1);
    expect(status.history[0].initiatedBy.username).toBe(`asfound ${shop.name}/web`);

    const next = await shop.repository.commit("three of them", { "deploy/web.yaml": web({ replicas: 3 }) });
    await shop.refresh();
    await shop.becomes({ sync: "Synced", revision: good });
    step.pin(next);
    const moved = await step.asfound(["apply", "--yes"]);
    expect(moved.exit, moved.told).toBe(0);
    await shop.becomes({ sync: "Synced", revision: next });

    step.pin(good);
    const back = await step.asfound(["plan"]);
    expect(back.told.replace(/\s+/g, " ")).toContain("It is no revert in Git");
    const destroyed = await step.asfound(["destroy", "--yes"]);
    expect(destroyed.exit, destroyed.told).toBe(0);
    const after = await shop.object();
    expect([await revisionOf(shop), after.metadata.uid]).toEqual(["main", metadata.uid]);
  });

  story(
    "killed when the write was answered: the sync goes on without it, and is found by the next one",
    async () => {
      await using shop = await delivery();
      const good = await shop.repository.commit("web", { "deploy/web.yaml": web() });
      await shop.declare({ automated: null });
      await shop.becomes({ sync: "OutOfSync" });
      const step = stepFor(shop);
      step.pin(good);
      const died = await step.asfound(["apply", "--yes"], { [CRASH_VARIABLE]: "write-replied:1" });
      expect(died.signal, died.told).toBe("SIGKILL");
      await shop.becomes({ sync: "Synced", phase: "Succeeded", revision: good });
      const resumed = await step.asfound(["resume", "--yes"]);
      expect(resumed.exit, resumed.told).toBe(0);
      expect((await shop.object()).status.history, "synced twice").toHaveLength(1);
    },
  );
});
