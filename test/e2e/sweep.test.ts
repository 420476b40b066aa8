/** Many targets of a real cluster at once, and what a Verification file says of one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { appReference, deployment, service, untilServed } from "./app.ts";
import { expectVerdict, verify } from "./asfound.ts";
import { atRest } from "./at-rest.ts";
import { eventually } from "./eventually.ts";
import { type Namespace, ownNamespace } from "./kubectl.ts";
import { has, needing } from "./lack.ts";

let namespace: Namespace;
beforeAll(async () => {
  if (!has("images")) return;
  namespace = await ownNamespace();
  await namespace.apply(
    deployment("one", { replicas: 1 }),
    service("one"),
    deployment("two", { replicas: 1 }),
    deployment("none", { replicas: 0 }),
  );
  await untilServed(namespace, "one");
  for (const name of ["two", "none"]) await atRest(namespace, name);
});
afterAll(() => namespace?.[Symbol.asyncDispose]());
beforeEach(needing("images"));

interface List {
  readonly kind: string;
  readonly verdict: string;
  readonly items: readonly { readonly verdict: string; readonly target: { readonly name: string } }[];
}
const swept = async (
  ...words: readonly string[]
): Promise<{ readonly exit: number | null; readonly list: List }> => {
  const { exit, report } = await verify(...words, "-n", namespace.name);
  return { exit, list: report as unknown as List };
};
const names = ({ items }: List): readonly string[] => items.map(({ target }) => target.name).sort();

it("all of a namespace, and those of a selector, are proven as one; what is scaled to zero is not counted", async () => {
  const all = await swept("deployments", "--all");
  expect([all.exit, all.list.verdict], JSON.stringify(all.list)).toEqual([0, "proven"]);
  const some = await swept("deployment", "-l", "app=nobody");
  expect([some.exit, some.list.verdict]).toEqual([20, "undetermined"]);
});

it("the worst of them is the sweep's", async () => {
  await namespace.apply(deployment("two", { replicas: 1, image: appReference(":9.9.9") }));
  await eventually(async () => {
    const pods = await namespace.list("pods", "app=two");
    const reasons = pods.flatMap(({ status }) => status.containerStatuses?.[0]?.state.waiting?.reason ?? []);
    expect(reasons.join()).toMatch(/ErrImagePull|ImagePullBackOff/);
  });
  const { exit, list } = await swept("deployments", "--all");
  expect([exit, list.verdict]).toEqual([10, "refuted"]);
  expect(names(list)).toEqual(expect.arrayContaining(["one", "two"]));
});

it("a Verification file says all that is expected of one, a reply too", async () => {
  const file = join(tempFolder("verification"), "one.yaml");
  const write = (version: string): void =>
    writeFileSync(
      file,
      `apiVersion: asfound.dev/v1alpha1
kind: Verification
target: { kind: Deployment, name: one, namespace: ${namespace.name} }
expect:
  replicas: 1
  response: { via: service/one, expect: { json: { version: ${version} } }, pod: $.uid }
claims: [rollout-complete, old-gone, endpoints-ready, response, answered-by-new-pod]
`,
    );
  write("1.0.0");
  expectVerdict(await verify("-f", file), {
    verdict: "proven",
    findings: { "answered-by-new-pod": ["proven", "new-pods-answered"] },
  });
  write("2.0.0");
  expectVerdict(await verify("-f", file), {
    verdict: "refuted",
    findings: { response: ["refuted", "other-reply"] },
  });
});
