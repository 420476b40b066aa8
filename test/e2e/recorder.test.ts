/**
 * L2 on a real cluster: with a recorder at work, what a process was given is known after its config was edited, and after it
 * was edited back; without one it is not.
 */
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { sha256Hex } from "../../src/wire/digest.ts";
import { heldIn } from "../support/recorder.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { deployment, describePod } from "./app.ts";
import { LAUNCHER, storyWith } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type KubeObject, type Namespace, ownNamespace } from "./kubectl.ts";
import { has } from "./lack.ts";

const story = storyWith("images");

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());

/** Beyond the margin that is given to the clocks. */
const WELL_MS = 7_000;

const configMap = (text: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings" },
  data: { text },
});

const byEnv = deployment("web", {
  replicas: 1,
  env: [
    { name: "CONFIG_FROM", value: "env:TEXT" },
    { name: "TEXT", valueFrom: { configMapKeyRef: { name: "settings", key: "text" } } },
  ],
});

const trace = (
  ...more: readonly string[]
): Promise<{ readonly exit: number; readonly states: readonly string[]; readonly whys: string }> =>
  new Promise((resolve, reject) => {
    const words = ["config", "trace", "deployment/web", "-n", namespace.name, "-o", "json", ...more];
    execFile(LAUNCHER, words, { env: { ...process.env, CI: "" } }, (error, stdout, stderr) => {
      if (stdout === "") return reject(new Error(stderr));
      const { references } = JSON.parse(stdout) as {
        readonly references: readonly {
          readonly object: { readonly name: string };
          readonly state: string;
          readonly level: string;
          readonly why: string;
        }[];
      };
      const its = references.filter(({ object }) => object.name === "settings");
      resolve({
        exit: error === null ? 0 : Number(error.code),
        states: its.map(({ state, level }) => `${state} ${level}`),
        whys: its.map(({ why }) => why).join("\n"),
      });
    });
  });

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the records show that the object held that text, by the API server's clock. */
const spansOf = async (folder: string, text: string): Promise<readonly Span[]> =>
  (await heldIn(folder))
    .filter(({ name, keys }) => name === "settings" && keys?.["text"] === sha256Hex(text))
    .map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));

const untilHeld = async (
  folder: string,
  text: string,
  holds: (spans: readonly Span[]) => boolean,
): Promise<void> => {
  await eventually(async () => {
    const spans = await spansOf(folder, text);
    expect(spans, `spans of ${text}`).toSatisfy(holds);
  });
};

story(
  "edited after the start: stale, with both digests; edited back: fresh; without records: not knowable",
  async () => {
    await namespace.apply(configMap("v1"));
    const records = join(tempFolder("recorder"), "records");
    const child = spawn(LAUNCHER, ["watch", "--to", records, "-n", namespace.name]);
    child.stdin.end();
    let told = "";
    child.stderr.on("data", (bytes) => (told += bytes));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    try {
      await eventually(async () => expect(told).toMatch(/recording \d+ objects/));
      // It has to have been there before the start, and for a while after it, by more than the clocks may differ.
      await untilHeld(records, "v1", ([one]) => one !== undefined && one.to - one.from > WELL_MS);
      await namespace.apply(byEnv);
      const [pod] = (await atRest(namespace, "web")) as [KubeObject];
      const started = Date.parse(pod.status.containerStatuses[0].state.running.startedAt);
      await untilHeld(records, "v1", ([one]) => one !== undefined && one.to - started > WELL_MS);
      expect(await trace("--held", records)).toMatchObject({
        exit: 0,
        states: [expect.stringMatching(/^fresh /)],
      });

      await namespace.apply(configMap("v2"));
      expect((await describePod(pod)).config.text).toBe("v1");
      await untilHeld(records, "v2", (spans) => spans.length === 1);
      const stale = await trace("--held", records);
      expect(stale).toMatchObject({ exit: 10, states: ["stale L2"] });
      expect(await trace()).toMatchObject({ exit: 20, states: [expect.stringMatching(/^not-knowable /)] });

      await namespace.apply(configMap("v1"));
      await untilHeld(records, "v1", (spans) => spans.length === 2);
      expect(await trace("--held", records)).toMatchObject({ exit: 0, states: ["fresh L2"] });
      expect(await trace()).toMatchObject({ exit: 20, states: [expect.stringMatching(/^not-knowable /)] });
    } finally {
      child.kill("SIGTERM");
      expect(await ended).toBe(143);
    }
  },
);
