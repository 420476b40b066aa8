/**
 * The API server is killed and comes back while config is recorded: what did not change is held throughout, what did is not
 * held in between. On a testbed of its own.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sha256Hex } from "../../src/wire/digest.ts";
import { heldIn } from "../support/recorder.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { LAUNCHER } from "./asfound.ts";
import { eventually } from "./eventually.ts";
import { has, needing } from "./lack.ts";
import { testbed } from "./testbed.ts";

const NAME = `recorder-${process.pid}`;
const MAIN = fileURLToPath(new URL("../../testbed/main.ts", import.meta.url));
const kubectl = (...words: readonly string[]) => testbed("--name", NAME, "exec", "kubectl", ...words);

beforeAll(async () => {
  if (has("testbed")) await testbed("up", "--name", NAME);
});
afterAll(async () => {
  if (has("testbed")) await testbed("down", "--name", NAME);
});
beforeEach(needing("testbed"));

it("an API server that is killed: what did not change is held over it, what did is not", async () => {
  // The third, which a controller makes.
  await eventually(() => kubectl("get", "configmap", "kube-root-ca.crt"));
  await kubectl("create", "configmap", "kept", "--from-literal=text=v1");
  await kubectl("create", "configmap", "edited", "--from-literal=text=v1");
  const folder = join(tempFolder("recorder"), "records");
  const words = [MAIN, "--name", NAME, "exec", "--net", LAUNCHER, "watch", "--to", folder, "-n", "default"];
  const child = spawn(process.execPath, [...words, "-o", "json", "--for", "800s", "--timeout", "20s"]);
  child.stdin.end();
  let out = "";
  let told = "";
  child.stdout.on("data", (bytes) => (out += bytes));
  child.stderr.on("data", (bytes) => (told += bytes));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const said = (what: RegExp) => eventually(async () => expect(told).toMatch(what));

  await said(/recording 3 objects/);
  await testbed("stop", "kube-apiserver", "--kill", "--name", NAME);
  await said(/ConfigMaps are not seen since /);
  await testbed("start", "kube-apiserver", "--name", NAME);
  // Whether it sees again before or after these is all the same: a third content was there.
  await kubectl("patch", "configmap", "edited", "-p", '{"data":{"text":"v2"}}');
  await kubectl("patch", "configmap", "edited", "-p", '{"data":{"text":"v3"}}');
  await said(/ConfigMaps are seen again since /);
  await eventually(async () => {
    const contents = (await heldIn(folder))
      .filter(({ name }) => name === "edited")
      .map(({ keys }) => keys?.["text"]);
    expect(contents).toContain(sha256Hex("v3"));
  });
  child.kill("SIGTERM");
  expect([await ended, JSON.parse(out).exit]).toEqual([143, 143]);

  const { blind } = JSON.parse(out);
  expect(blind).toHaveLength(1);
  const held = await heldIn(folder);
  const kept = held.filter(({ name }) => name === "kept");
  expect(kept).toHaveLength(1);
  expect(String(kept[0]?.to) >= blind[0].to).toBe(true);
  for (const { from, to } of held.filter(({ name }) => name === "edited"))
    expect(to <= blind[0].from || from >= blind[0].from).toBe(true);
});
