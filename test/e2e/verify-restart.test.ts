/** The API server is killed and comes back in the middle of a watch: that is said, and decides nothing. On a testbed of its own. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, it } from "vitest";
import { deployment, service } from "./app.ts";
import { expectVerdict, startVerify } from "./asfound.ts";
import { has, needing } from "./lack.ts";
import { testbed } from "./testbed.ts";

const NAME = `restart-${process.pid}`;
const MAIN = fileURLToPath(new URL("../../testbed/main.ts", import.meta.url));
const inside = (...words: readonly string[]) => testbed("--name", NAME, "exec", ...words);
const apply = (object: object) =>
  inside("sh", "-c", 'echo "$0" | kubectl apply -f -', JSON.stringify(object));

beforeAll(async () => {
  if (has("testbed")) await testbed("up", "--name", NAME);
});
afterAll(async () => {
  if (has("testbed")) await testbed("down", "--name", NAME);
});
beforeEach(needing("testbed"));

it("an API server that is killed in the middle of a watch is waited for, and the rollout is proven", async () => {
  await apply(deployment("web"));
  await apply(service("web"));
  await inside("kubectl", "rollout", "status", "deployment/web", "--timeout=240s");
  await apply(deployment("web", { env: [{ name: "READY", value: "false" }] }));
  const watching = startVerify(
    ["deployment/web", "--watch", "--window", "400s", "--timeout", "3s"],
    [process.execPath, MAIN, "--name", NAME, "exec", "--net"],
  );
  const said = (what: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      let all = "";
      watching.child.stderr.on("data", (text: string) => {
        all += text;
        if (what.test(all)) resolve();
      });
      void watching.ended.then(
        ({ told, report }) => reject(new Error(`it ended before: ${told}${report.statement}`)),
        reject,
      );
    });
  await said(/answers 503/);
  const away = said(/could not be (read|reached)|refused|away/);
  await testbed("stop", "kube-apiserver", "--kill", "--name", NAME);
  await away;
  await testbed("start", "kube-apiserver", "--name", NAME);
  await apply(deployment("web", { env: [{ name: "READY", value: "true" }] }));
  expectVerdict(await watching.ended, {
    verdict: "proven",
    says: /^2 new replicas run revision 3 and serve\.$/,
  });
});
