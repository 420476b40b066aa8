/**
 * A step over a real cluster that is complete only when its `confirm` is proven: made by a command of the person's own, judged by
 * what `verify` judges with. Not proven is not complete, and asking again creates nothing a second time.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment, service, steerAll } from "./app.ts";
import { LAUNCHER } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (has("images")) namespace = await ownNamespace();
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

/** Applies a file, and tells what is there by its UID. */
const TOOL = `
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
const { action, inputs } = JSON.parse(readFileSync(0, "utf8"));
const kubectl = (...words) => execFileSync("kubectl", ["-n", inputs.namespace, ...words], { encoding: "utf8" });
if (action === "create") {
  appendFileSync("created", "once\\n");
  kubectl("apply", "-f", inputs.file);
  const selector = "app=" + inputs.name;
  const told = () => kubectl("get", "pods", "-l", selector, "-o", "jsonpath={.items[*].status.containerStatuses[*].state.waiting.reason}");
  // Of a Deployment that is to fail: it has failed when this returns, so that a short window sees it.
  while (inputs.until !== "" && !told().includes(inputs.until)) execFileSync("sleep", ["0.5"]);
}
const [found] = JSON.parse(kubectl("get", "deployments", "-o", "json")).items.filter(({ metadata }) => metadata.name === inputs.name);
if (found === undefined) console.log(JSON.stringify({ present: false }));
else {
  const { apiVersion, kind, metadata: { namespace, name, uid } } = { apiVersion: "apps/v1", kind: "Deployment", ...found };
  const about = { id: uid, outputs: { objects: [{ apiVersion, kind, namespace, name, uid }] } };
  console.log(JSON.stringify(action === "observe" ? { present: true, asDeclared: true, ...about } : { outcome: "done", ...about }));
}
`;

const stackOf = (
  name: string,
  window: string,
  confirm: string,
  until = "",
): string => `apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: ${name} }
steps:
  web:
    uses: exec
    window: ${window}
    confirm: ${confirm}
    with:
      observe: [${JSON.stringify(process.execPath)}, tool.mjs]
      create: [${JSON.stringify(process.execPath)}, tool.mjs]
      inputs: { namespace: ${namespace.name}, name: ${name}, file: web.json, until: "${until}" }
      environment: { KUBECONFIG: ${JSON.stringify(process.env["KUBECONFIG"])} }
  after:
    uses: exec
    needs: [web]
    with:
      protocol: exit-code
      create: ["touch", "after"]
`;

interface Ran {
  readonly exit: number;
  readonly told: string;
}

const asfound = (cwd: string, ...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    // The ledger stays beside the file, which CI would not keep.
    const env = { ...process.env, CI: "" };
    execFile(LAUNCHER, words, { cwd, env }, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : Number(error.code), told: stdout + stderr }),
    );
  });

const ROLLED_OUT = "[rollout-complete, old-gone, capacity]";

const placeFor = (
  name: string,
  manifest: object,
  window: string,
  confirm = ROLLED_OUT,
  until = "",
): string => {
  const cwd = tempFolder("confirm");
  writeFileSync(join(cwd, "tool.mjs"), TOOL);
  writeFileSync(join(cwd, "web.json"), JSON.stringify(manifest));
  writeFileSync(join(cwd, "asfound.yaml"), stackOf(name, window, confirm, until));
  return cwd;
};

const statusOf = async (cwd: string): Promise<readonly string[]> => {
  const { told } = await asfound(cwd, "status", "-o", "json");
  const { steps } = JSON.parse(told) as {
    readonly steps: readonly { readonly step: string; readonly status: string }[];
  };
  return steps.map(({ step, status }) => `${step} ${status}`).sort();
};
const createdIn = (cwd: string): number => readFileSync(join(cwd, "created"), "utf8").split("\n").length - 1;

it("proven: the step is complete, and what needs it runs", async () => {
  const cwd = placeFor("good", deployment("good"), "240s");
  const ran = await asfound(cwd, "apply", "--yes");
  expect(ran.exit, ran.told).toBe(0);
  expect(await statusOf(cwd)).toEqual(["after complete", "web complete"]);
});

it("progressing at the window's end is 30, and the next apply asks again and creates nothing", async () => {
  const env = [{ name: "READY", value: "false" }];
  const cwd = placeFor("late", deployment("late", { env }), "3s");
  const ran = await asfound(cwd, "apply", "--yes");
  expect(ran.exit, ran.told).toBe(30);
  expect(await statusOf(cwd)).toEqual(["after pending", "web unconfirmed"]);
  await steerAll(namespace, "late", 2, { ready: true });
  await atRest(namespace, "late");
  const again = await asfound(cwd, "apply", "--yes");
  expect(again.exit, again.told).toBe(0);
  expect([await statusOf(cwd), createdIn(cwd)]).toEqual([["after complete", "web complete"], 1]);
});

it("refuted is an error whose effect is known, and nothing that needs it runs", async () => {
  const imageless = deployment("imageless", { image: appReference(":9.9.9") });
  const cwd = placeFor("imageless", imageless, "5s", ROLLED_OUT, "ImagePull");
  const ran = await asfound(cwd, "apply", "--yes");
  expect(ran.exit, ran.told).toBe(10);
  expect(ran.told).toMatch(/cannot pull the image/);
  expect(await statusOf(cwd)).toEqual(["after pending", "web error"]);
  expect((await asfound(cwd, "status")).exit).toBe(10);
});

it("a reply of a new Pod is what it waits for; another version's is refuted, and nothing is made again", async () => {
  await namespace.apply(service("replying"));
  const confirm = (version: string): string =>
    `[rollout-complete, { response: { via: service/replying, expect: { json: { version: ${version} } }, pod: $.uid } }]`;
  const cwd = placeFor("replying", deployment("replying"), "240s", confirm("1.0.0"));
  const ran = await asfound(cwd, "apply", "--yes");
  expect(ran.exit, ran.told).toBe(0);
  expect(await statusOf(cwd)).toEqual(["after complete", "web complete"]);
  writeFileSync(join(cwd, "asfound.yaml"), stackOf("replying", "15s", confirm("2.0.0")));
  const other = await asfound(cwd, "apply", "--yes");
  expect(other.exit, other.told).toBe(10);
  expect(other.told).toMatch(/\$\.version is .*1\.0\.0.* where .*2\.0\.0.* is expected/);
  expect([await statusOf(cwd), createdIn(cwd)]).toEqual([["after complete", "web error"], 1]);
});
